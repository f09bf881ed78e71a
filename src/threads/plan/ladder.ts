import { greatest } from "../../base/lists.ts";

/** The ladder's rule; it changes whenever the blocks would. */
export const LADDER_RULE = "ladder_v1/8192/4";
const UNIT = 8192;
const FAN_OUT = 4;
/** Added to the UTF-8 bytes of a message's content. */
const OVERHEAD = 32;

/** A block of the ladder: the messages whose preceding weight is in `[index·size, (index+1)·size)`. */
export interface Block {
  readonly level: number;
  readonly index: number;
}

export function weightOf({
  content,
  forgotten = 0,
}: {
  readonly content: string;
  readonly forgotten?: number;
}): number {
  return Buffer.byteLength(content, "utf8") + forgotten + OVERHEAD;
}

export function blockSize(level: number): number {
  return UNIT * FAN_OUT ** level;
}

export function childrenOf({ level, index }: Block): readonly Block[] {
  return Array.from({ length: FAN_OUT }, (_, child) => ({ level: level - 1, index: index * FAN_OUT + child }));
}

export function rungKind(level: number): string {
  return `rung_v1/${level}`;
}

export function rungRule({ level, index }: Block): string {
  return `${LADDER_RULE}/${level}/${index}`;
}

/** The block named by a checkpoint's rule; `undefined` for a checkpoint that is not a rung of this ladder. */
export function blockOfRule(rule: string): Block | undefined {
  const match = /^ladder_v1\/8192\/4\/(\d{1,2})\/(\d{1,12})$/.exec(rule);
  return match === null ? undefined : { level: Number(match[1]), index: Number(match[2]) };
}

/** The number of levels with a complete block in a thread of this weight. */
export function levelsOf(weight: number): number {
  let levels = 0;
  while (blockSize(levels) <= weight) levels += 1;
  return levels;
}

/** The blocks that a compile at the end of a thread of this weight needs, coarse before fine, old before new. At most 16 per level. */
export function neededBlocks(weight: number): readonly Block[] {
  const blocks: Block[] = [];
  for (let level = levelsOf(weight) - 1; level >= 0; level -= 1) {
    const size = blockSize(level);
    const complete = Math.floor(weight / size);
    const after = weight - 2 * blockSize(level + 1) - 8 * UNIT;
    // The first block that ends after that weight.
    const first = Math.max(0, Math.floor(after / size));
    for (let index = first; index < complete; index += 1) blocks.push({ level, index });
  }
  return blocks;
}

/** A part of a thread by weight: a whole block of the ladder, or part of a smallest block at either end of a range. */
export type Stretch =
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "ragged"; readonly from: number; readonly to: number };

/**
 * Splits a range of weights into stretches, in order: as few blocks as possible between its ragged ends, none coarser than the finest level at which
 * 16 blocks or fewer fill the range. The number of stretches is logarithmic, and their lines together are enough for a summary.
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

/** The finest level at which 16 blocks or fewer fill the range. */
function topLevel(length: number): number {
  let level = 0;
  while (length / blockSize(level) > 16) level += 1;
  return level;
}

/** Interleaves the lines: the first line of every part, newest part first, then the second of each, and so on. Every part gets one line before any gets two. */
export function dealtOut<Line>(parts: readonly (readonly Line[])[]): readonly Line[] {
  const longest = greatest([0, ...parts.map((part) => part.length)]);
  const newestFirst = parts.toReversed();
  return Array.from({ length: longest }, (_, round) =>
    newestFirst.flatMap((part) => part.slice(round, round + 1)),
  ).flat();
}
