import { MemoryError } from "../../base/errors.ts";

/**
 * The vocabulary and the character classes of o200k_base in one block of bytes that needs no parsing:
 *
 * - 8 bytes `MAGIC`; one byte, the number of class pages; one byte, the length of the longest token
 * - 4,352 bytes: for every 256 code points the page that holds their classes; then the pages, 256 class bytes each
 * - `BUCKETS` + 1 numbers: where the entries of a bucket begin, counted from the first entry
 * - the entries: length of the token (one byte), its rank, its bytes
 *
 * Numbers have three bytes, least significant first. `tools/o200k-table.mjs` writes it.
 */
export interface RankTable {
  /** The rank of the token with these bytes, or `NO_RANK`. Lower ranks merge first. */
  rankOf(bytes: Uint8Array, from: number, to: number): number;
  /** The class of the character of every byte of well-formed UTF-8, and a 0 after the last one. */
  classesOf(bytes: Uint8Array): Uint8Array;
}

export const NO_RANK = 0x7fffffff;
export const MAGIC = "hwo200k1";
export const BUCKETS = 1 << 17;
const PAGE_COUNT_AT = MAGIC.length;
const LONGEST_AT = PAGE_COUNT_AT + 1;
const PAGES_AT = LONGEST_AT + 1;
export const CODE_POINT_PAGES = 0x110000 >> 8;

/** What the pre-tokenizer distinguishes, one bit each, so that a set of classes is a mask. */
export const CLASS = {
  upper: 1, // Lu, Lt
  lower: 2, // Ll
  caseless: 4, // Lm, Lo
  mark: 8, // M
  number: 16, // N
  space: 32, // White_Space without CR and LF
  newline: 64, // CR, LF
  other: 128,
} as const;

/** Reads a table in place. `io` when the bytes are not a whole table. */
export function openRankTable(table: Uint8Array): RankTable {
  const classesAt = PAGES_AT + CODE_POINT_PAGES;
  const bucketsAt = classesAt + (table[PAGE_COUNT_AT] ?? 0) * 256;
  const entriesAt = bucketsAt + (BUCKETS + 1) * 3;
  const magic = Buffer.from(table.subarray(0, MAGIC.length)).toString("latin1");
  if (magic !== MAGIC || entriesAt + numberAt(table, entriesAt - 3) !== table.length) {
    throw new MemoryError("io", "The token table is damaged or of another version. Build or install heartwood again.");
  }
  const longest = table[LONGEST_AT] ?? 0;
  const rankOf = (bytes: Uint8Array, from: number, to: number): number => {
    if (to - from > longest) return NO_RANK;
    const bucketAt = bucketsAt + bucketOf(bytes, from, to) * 3;
    const first = entriesAt + numberAt(table, bucketAt);
    return findRank(table, first, entriesAt + numberAt(table, bucketAt + 3), bytes, from, to);
  };
  return { rankOf, classesOf: (bytes) => classify(table, classesAt, bytes) };
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

function classify(table: Uint8Array, classesAt: number, bytes: Uint8Array): Uint8Array {
  const classes = new Uint8Array(bytes.length + 1);
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      classes[at++] = table[classesAt + lead] ?? 0;
      continue;
    }
    const width = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    let codePoint = lead & (0x7f >> width);
    for (let next = at + 1; next < at + width; next++) codePoint = (codePoint << 6) | ((bytes[next] ?? 0) & 0x3f);
    const page = table[PAGES_AT + (codePoint >> 8)] ?? 0;
    const found = table[classesAt + page * 256 + (codePoint & 0xff)] ?? 0;
    for (const end = at + width; at < end; at++) classes[at] = found;
  }
  return classes;
}

function numberAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}
