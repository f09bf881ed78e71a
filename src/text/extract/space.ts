import type { Passage } from "../../base/passage.ts";
import { printRefSuffix } from "../../base/refs.ts";

/** Lines and UTF-8 bytes that a summary may have. */
export interface Space {
  readonly lines: number;
  readonly bytes: number;
}

/** About what a passage takes as a line of a summary. */
export function bytesOfLine(passage: Passage): number {
  const verbatim = passage.lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
  if (passage.role === "preserved") return verbatim + 4;
  const tag = passage.naming === "found" ? 0 : passage.type.length + 3;
  return (
    6 + tag + Buffer.byteLength(passage.topic) + Buffer.byteLength(passage.text) + printRefSuffix(passage.refs).length
  );
}

/** Lines that a passage takes. */
export function linesOf(passage: Passage): number {
  return Math.max(1, passage.lines.length);
}
