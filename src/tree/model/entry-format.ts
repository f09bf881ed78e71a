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

export function isEntryId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/u.test(text);
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID: 48 bits of milliseconds, 80 bits of chance, in Crockford's base 32 (github.com/ulid/spec). */
export function createEntryId(epochMs: number, random: Uint8Array): string {
  let id = "";
  for (let rest = Math.max(0, Math.trunc(epochMs)); id.length < 10; rest = Math.floor(rest / 32))
    id = crockford.charAt(rest % 32) + id;
  for (let index = 0; index < 16; index++) id += crockford.charAt((random[index % random.length] ?? 0) % 32);
  return id;
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

/** An entry that is looked for, while its end has not come. */
interface OpenEntry {
  readonly comment: EntryComment;
  readonly heading: number;
  /** What would be written. */
  readonly wanted: string;
  isDamaged: boolean;
  /** As much of its body as can be the beginning of what would be written. */
  text: string | undefined;
  /** Bytes up to the end of the last line, and up to its last text. */
  bytes: number;
  textBytes: number;
  lastLine: number;
}

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
  #bytes = 0;
  /** The beginning of a line whose end has not come, and its bytes so far. */
  #rest: Buffer = Buffer.alloc(0);
  #restBytes = 0;
  #content: EntryScanEnd["content"] = "blank";
  #lastLine: EntryScanEnd["lastLine"] = "blank";
  #lineEnd: EntryScanEnd["lineEnd"] = "\n";

  constructor(wanted: ReadonlyMap<string, string>) {
    this.#wanted = wanted;
    this.#longest = headBytes + greatest([0, ...Array.from(wanted.values(), (body) => Buffer.byteLength(body))]);
  }

  push(given: Uint8Array): void {
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.#hold(bytes.subarray(from, end));
      if (this.#bytes < headBytes && this.#rest.at(-1) === 13) this.#lineEnd = "\r\n";
      this.#line();
      from = end + 1;
    }
    this.#hold(bytes.subarray(from));
  }

  end(): EntryScanEnd {
    const ending = this.#restBytes > 0 ? "open" : "closed";
    if (ending === "open") this.#line();
    this.#close(ending);
    return {
      found: this.#found,
      lines: this.#lines,
      content: this.#content,
      lastLine: this.#lastLine,
      ending,
      lineEnd: this.#lineEnd,
    };
  }

  #hold(piece: Buffer): void {
    const kept = piece.subarray(0, this.#longest - this.#rest.length);
    this.#rest = this.#rest.length === 0 ? kept : Buffer.concat([this.#rest, kept]);
    this.#restBytes += piece.length;
  }

  #line(): void {
    const [line, size] = [this.#rest, this.#restBytes];
    this.#rest = Buffer.alloc(0);
    this.#restBytes = 0;
    this.#lines += 1;
    this.#bytes += size + 1;
    // Most lines are none of what is looked for by their first byte, and are never decoded.
    const first = line[0] ?? 0;
    const text = (): string => line.toString("utf8").replace(/\r$/u, "");
    const mayBeBlank = size <= headBytes && (first <= 32 || first >= 0x80);
    this.#lastLine = mayBeBlank && text().trim() === "" ? "blank" : "text";
    if (this.#lastLine === "text") this.#content = "text";
    const heading = first === 35 && text().startsWith("## ") ? text() : undefined;
    const comment = first === 60 && this.#heading !== undefined ? parseEntryComment(text()) : undefined;
    if (heading !== undefined) this.#close("closed");
    if (this.#open !== undefined) this.#add(this.#open, text(), size - line.length);
    if (comment !== undefined && this.#wanted.has(comment.id)) this.#begin(comment);
    this.#heading = heading;
  }

  #begin(comment: EntryComment): void {
    this.#close("closed");
    const at = { heading: this.#lines - 1, lastLine: this.#lines, bytes: 0, textBytes: 0 };
    const isDamaged = this.#heading?.includes("\0") === true;
    this.#open = { ...at, comment, wanted: this.#wanted.get(comment.id) ?? "", isDamaged, text: undefined };
  }

  /** `left`: bytes of the line that are not in its text. */
  #add(open: OpenEntry, line: string, left: number): void {
    const before = open.text === undefined ? 0 : open.bytes + 1;
    if (line.includes("\0")) {
      // A hole after all that was written of it belongs to what came after.
      if (before > (open.comment.bytes ?? Number.POSITIVE_INFINITY)) return;
      open.isDamaged = true;
    }
    open.bytes = before + Buffer.byteLength(line) + left;
    const text = bodyText([line]);
    if (text !== "") {
      open.lastLine = this.#lines;
      open.textBytes = before + Buffer.byteLength(text) + left;
    }
    if (open.text === undefined) open.text = line;
    else if (open.text.length <= open.wanted.length) open.text += `\n${line}`;
  }

  /**
   * An entry is torn when it contains a NUL or has fewer bytes than were written; where no bytes are recorded, when the log ends in it without a line end
   * and it is only the beginning of what would be written.
   */
  #close(ending: EntryScanEnd["ending"]): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { comment, wanted } = open;
    const body = bodyText([open.text ?? ""]);
    const isBeginning = body.length < wanted.length && wanted.startsWith(body);
    const isCut = comment.bytes === undefined ? ending === "open" && isBeginning : open.textBytes < comment.bytes;
    this.#found.set(comment.id, {
      lines: [open.heading, open.lastLine],
      state: open.isDamaged || isCut ? "torn" : "whole",
    });
  }
}
