import { createHeap } from "./heap.ts";
import { NO_RANK, type RankTable } from "./rank-table.ts";

/** Counts the tokens into which byte-pair encoding merges one piece. */
export type PieceCounter = (bytes: Uint8Array, from: number, to: number) => number;

/**
 * Byte-pair encoding: from single bytes on, the pair with the lowest rank (the leftmost of equals) merges until no pair
 * is a token. Short pieces search the lowest rank anew each time; long ones keep a heap, so that 100 kB of one letter
 * take n log n steps.
 */
export function createPieceCounter(ranks: RankTable): PieceCounter {
  const bounds = new Int32Array(SHORT + 1);
  const pairRanks = new Int32Array(SHORT + 1);
  return (bytes, from, to) => {
    if (to - from === 1 || ranks.rankOf(bytes, from, to) !== NO_RANK) return 1;
    if (to - from > SHORT) return countLong(ranks, bytes.subarray(from, to));
    for (let at = from; at <= to; at++) {
      bounds[at - from] = at;
      pairRanks[at - from] = at + 2 <= to ? ranks.rankOf(bytes, at, at + 2) : NO_RANK;
    }
    return mergeShort(ranks, bytes, { bounds, pairRanks, length: to - from });
  };
}

const SHORT = 128;

/** Part `i` reaches from `bounds[i]` to `bounds[i + 1]`; `pairRanks[i]` is the rank of it and the next part as one. */
interface Parts {
  readonly bounds: Int32Array;
  readonly pairRanks: Int32Array;
  readonly length: number;
}

function mergeShort(ranks: RankTable, bytes: Uint8Array, parts: Parts): number {
  const { bounds, pairRanks } = parts;
  let length = parts.length;
  const rankAt = (index: number): number =>
    index + 2 <= length ? ranks.rankOf(bytes, bounds[index] ?? 0, bounds[index + 2] ?? 0) : NO_RANK;
  for (;;) {
    const lowest = indexOfLowest(pairRanks, length - 1);
    if (lowest === -1) return length;
    bounds.copyWithin(lowest + 1, lowest + 2, length + 1);
    pairRanks.copyWithin(lowest + 1, lowest + 2, length + 1);
    length--;
    pairRanks[lowest] = rankAt(lowest);
    if (lowest > 0) pairRanks[lowest - 1] = rankAt(lowest - 1);
  }
}

function indexOfLowest(pairRanks: Int32Array, length: number): number {
  let lowest = -1;
  let rank = NO_RANK;
  for (let index = 0; index < length; index++) {
    const candidate = pairRanks[index] ?? NO_RANK;
    if (candidate < rank) {
      rank = candidate;
      lowest = index;
    }
  }
  return lowest;
}

function countLong(ranks: RankTable, piece: Uint8Array): number {
  const size = piece.length;
  const { next, before, pairRanks } = linkBytes(size);
  const heap = createHeap(size * 2);
  const rate = (at: number): void => {
    const second = next[at] ?? size;
    const rank = second < size ? ranks.rankOf(piece, at, next[second] ?? size) : NO_RANK;
    pairRanks[at] = rank;
    if (rank !== NO_RANK) heap.push(rank * POSITIONS + at);
  };
  for (let at = 0; at < size; at++) rate(at);
  let count = size;
  for (let key = heap.pop(); key !== -1; key = heap.pop()) {
    const at = key % POSITIONS;
    // A pair that has merged or grown since has another rank: this key is a leftover.
    if (pairRanks[at] !== (key - at) / POSITIONS) continue;
    const second = next[at] ?? size;
    const third = next[second] ?? size;
    pairRanks[second] = NO_RANK;
    next[at] = third;
    before[third] = at;
    count--;
    rate(at);
    if (at > 0) rate(before[at] ?? 0);
  }
  return count;
}

/** A key is rank × `POSITIONS` + position: exact in a double, lowest rank first, then leftmost. */
const POSITIONS = 2 ** 31;

/** Parts as a list: a part is known by its first byte, `pairRanks` is the rank of it and the next part as one. */
interface Links {
  readonly next: Int32Array;
  readonly before: Int32Array;
  readonly pairRanks: Int32Array;
}

function linkBytes(size: number): Links {
  const next = new Int32Array(size + 1);
  const before = new Int32Array(size + 1);
  for (let at = 0; at <= size; at++) {
    next[at] = Math.min(at + 1, size);
    before[at] = at - 1;
  }
  return { next, before, pairRanks: new Int32Array(size).fill(NO_RANK) };
}
