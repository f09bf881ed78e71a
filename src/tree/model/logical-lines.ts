import { Buffer } from "node:buffer";
import { parseEntryComment } from "../../base/memory-type.ts";

/** Some lines of a file that was edited: their bytes, one after the other, and their 1-based numbers in that file. */
export interface NewLines {
  readonly bytes: Uint8Array;
  readonly numbers: readonly number[];
}

/**
 * The lines of a shortened log that was edited which are not among those that it was given: each in order, unless a line of `given` with the same
 * text (line ends aside) has not been matched yet; and all lines from the first entry on that `given` has not (by our comment), so that no entry that
 * was appended is torn. Linear.
 */
export function newLines(given: Uint8Array, edited: Uint8Array): NewLines {
  const unmatched = new Map<string, number>();
  for (const line of linesOf(given)) unmatched.set(textOf(line), (unmatched.get(textOf(line)) ?? 0) + 1);
  const lines = linesOf(edited);
  const comment = lines.map(textOf).findIndex((text) => parseEntryComment(text) !== undefined && !unmatched.has(text));
  const appended = comment < 0 ? lines.length : Math.max(0, comment - 1);
  const kept: Buffer[] = [];
  const numbers: number[] = [];
  for (const [index, line] of lines.entries()) {
    const left = index < appended ? (unmatched.get(textOf(line)) ?? 0) : 0;
    if (left > 0) unmatched.set(textOf(line), left - 1);
    else {
      kept.push(line);
      numbers.push(index + 1);
    }
  }
  return { bytes: Buffer.concat(kept), numbers };
}

/**
 * Which of these texts an edited file was made from: the one with the fewest bytes in lines that only one of the two has, line ends aside; of equal ones
 * the first. Linear.
 */
export function nearestText(texts: readonly Uint8Array[], edited: Uint8Array): Uint8Array | undefined {
  const lines = linesOf(edited).map(textOf);
  let nearest: Uint8Array | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    const away = distanceTo(text, lines);
    if (away < least) [nearest, least] = [text, away];
  }
  return nearest;
}

function distanceTo(text: Uint8Array, lines: readonly string[]): number {
  const unmatched = new Map<string, number>();
  for (const line of lines) unmatched.set(line, (unmatched.get(line) ?? 0) + 1);
  let bytes = lines.reduce((sum, line) => sum + line.length, 0);
  for (const line of linesOf(text).map(textOf)) {
    const left = unmatched.get(line) ?? 0;
    bytes += left > 0 ? -line.length : line.length;
    if (left > 0) unmatched.set(line, left - 1);
  }
  return bytes;
}

/** The lines with their line ends. */
function linesOf(bytes: Uint8Array): readonly Buffer[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Buffer[] = [];
  for (let from = 0; from < buffer.length;) {
    const end = buffer.indexOf(10, from);
    const to = end < 0 ? buffer.length : end + 1;
    lines.push(buffer.subarray(from, to));
    from = to;
  }
  return lines;
}

/** Every byte has a character of its own, so that bytes that are no UTF-8 are compared too. */
function textOf(line: Buffer): string {
  const end = line.at(-1) === 10 ? line.length - (line.at(-2) === 13 ? 2 : 1) : line.length;
  return line.toString("latin1", 0, end);
}
