import { blockSize, type Block } from "./ladder.ts";
import { greatest } from "../../base/lists.ts";

/** A part of a thread by weight: a whole block of the ladder, or the part of a smallest block that a range cuts through. */
export type Stretch =
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "ragged"; readonly from: number; readonly to: number };

/**
 * The stretches that a range of weights consists of, in their order: as few blocks as there are between its ragged ends, but so that the coarsest level
 * has 16 blocks where the range is that long. So its length is logarithmic, and the lines of its stretches together are enough for a summary.
 */
export function stretchesOf(from: number, to: number): readonly Stretch[] {
  const top = topLevel(to - from);
  const stretches: Stretch[] = [];
  const addRagged = (start: number, end: number): void => {
    if (end > start) stretches.push({ kind: "ragged", from: start, to: end });
  };
  const unit = blockSize(0);
  const first = Math.ceil(from / unit) * unit;
  addRagged(from, Math.min(first, to));
  let at = first;
  while (at + unit <= to) {
    let level = 0;
    while (level < top && at % blockSize(level + 1) === 0 && at + blockSize(level + 1) <= to) level += 1;
    stretches.push({ kind: "block", block: { level, index: at / blockSize(level) } });
    at += blockSize(level);
  }
  addRagged(Math.max(at, from), to);
  return stretches;
}

/** The finest level of which at most 16 blocks fill the range. */
function topLevel(length: number): number {
  let level = 0;
  while (length / blockSize(level) > 16) level += 1;
  return level;
}

/** First the first line of every part, the newest part first, then the second of each, and so on: so every part is heard before one is heard out. */
export function dealtOut<Line>(parts: readonly (readonly Line[])[]): readonly Line[] {
  const longest = greatest([0, ...parts.map((part) => part.length)]);
  const newestFirst = parts.toReversed();
  return Array.from({ length: longest }, (_, round) =>
    newestFirst.flatMap((part) => part.slice(round, round + 1)),
  ).flat();
}
