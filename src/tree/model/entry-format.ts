import { Buffer } from "node:buffer";
import {
  type EntryComment,
  type Origin,
  parseEntryComment,
  printEntryComment,
  type MemoryType,
} from "../../base/memory-type.ts";
import { greatest } from "../../base/lists.ts";
import { scanLines } from "../../base/markdown.ts";

export interface Entry {
  readonly topic: string;
  readonly type: MemoryType;
  readonly id: string;
  /** Local time with offset, `2026-03-15T14:05:00+01:00`. */
  readonly at: string;
  readonly origin: Origin;
  /** Bytes of the body as it was written, of `entryBody`, by which a torn entry is known. Default: not recorded. */
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

/** The body of an entry as printed, without white space at its end. */
export function entryBody(entry: Entry): string {
  return bodyText(printEntry(entry).slice(2));
}

/** Lines of a body, without white space at its end, nor what a torn character is read as. */
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

export interface FoundEntry {
  readonly lines: readonly [number, number];
  /** `torn`: a crash left only a part of it. */
  readonly state: "whole" | "torn";
}

export interface EntryScanEnd {
  /** By id, the last entry of each. */
  readonly found: ReadonlyMap<string, FoundEntry>;
  readonly lines: number;
  readonly content: "blank" | "text";
  readonly lastLine: "blank" | "text";
  /** `open`: the last line has no line end. */
  readonly ending: "closed" | "open";
  readonly lineEnd: "\n" | "\r\n";
}

/** Bytes of a line, or of the beginning of a log, that are looked at; also room for white space around a text. */
const headBytes = 4096;

/** A fold over the bytes of a log that looks for entries, in bounded memory. */
export class EntryScan {
  readonly #wanted: ReadonlyMap<string, string>;
  /** Bytes of a line beyond these make no difference. */
  readonly #longest: number;
  readonly #found = new Map<string, FoundEntry>();
  #open: OpenEntry | undefined;
  /** The line before this one, when it is a heading of an entry. */
  #heading: string | undefined;
  #lines = 0;
  /** The beginning of a line whose end has not come, and its bytes so far. */
  #rest = Buffer.alloc(0);
  #restBytes = 0;
  #content: EntryScanEnd["content"] = "blank";
  #lastLine: EntryScanEnd["lastLine"] = "blank";
  #ending: EntryScanEnd["ending"] = "closed";
  #head = Buffer.alloc(0);

  constructor(wanted: ReadonlyMap<string, string>) {
    this.#wanted = wanted;
    this.#longest = headBytes + greatest([0, ...Array.from(wanted.values(), (body) => Buffer.byteLength(body))]);
  }

  push(given: Uint8Array): void {
    if (given.length === 0) return;
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    if (this.#head.length < headBytes)
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, headBytes - this.#head.length)]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      if (this.#restBytes === 0) this.#line(bytes, { from, end }, end - from);
      else this.#restLine(bytes.subarray(0, end));
      from = end + 1;
    }
    if (from < bytes.length) this.#hold(bytes.subarray(from));
    this.#ending = from < bytes.length ? "open" : "closed";
  }

  end(): EntryScanEnd {
    if (this.#ending === "open") this.#restLine(Buffer.alloc(0));
    this.#close(this.#ending);
    return {
      found: this.#found,
      lines: this.#lines,
      content: this.#content,
      lastLine: this.#lastLine,
      ending: this.#ending,
      lineEnd: this.#head.includes("\r\n") ? "\r\n" : "\n",
    };
  }

  #hold(piece: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, piece.subarray(0, this.#longest - this.#rest.length)]);
    this.#restBytes += piece.length;
  }

  #restLine(piece: Buffer): void {
    this.#hold(piece);
    const [line, size] = [this.#rest, this.#restBytes];
    this.#rest = Buffer.alloc(0);
    this.#restBytes = 0;
    this.#line(line, { from: 0, end: line.length }, size);
  }

  /** `size`: the bytes of the line, also those that were not kept. */
  #line(bytes: Buffer, { from, end }: { readonly from: number; readonly end: number }, size: number): void {
    this.#lines += 1;
    const stop = Math.min(end, from + this.#longest);
    // Most lines are none of what is looked for by their first byte, and are never decoded.
    const first = bytes[from] ?? 0;
    const text = (): string => bytes.toString("utf8", from, stop).replace(/\r$/u, "");
    const mayBeBlank = size <= headBytes && (first <= 32 || first >= 0x80);
    this.#lastLine = mayBeBlank && text().trim() === "" ? "blank" : "text";
    if (this.#lastLine === "text") this.#content = "text";
    const isHeading = first === 35 && text().startsWith("## ");
    const comment = first === 60 && this.#heading !== undefined ? parseEntryComment(text()) : undefined;
    if (isHeading) this.#close("closed");
    this.#open?.add(text(), { number: this.#lines, left: size - (stop - from) });
    if (comment !== undefined && this.#wanted.has(comment.id)) this.#begin(comment);
    this.#heading = isHeading ? text() : undefined;
  }

  #begin({ id, bytes }: EntryComment): void {
    this.#close("closed");
    const isDamaged = this.#heading?.includes("\0") === true;
    this.#open = new OpenEntry({ id, wanted: this.#wanted.get(id) ?? "", comment: this.#lines, bytes, isDamaged });
  }

  #close(ending: EntryScanEnd["ending"]): void {
    if (this.#open !== undefined) this.#found.set(this.#open.id, this.#open.end(ending));
    this.#open = undefined;
  }
}

interface Opening {
  readonly id: string;
  readonly wanted: string;
  readonly comment: number;
  /** Bytes of the body as it was written, when they are recorded. */
  readonly bytes: number | undefined;
  readonly isDamaged: boolean;
}

/** An entry that is looked for, while its end has not come. */
class OpenEntry {
  readonly id: string;
  readonly #opening: Opening;
  #isDamaged: boolean;
  /** As much of its body as can be the beginning of what would be written. */
  #text: string | undefined;
  /** Bytes up to the end of the last line, and up to its last text. */
  #bytes = 0;
  #textBytes = 0;
  #last: number;

  constructor(opening: Opening) {
    this.id = opening.id;
    this.#opening = opening;
    this.#last = opening.comment;
    this.#isDamaged = opening.isDamaged;
  }

  /** `left`: bytes of the line that are not in its text. */
  add(line: string, at: { readonly number: number; readonly left: number }): void {
    const before = this.#text === undefined ? 0 : this.#bytes + 1;
    if (line.includes("\0")) {
      // A hole after all that was written of it belongs to what came after.
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
   * It is torn when it contains a NUL or has fewer bytes than were written; where no bytes are recorded, when the log ends in it without a line end
   * and it is only the beginning of what would be written.
   */
  end(ending: EntryScanEnd["ending"]): FoundEntry {
    const { wanted, comment, bytes } = this.#opening;
    const body = bodyText([this.#text ?? ""]);
    const isBeginning = body.length < wanted.length && wanted.startsWith(body);
    const isCut = bytes === undefined ? ending === "open" && isBeginning : this.#textBytes < bytes;
    return { lines: [comment - 1, this.#last], state: this.#isDamaged || isCut ? "torn" : "whole" };
  }
}
