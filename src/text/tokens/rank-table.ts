import { MemoryError } from "../../base/errors.ts";

/**
 * The vocabulary of o200k_base in one block of bytes that needs no parsing:
 *
 * - 8 bytes `MAGIC`; one byte, the length of the longest token
 * - `BUCKETS` + 1 numbers: where the entries of a bucket begin, counted from the first entry
 * - the entries: length of the token (one byte), its rank, its bytes
 *
 * Numbers have three bytes, least significant first. `tools/o200k-table.mjs` writes it.
 */
export const MAGIC = "hwo200k2";
export const BUCKETS = 1 << 17;
const BUCKETS_AT = MAGIC.length + 1;
const ENTRIES_AT = BUCKETS_AT + (BUCKETS + 1) * 3;

export const NO_RANK = 0x7fffffff;

/** The rank of the token with these bytes, or `NO_RANK`. Lower ranks merge first. */
export type RankOf = (bytes: Uint8Array, from: number, to: number) => number;

/** Reads a table in place. `io` when the bytes are not a whole table. */
export function openRankTable(table: Uint8Array): RankOf {
  const magic = Buffer.from(table.subarray(0, MAGIC.length)).toString("latin1");
  if (magic !== MAGIC || ENTRIES_AT + numberAt(table, ENTRIES_AT - 3) !== table.length) {
    throw new MemoryError("io", "The token table is damaged or of another version. Build or install heartwood again.");
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

// Six plain arguments, not one object: this is the innermost loop of counting.
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
