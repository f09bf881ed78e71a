import type { TruthLine } from "./root-truth.d.mts";

/** What is wrong with the lines, by kind. */
export function formatFindings(
  lines: readonly TruthLine[],
  raw: readonly string[],
): Readonly<Record<string, readonly string[]>>;
