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
import { isCorrects, printCorrects } from "../../text/corrected.ts";

export interface Entry {
  readonly topic: string;
  readonly type: MemoryType;
  readonly id: string;
  /** Local time with offset, `2026-03-15T14:05:00+01:00`. */
  readonly at: string;
  readonly origin: Origin;
  /** Length in bytes of the body (`entryBody`) as written, used to detect a torn entry. Default: not recorded. */
  readonly bytes?: number;
  /** The checked place that the entry corrects. A body cannot name one. */
  readonly corrects?: string | undefined;
  /** Unescaped lines; `printEntry` escapes them. */
  readonly body: readonly string[];
}

/** The lines of an entry: heading, our comment, body. Closes a fence left open in the body. */
export function printEntry(entry: Entry): readonly string[] {
  const body = entry.body.map(escapeLine);
  while (body.at(-1)?.trim() === "") body.pop();
  const open = scanLines(body).unclosed.at(-1);
  const fence = open === undefined ? undefined : /^ {0,3}(`{3,}|~{3,})/u.exec(body[open] ?? "")?.[1];
  const comment = printEntryComment({ ...entry, bytes: entry.bytes });
  const first = entry.corrects === undefined ? [] : [printCorrects(entry.corrects)];
  return [`## ${entry.topic} [${entry.type}]`, comment, ...first, ...body, ...(fence === undefined ? [] : [fence])];
}

/**
 * Puts a backslash before a body line that would parse as a level 1 or 2 heading, one of our comments, the start of a
 * conflict or a correction.
 */
export function escapeLine(line: string): string {
  const text = line.replaceAll(/[\r\n\u2028\u2029]/gu, " ");
  const isRead =
    /^\\*(?:#{1,2}(?:[ \t]|$)|<!-- hw |<{7}(?: |$))/u.test(text) ||
    /^\s{1,3}\\*#{1,2}[ \t]/u.test(text) ||
    isCorrects(text.replace(/^\\*\s*\\*/u, ""));
  return isRead ? `\\${text}` : text;
}

/** The printed body of an entry, without trailing white space. */
export function entryBody(entry: Entry): string {
  return bodyText(printEntry(entry).slice(2));
}

/** Joins body lines, dropping trailing white space and replacement characters left by a torn write. */
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

/** A ULID: 48 bits of milliseconds and 80 random bits, in Crockford's base 32 (github.com/ulid/spec). */
export function createEntryId(epochMs: number, random: Uint8Array): string {
  let id = "";
  for (let rest = Math.max(0, Math.trunc(epochMs)); id.length < 10; rest = Math.floor(rest / 32))
    id = crockford.charAt(rest % 32) + id;
  for (let index = 0; index < 16; index++) id += crockford.charAt((random[index % random.length] ?? 0) % 32);
  return id;
}

/** The milliseconds since the epoch that a UUID of version 7 (RFC 9562) or a ULID begins with. */
export function timeOfId(id: string): number | undefined {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u.test(id))
    return Number.parseInt(id.slice(0, 13).replace("-", ""), 16);
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/u.test(id)) return undefined;
  return Array.from(id.slice(0, 10)).reduce((time, digit) => time * 32 + crockford.indexOf(digit), 0);
}

export interface FoundEntry {
  readonly lines: readonly [number, number];
  /** `torn`: a crash left only part of it. */
  readonly state: "whole" | "torn";
}

export interface EntryScanEnd {
  /** The last entry for each id. */
  readonly found: ReadonlyMap<string, FoundEntry>;
  readonly lines: number;
  readonly content: "blank" | "text";
  readonly lastLine: "blank" | "text";
  /** `open`: the last line does not end with a newline. */
  readonly ending: "closed" | "open";
  readonly lineEnd: "\n" | "\r\n";
}

/**
 * How long a line may be to count as blank, and how far into a log to look for its line endings. Also the slack for
 * white space around a body.
 */
const headBytes = 4096;

/** A wanted entry whose end has not been reached. */
interface OpenEntry {
  readonly comment: EntryComment;
  readonly heading: number;
  /** The body that would be written. */
  readonly wanted: string;
  isDamaged: boolean;
  /** The body so far, limited to what can match the start of `wanted`. */
  text: string | undefined;
  /** Bytes up to the end of the last line, and up to the last nonblank text. */
  bytes: number;
  textBytes: number;
  lastLine: number;
}

/** Scans the bytes of a log for entries in bounded memory. */
export class EntryScan {
  readonly #wanted: ReadonlyMap<string, string>;
  /** Only this many bytes of a line are kept; the rest cannot affect the result. */
  readonly #longest: number;
  readonly #found = new Map<string, FoundEntry>();
  #open: OpenEntry | undefined;
  /** The previous line, if it is an entry heading. */
  #heading: string | undefined;
  #lines = 0;
  #bytes = 0;
  /** The start of an unfinished line, and the number of its bytes so far. */
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
    // The first byte rules out most lines without decoding them.
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

  /** `left`: bytes of the line missing from `line`. */
  #add(open: OpenEntry, line: string, left: number): void {
    const before = open.text === undefined ? 0 : open.bytes + 1;
    if (line.includes("\0")) {
      // NUL bytes beyond the recorded length belong to what follows the entry.
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
   * An entry is torn if it contains a NUL or is shorter than its recorded length. Without a recorded length, it is torn
   * if the log ends inside it without a newline and it is only a prefix of what would be written.
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
