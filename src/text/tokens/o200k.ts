import { MemoryError } from "../../base/errors.ts";
import { once } from "../../base/lines.ts";
import { Heap } from "../../base/lists.ts";
import { isPlain } from "../words/scripts.ts";

/** Counts the tokens in a text. The default counts o200k BPE exactly. */
export interface TokenCounter {
  readonly id: string;
  count(text: string): number;
}

/**
 * Counts o200k_base tokens exactly as OpenAI's tiktoken does with `encode_ordinary`: names of special tokens such as `<|endoftext|>` are ordinary text, and a
 * lone surrogate counts as U+FFFD. Time is n log n at worst. `tools/o200k-table.mjs` writes the table, which is read in place, so opening it takes
 * microseconds. Throws `io` if the table is incomplete.
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

/** Counts as `counterOver` does. The table is read for the first text and kept in memory. `count` throws what `read` throws, and `io` if the table is damaged. */
export function createO200kTokens(read: () => Uint8Array): TokenCounter {
  const counter = once(() => counterOver(read()));
  return { id: "o200k-base", count: (text) => counter()(text) };
}

/**
 * Byte-pair encoding: starting with single bytes, repeatedly merges the pair with the lowest rank (the leftmost of equals)
 * until no pair is a token. The pairs are in a heap, so 100 kB of the same letter takes only n log n steps.
 */
function countPiece(rankOf: RankOf, bytes: Uint8Array, from: number, to: number): number {
  if (to - from === 1 || rankOf(bytes, from, to) !== NO_RANK) return 1;
  const size = to - from;
  // A linked list of parts, each identified by its first byte; `pairRanks` is the rank of a part merged with the next.
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
    // A stale key: the pair has merged or grown since, so its rank has changed.
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

/** Heap keys are rank × `POSITIONS` + position: exact in a double, ordered by rank, then position. */
const POSITIONS = 2 ** 31;

/**
 * The pattern that splits a text into pieces; pairs never merge across pieces. It is tiktoken's pattern (`tiktoken_ext/openai_public.py`, MIT), in which
 * the long s matches s because case is ignored. Compiling it with Unicode classes takes milliseconds.
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

/**
 * The vocabulary of o200k_base in one block of bytes that needs no parsing:
 *
 * - 8 bytes `MAGIC`; one byte, the length of the longest token
 * - `BUCKETS` + 1 numbers: where the entries of a bucket begin, counted from the first entry
 * - the entries: length of the token (one byte), its rank, its bytes
 *
 * Numbers take three bytes, least significant first. `tools/o200k-table.mjs` writes this block.
 */
export const MAGIC = "hwo200k2";
export const BUCKETS = 1 << 17;
const BUCKETS_AT = MAGIC.length + 1;
const ENTRIES_AT = BUCKETS_AT + (BUCKETS + 1) * 3;

const NO_RANK = 0x7fffffff;

/** The rank of the token with these bytes, or `NO_RANK`. Lower ranks merge first. */
type RankOf = (bytes: Uint8Array, from: number, to: number) => number;

/** Reads a table in place. Throws `io` if it is incomplete. */
function openRankTable(table: Uint8Array): RankOf {
  const magic = Buffer.from(table.subarray(0, MAGIC.length)).toString("latin1");
  if (magic !== MAGIC || ENTRIES_AT + numberAt(table, ENTRIES_AT - 3) !== table.length) {
    throw new MemoryError("io", "The token table is damaged or from another version. Rebuild or reinstall heartwood.");
  }
  const longest = table[MAGIC.length] ?? 0;
  return (bytes, from, to) => {
    if (to - from > longest) return NO_RANK;
    const bucketAt = BUCKETS_AT + bucketOf(bytes, from, to) * 3;
    const first = ENTRIES_AT + numberAt(table, bucketAt);
    return findRank(table, first, ENTRIES_AT + numberAt(table, bucketAt + 3), bytes, from, to);
  };
}

/** The bucket of a token: FNV-1a over its bytes, folded. */
export function bucketOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
}

// Takes six arguments instead of an object because it is called in the innermost loop.
function findRank(table: Uint8Array, first: number, end: number, bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  for (let entry = first; entry < end; entry += 4 + (table[entry] ?? 0)) {
    if (table[entry] !== length) continue;
    const shift = entry + 4 - from;
    let at = from;
    while (at < to && table[at + shift] === bytes[at]) at++;
    if (at === to) return numberAt(table, entry + 1);
  }
  return NO_RANK;
}

function numberAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}
