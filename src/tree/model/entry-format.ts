import { Buffer } from "node:buffer";
import {
  parseEntryComment,
  parseHeadingTopic,
  printEntryComment,
  type MemoryType,
  type Origin,
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

/** A line of a body that would be a heading of level 1 or 2, or a comment of ours, gets a backslash in front. */
export function escapeLine(line: string): string {
  const text = line.replaceAll(/[\r\n\u2028\u2029]/gu, " ");
  return /^\\*(?:#{1,2}(?:[ \t]|$)|<!-- hw )/u.test(text) || /^\s{1,3}\\*#{1,2}[ \t]/u.test(text) ? `\\${text}` : text;
}

export function unescapeLine(line: string): string {
  return /^\\+\s{0,3}\\*(?:#{1,2}(?:[ \t]|$)|<!-- hw )/u.test(line) ? line.slice(1) : line;
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
export function bodyText(lines: readonly string[]): string {
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
