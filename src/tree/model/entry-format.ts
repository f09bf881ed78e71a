import { Buffer } from "node:buffer";
import {
  type EntryComment,
  type Origin,
  parseEntryComment,
  printEntryComment,
  type MemoryType,
  parseHeadingTopic,
} from "../../base/memory-type.ts";
import { scanLines } from "../../base/markdown.ts";

/** One entry of a raw log, as it is appended. */
export interface Entry {
  readonly topic: string;
  readonly type: MemoryType;
  readonly id: string;
  /** Local time with offset, `2026-03-15T14:05:00+01:00`. */
  readonly at: string;
  readonly origin: Origin;
  /** Bytes of the body as it was written, `entryBytes`, by which a torn entry is known. Default: not recorded. */
  readonly bytes?: number;
  /** Lines as given; `printEntry` escapes them. */
  readonly body: readonly string[];
}

/** The lines of an entry: heading, our comment, body. A fence that the body leaves open is closed. */
export function printEntry(entry: Entry): readonly string[] {
  const body = entry.body.map(escapeLine);
  while (body.at(-1)?.trim() === "") body.pop();
  const open = scanLines(body).unclosed.at(-1);
  const fence = open === undefined ? undefined : /^ {0,3}(`{3,}|~{3,})/u.exec(body[open] ?? "")?.[1];
  const comment = printEntryComment({ ...entry, bytes: entry.bytes });
  return [`## ${entry.topic} [${entry.type}]`, comment, ...body, ...(fence === undefined ? [] : [fence])];
}

/** A line of a body that would be a heading of level 1 or 2, a comment of ours, or the first mark of a conflict, gets a backslash in front. */
export function escapeLine(line: string): string {
  const text = line.replaceAll(/[\r\n\u2028\u2029]/gu, " ");
  return /^\\*(?:#{1,2}(?:[ \t]|$)|<!-- hw |<{7}(?: |$))/u.test(text) || /^\s{1,3}\\*#{1,2}[ \t]/u.test(text)
    ? `\\${text}`
    : text;
}

function unescapeLine(line: string): string {
  return /^\\+\s{0,3}\\*(?:#{1,2}(?:[ \t]|$)|<!-- hw |<{7}(?: |$))/u.test(line) ? line.slice(1) : line;
}

/** Reads the lines that `printEntry` makes, and entries without our comment. */
export function parseEntry(lines: readonly string[]): Omit<Entry, "id" | "at" | "origin"> & Partial<Entry> {
  const { name, type } = parseHeadingTopic((lines[0] ?? "").replace(/^##\s+/u, ""));
  const comment = parseEntryComment(lines[1] ?? "");
  const body = lines.slice(comment === undefined ? 1 : 2).map(unescapeLine);
  if (comment === undefined) return { topic: name, type, body };
  const { id, at, origin, bytes } = comment;
  return { topic: name, type, body, id, at, origin, ...(bytes === undefined ? {} : { bytes }) };
}

/** The bytes of an entry's body as printed, white space at its end aside. */
export function entryBytes(entry: Entry): number {
  return Buffer.byteLength(bodyText(printEntry(entry).slice(2)));
}

/** Lines of a body, without white space at its end, nor what a torn character is read as. Lines that hold nothing else are none. */
function bodyText(lines: readonly string[]): string {
  let text = lines.join("\n");
  do text = text.trimEnd().replace(/\uFFFD+$/u, "");
  while (text.endsWith("\n"));
  return text;
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/u;

export function isEntryId(text: string): boolean {
  return idPattern.test(text);
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID: 48 bits of milliseconds, 80 bits of chance, in Crockford's base 32 (github.com/ulid/spec). */
export function createEntryId(epochMs: number, random: Uint8Array): string {
  let time = "";
  let rest = Math.max(0, Math.trunc(epochMs));
  for (let digit = 0; digit < 10; digit++) {
    time = (crockford[rest % 32] ?? "0") + time;
    rest = Math.floor(rest / 32);
  }
  const chance = Array.from({ length: 16 }, (_, index) => crockford[(random[index % random.length] ?? 0) % 32] ?? "0");
  return time + chance.join("");
}

/** An entry that stands in a log. */
export interface FoundEntry {
  /** Its first and last line, 1-based. */
  readonly lines: readonly [number, number];
  /** `torn`: a crash left only a part of it. */
  readonly state: "whole" | "torn";
}

/** What an append must know of a log. */
export interface EntryScanEnd {
  /** The last entry of this id. */
  readonly found: FoundEntry | undefined;
  readonly lines: number;
  readonly content: "blank" | "text";
  readonly lastLine: "blank" | "text";
  /** `open`: the last line has no line end. */
  readonly ending: "closed" | "open";
  /** Of its first lines. */
  readonly lineEnd: "\n" | "\r\n";
}

/** A fold over the bytes of a log that looks for one entry, in bounded memory. */
export class EntryScan {
  readonly #id: string;
  readonly #needle: Buffer;
  /** What would be written below the comment. */
  readonly #body: string;
  /** Bytes of a line beyond these make no difference. */
  readonly #longest: number;
  #open: OpenEntry | undefined;
  #found: FoundEntry | undefined;
  #lines = 0;
  /** The beginning of a line whose end has not come. */
  #pending = Buffer.alloc(0);
  /** Bytes of that beginning, and of the line at hand, also those that were not kept. */
  #pendingBytes = 0;
  #lineBytes = 0;
  #previous: Buffer = Buffer.alloc(0);
  #blank = true;
  #ending: EntryScanEnd["ending"] = "closed";
  #head: Buffer = Buffer.alloc(0);

  constructor(entry: Entry) {
    this.#id = entry.id;
    this.#needle = Buffer.from(` id=${entry.id} `);
    this.#body = bodyText(printEntry(entry).slice(2));
    this.#longest = Buffer.byteLength(this.#body) + headBytes;
  }

  push(given: Uint8Array): void {
    if (given.length === 0) return;
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    if (this.#head.length < headBytes)
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, headBytes - this.#head.length)]);
    const mayHold = this.#open !== undefined || Buffer.concat([this.#pending, bytes]).includes(this.#needle);
    const from = mayHold || this.#blank ? this.#takeLines(bytes) : this.#passLines(bytes);
    this.#ending = from === bytes.length ? "closed" : "open";
    if (from < bytes.length) this.#hold(Buffer.from(this.#joined(bytes.subarray(from))));
    this.#previous = Buffer.from(this.#previous);
  }

  end(): EntryScanEnd {
    if (this.#ending === "open") {
      this.#lineBytes = this.#pendingBytes;
      this.#line(this.#pending);
    }
    this.#close(this.#ending);
    return {
      found: this.#found,
      lines: this.#lines,
      content: this.#blank ? "blank" : "text",
      lastLine: isBlank(this.#previous) ? "blank" : "text",
      ending: this.#ending,
      lineEnd: this.#head.includes("\r\n") ? "\r\n" : "\n",
    };
  }

  /** Where the line begins that these bytes leave open. */
  #takeLines(bytes: Buffer): number {
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.#line(this.#joined(bytes.subarray(from, end)));
      this.#release();
      from = end + 1;
    }
    return from;
  }

  /** The same for lines that only count, which is most of a log. */
  #passLines(bytes: Buffer): number {
    const end = bytes.lastIndexOf(10);
    if (end < 0) return 0;
    const from = end === 0 ? 0 : bytes.lastIndexOf(10, end - 1) + 1;
    if (from > 0) this.#release();
    this.#previous = this.#joined(bytes.subarray(from, end));
    this.#release();
    for (let at = 0; at <= end; at++) if (bytes[at] === 10) this.#lines += 1;
    return end + 1;
  }

  #joined(piece: Buffer): Buffer {
    this.#lineBytes = this.#pendingBytes + piece.length;
    if (this.#pending.length === 0) return piece.subarray(0, this.#longest);
    return Buffer.concat([this.#pending, piece.subarray(0, this.#longest - this.#pending.length)]);
  }

  #hold(pending: Buffer<ArrayBuffer>): void {
    this.#pending = pending;
    this.#pendingBytes = this.#lineBytes;
  }

  #release(): void {
    this.#pending = Buffer.alloc(0);
    this.#pendingBytes = 0;
  }

  #line(line: Buffer): void {
    this.#lines += 1;
    this.#blank &&= isBlank(line);
    const mayBeComment = line.includes(this.#needle) && this.#previous.toString("latin1", 0, 3) === "## ";
    if (mayBeComment || this.#open !== undefined) {
      const text = line.toString("utf8").replace(/\r$/u, "");
      if (text.startsWith("## ")) this.#close("closed");
      this.#open?.add(text, { number: this.#lines, left: this.#lineBytes - line.length });
      const comment = mayBeComment ? parseEntryComment(text) : undefined;
      if (comment?.id === this.#id) this.#begin(comment);
    }
    this.#previous = line;
  }

  #begin({ bytes }: EntryComment): void {
    this.#close("closed");
    const heading = this.#previous.includes(0) ? "damaged" : "sound";
    this.#open = new OpenEntry({ wanted: this.#body, comment: this.#lines, bytes, heading });
  }

  #close(ending: EntryScanEnd["ending"]): void {
    this.#found = this.#open?.end(ending) ?? this.#found;
    this.#open = undefined;
  }
}

/** Enough to see the line ends, and room for white space around a text. */
const headBytes = 4096;

interface Opening {
  /** The body that would be written. */
  readonly wanted: string;
  /** The line of its comment. */
  readonly comment: number;
  /** Bytes of the body as it was written, when they are recorded. */
  readonly bytes: number | undefined;
  readonly heading: "sound" | "damaged";
}

/** An entry of the wanted id, while its end has not come. */
class OpenEntry {
  readonly #opening: Opening;
  #isDamaged: boolean;
  /** As much of its body as can be the beginning of what would be written. */
  #text: string | undefined;
  /** Bytes up to the end of the last line, and up to its last text. */
  #bytes = 0;
  #textBytes = 0;
  #last: number;

  constructor(opening: Opening) {
    this.#opening = opening;
    this.#last = opening.comment;
    this.#isDamaged = opening.heading === "damaged";
  }

  /** `left`: bytes of the line that are not in its text. */
  add(line: string, at: { readonly number: number; readonly left: number }): void {
    const before = this.#text === undefined ? 0 : this.#bytes + 1;
    if (line.includes("\0")) {
      // A hole behind all that was written of it is one in what came after.
      if (before > (this.#opening.bytes ?? Number.POSITIVE_INFINITY)) return;
      this.#isDamaged = true;
    }
    this.#bytes = before + Buffer.byteLength(line) + at.left;
    const text = bodyText([line]);
    if (text !== "") {
      this.#last = at.number;
      this.#textBytes = before + Buffer.byteLength(text) + at.left;
    }
    if (this.#text === undefined) this.#text = line;
    else if (this.#text.length <= this.#opening.wanted.length) this.#text += `\n${line}`;
  }

  /**
   * It is torn when it holds a NUL or fewer bytes than it was written with; where no bytes are recorded, when the log ends in it without a line end
   * and it is only the beginning of what would be written.
   */
  end(ending: EntryScanEnd["ending"]): FoundEntry {
    const { wanted, comment, bytes } = this.#opening;
    const isCut = bytes === undefined ? ending === "open" && this.#isBeginningOf(wanted) : this.#textBytes < bytes;
    return { lines: [comment - 1, this.#last], state: this.#isDamaged || isCut ? "torn" : "whole" };
  }

  #isBeginningOf(wanted: string): boolean {
    const body = bodyText([this.#text ?? ""]);
    return body.length < wanted.length && wanted.startsWith(body);
  }
}

function isBlank(line: Buffer): boolean {
  return line.length <= headBytes && line.toString("utf8").trim() === "";
}
