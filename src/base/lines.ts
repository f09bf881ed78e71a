import { Buffer, isUtf8 } from "node:buffer";

/** One line of a file as read: its place and its text without the line end. */
export interface FileLine {
  /** Its text; empty when its bytes are not UTF-8. Carriage returns inside it are spaces, those at its end are no text. */
  readonly text: string;
  readonly encoding: "utf-8" | "not-utf-8";
  /** `beginning`: it is longer than `longestLineBytes`, and the text ends before. */
  readonly reading: "whole" | "beginning";
  /** Whether carriage returns stand inside the line, without line feeds. */
  readonly returns: "none" | "inside";
  /** Offset of its first byte, and of the byte after its line end, in the bytes given. */
  readonly from: number;
  readonly to: number;
}

/** Longer lines are cut to this many bytes: nothing in a derived file needs more of one line. */
export const longestLineBytes = 64 * 1024;

const newline = 10;
const carriageReturn = 13;

/**
 * Cuts bytes into lines at LF or CRLF. A final line end makes no further line. Lines that are not UTF-8 keep their place with
 * an empty text: nothing becomes U+FFFD. Linear.
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

/** The beginning of a very long line, ending at a space or else at a sign that stands in no secret, so that no word and no secret is cut in two; it may be empty. */
function clip(line: Buffer): string {
  const space = Math.max(line.lastIndexOf(32, longestLineBytes), line.lastIndexOf(9, longestLineBytes));
  if (space > longestLineBytes - 8192) return line.toString("utf8", 0, space);
  let stop = longestLineBytes - 8192;
  while (stop > 0 && isOfSecret(line[stop - 1] ?? 0)) stop -= 1;
  while (stop > 0 && ((line[stop] ?? 0) & 0xc0) === 0x80) stop -= 1;
  return line.toString("utf8", 0, stop);
}

/** Letters, digits and signs of ASCII that keys, tokens and addresses are made of. */
function isOfSecret(byte: number): boolean {
  return byte < 0x80 && /[\w!#$%&*+./:=?@^~-]/.test(String.fromCharCode(byte));
}

/** The text of a whole UTF-8 file without its BOM, or `undefined` when it is not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The lines of a text without line ends; a final line end makes no further line. */
export function textLines(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Lines joined to a body with LF and a final line end. */
export function joinLines(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** A line and its number in its file, from 1. */
export interface NumberedLine {
  readonly text: string;
  readonly line: number;
}

/** The number of the first line that is not as expected; `undefined` when all are. */
export function firstDifference(expected: string, found: readonly NumberedLine[]): number | undefined {
  const wanted = expected.split("\n");
  const index = wanted.findIndex((line, at) => line !== found[at]?.text);
  if (index < 0) return found[wanted.length]?.line;
  return (found[index] ?? found.at(-1))?.line ?? 1;
}
