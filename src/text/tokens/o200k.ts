import { once } from "../../base/lines.ts";
import { Heap } from "../../base/lists.ts";
import { isPlain } from "../words/scripts.ts";
import { NO_RANK, openRankTable, type RankOf } from "./rank-table.ts";

/** Counts the tokens of a text. The default counts o200k BPE exactly. */
export interface TokenCounter {
  readonly id: string;
  count(text: string): number;
}

/**
 * Counts o200k_base tokens exactly as OpenAI's tiktoken does with `encode_ordinary`: names of special tokens such as `<|endoftext|>` are ordinary text, a lone
 * surrogate counts as U+FFFD. Time is n log n at worst. The table is made by `tools/o200k-table.mjs` and read in place, so that opening it takes microseconds;
 * `io` when its bytes are not a whole table.
 */
export function counterOver(table: Uint8Array): (text: string) => number {
  const rankOf = openRankTable(table);
  return (text) => {
    const bytes = Buffer.from(text);
    let tokens = 0;
    let start = 0;
    for (const piece of text.toWellFormed().match(isPlain(text) ? plainPieces() : otherPieces()) ?? []) {
      const end = start + Buffer.byteLength(piece);
      tokens += countPiece(rankOf, bytes, start, end);
      start = end;
    }
    return tokens;
  };
}

/**
 * Byte-pair encoding: from single bytes on, the pair with the lowest rank (the leftmost of equals) merges until no pair
 * is a token. The pairs are in a heap, so that 100 kB of one letter take n log n steps.
 */
function countPiece(rankOf: RankOf, bytes: Uint8Array, from: number, to: number): number {
  if (to - from === 1 || rankOf(bytes, from, to) !== NO_RANK) return 1;
  const size = to - from;
  // Parts as a list: a part is known by its first byte, `pairRanks` is the rank of it and the next part as one.
  const next: number[] = [];
  const before: number[] = [];
  const pairRanks: number[] = [];
  const heap = new Heap<number>((a, b) => a < b);
  const rate = (at: number): void => {
    const second = next[at] ?? size;
    const rank = second < size ? rankOf(bytes, from + at, from + (next[second] ?? size)) : NO_RANK;
    pairRanks[at] = rank;
    if (rank !== NO_RANK) heap.push(rank * POSITIONS + at);
  };
  for (let at = 0; at <= size; at++) {
    next.push(Math.min(at + 1, size));
    before.push(at - 1);
  }
  for (let at = 0; at < size; at++) rate(at);
  let count = size;
  for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
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

/**
 * The pieces of a text; merging never crosses the border of a piece. The pattern is that of tiktoken (`tiktoken_ext/openai_public.py`, MIT), in which without
 * regard to case the long s is an s. To compile it with Unicode classes takes milliseconds.
 */
function piecePattern(
  { letters, head, tail, digits, space }: Record<"letters" | "head" | "tail" | "digits" | "space", string>,
  flags: string,
): RegExp {
  const before = `[^\\r\\n${letters}${digits}]?`;
  const contraction = "(?:'(?:[sStTmMdD\u017f]|[rRvV][eE]|[lL][lL]))?";
  const kinds = [
    `${before}[${head}]*[${tail}]+${contraction}`,
    `${before}[${head}]+[${tail}]*${contraction}`,
    `[${digits}]{1,3}`,
    ` ?[^${space}${letters}${digits}]+[\\r\\n/]*`,
    `[${space}]*[\\r\\n]+`,
    `[${space}]+(?![^${space}])`,
    `[${space}]+`,
  ];
  return new RegExp(kinds.join("|"), flags);
}

const plainPieces = once(() =>
  piecePattern({ letters: "A-Za-z", head: "A-Z", tail: "a-z", digits: "0-9", space: "\\s" }, "g"),
);
const otherPieces = once(() =>
  piecePattern(
    {
      letters: "\\p{L}",
      head: "\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}",
      tail: "\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}",
      digits: "\\p{N}",
      space: "\\p{White_Space}",
    },
    "gu",
  ),
);
