import { Buffer, isUtf8 } from "node:buffer";
import { pushAll } from "./lists.ts";

/** A line of a file: its position, and its text without the line break. */
export interface FileLine {
  /** Empty if the bytes are not UTF-8. Carriage returns inside the line become spaces; those at its end are dropped. */
  readonly text: string;
  readonly encoding: "utf-8" | "not-utf-8";
  /** `beginning`: the line is longer than `longestLineBytes`, and the text is only its beginning. */
  readonly reading: "whole" | "beginning";
  /** Whether the line contains carriage returns without line feeds. */
  readonly returns: "none" | "inside";
  /** Byte offsets of its start, and of the byte after its line break. */
  readonly from: number;
  readonly to: number;
}

/** Longer lines are cut to at most this many bytes: derived files never need more of one line. */
export const longestLineBytes = 64 * 1024;

const newline = 10;
const carriageReturn = 13;

/**
 * Splits bytes into lines at LF or CRLF. A final line break does not start another line. Lines that are not UTF-8 keep their
 * position with an empty text, so no U+FFFD appears. Linear.
 */
export function splitLines(bytes: Uint8Array): readonly FileLine[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const valid = isUtf8(buffer);
  const lines: FileLine[] = [];
  for (let from = 0; from < buffer.length;) {
    const end = buffer.indexOf(newline, from);
    const to = end < 0 ? buffer.length : end + 1;
    let stop = end < 0 ? buffer.length : end;
    if (stop > from && buffer[stop - 1] === carriageReturn) stop -= 1;
    lines.push(readLine(buffer, { from, stop, to, valid }));
    from = to;
  }
  return lines;
}

function readLine(
  buffer: Buffer,
  range: { readonly from: number; readonly stop: number; readonly to: number; readonly valid: boolean },
): FileLine {
  const { from, stop, to, valid } = range;
  if (!valid && !isUtf8(buffer.subarray(from, stop)))
    return { text: "", encoding: "not-utf-8", reading: "whole", returns: "none", from, to };
  const reading = stop - from <= longestLineBytes ? "whole" : "beginning";
  const text = reading === "whole" ? buffer.toString("utf8", from, stop) : clip(buffer.subarray(from, stop));
  if (!text.includes("\r")) return { text, encoding: "utf-8", reading, returns: "none", from, to };
  const kept = text.replace(/\r+$/u, "");
  const returns = kept.includes("\r") ? "inside" : "none";
  return { text: kept.replaceAll("\r", " "), encoding: "utf-8", reading, returns, from, to };
}

/** The beginning of a very long line. Ends at a space, or else after a character that cannot be part of a secret, so no secret is cut in half. May be empty. */
function clip(line: Buffer): string {
  const space = Math.max(line.lastIndexOf(32, longestLineBytes), line.lastIndexOf(9, longestLineBytes));
  if (space > longestLineBytes - 8192) return line.toString("utf8", 0, space);
  let stop = longestLineBytes - 8192;
  while (stop > 0 && isOfSecret(line[stop - 1] ?? 0)) stop -= 1;
  while (stop > 0 && ((line[stop] ?? 0) & 0xc0) === 0x80) stop -= 1;
  return line.toString("utf8", 0, stop);
}

/** Whether the byte is an ASCII letter, digit or sign that occurs in keys, tokens and addresses. */
function isOfSecret(byte: number): boolean {
  return byte < 0x80 && /[\w!#$%&*+./:=?@^~-]/.test(String.fromCharCode(byte));
}

/** The text of a UTF-8 file without its BOM; `undefined` if it is not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The lines in a text, without line breaks. A final line break does not start another line. */
export function textLines(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Joins lines with LF and ends with LF. */
export function joinLines(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** A line and its 1-based number. */
export interface NumberedLine {
  readonly text: string;
  readonly line: number;
}

/** The number of the first line that differs from the expected text; `undefined` if there is none. */
export function firstDifference(expected: string, found: readonly NumberedLine[]): number | undefined {
  const wanted = expected.split("\n");
  const index = wanted.findIndex((line, at) => line !== found[at]?.text);
  if (index < 0) return found[wanted.length]?.line;
  return (found[index] ?? found.at(-1))?.line ?? 1;
}

/**
 * A copy of the string. An engine may represent a substring as a view into the whole text, which then stays in memory as long as the substring does
 * (V8: from 13 characters). Use it for substrings that outlive their text.
 */
export function detached(part: string): string {
  return part.length < shortestView ? part : ` ${part}`.slice(1);
}

const shortestView = 13;

/** Caches the results of a pure function of a text: at most `most` results, and none for texts longer than `longest`. */
export function remembering<T>(find: (text: string) => T, most: number, longest = Infinity): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > longest) return find(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    const own = detached(text);
    const result = find(own);
    if (known.size >= most) known.clear();
    known.set(own, result);
    return result;
  };
}

/** Creates a value on first use. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Context lines around a change. */
const around = 3;

/** Maximum cells of the table for comparing texts. Time and memory grow with the product of their line counts. */
const mostCells = 4_000_000;

/** The difference between two texts in the format of `diff -u`; empty if they are equal. `undefined` means the file does not exist. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const rows = rowsOf(linesOf(before ?? ""), linesOf(after ?? ""));
  const head = [`--- ${before === undefined ? "/dev/null" : path}`, `+++ ${after === undefined ? "/dev/null" : path}`];
  return `${[...head, ...hunksOf(rows)].join("\n")}\n`;
}

interface Row {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Lines for comparison: CRLF and a missing final line break count as differences. */
function linesOf(text: string): readonly string[] {
  return (text.match(/[^\n]*\n|[^\n]+$/gu) ?? []).map((line) =>
    line.endsWith("\n") ? line.slice(0, -1) : `${line}\n\\ No newline at end of file`,
  );
}

function rowsOf(before: readonly string[], after: readonly string[]): readonly Row[] {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [a, b] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const common = commonLengths(a, b);
  const rows = before.slice(0, head).map((text): Row => ({ mark: " ", text }));
  let added: Row[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && a[i] === b[j]) {
      pushAll(rows, [...added, { mark: " ", text: a[i++] ?? "" }]);
      added = [];
      j += 1;
    } else if (j === b.length || (i < a.length && common(i + 1, j) >= common(i, j + 1)))
      rows.push({ mark: "-", text: a[i++] ?? "" });
    else added.push({ mark: "+", text: b[j++] ?? "" });
  }
  pushAll(rows, added);
  pushAll(
    rows,
    before.slice(before.length - tail).map((text): Row => ({ mark: " ", text })),
  );
  return rows;
}

/** Returns the length of the longest common subsequence of the lists from `i` and `j` to their ends; always 0 if the lists are too long. */
function commonLengths(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  if (a.length * b.length > mostCells) return () => 0;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}

function hunksOf(rows: readonly Row[]): readonly string[] {
  const shown: string[] = [];
  const isNear = (index: number): boolean =>
    rows.slice(Math.max(0, index - around), index + around + 1).some(({ mark }) => mark !== " ");
  let [old, next] = [1, 1];
  for (let index = 0; index < rows.length;) {
    if (!isNear(index)) {
      [old, next, index] = [old + 1, next + 1, index + 1];
      continue;
    }
    let end = index;
    while (end < rows.length && isNear(end)) end += 1;
    const hunk = rows.slice(index, end);
    const gone = hunk.filter(({ mark }) => mark !== "+").length;
    const come = hunk.filter(({ mark }) => mark !== "-").length;
    shown.push(`@@ -${gone === 0 ? old - 1 : old},${gone} +${come === 0 ? next - 1 : next},${come} @@`);
    for (const { mark, text } of hunk) shown.push(mark + text);
    [old, next, index] = [old + gone, next + come, end];
  }
  return shown;
}
