import { once } from "../../base/lines.ts";
import { MemoryError } from "../../base/errors.ts";
import { toInt8 } from "./int8.ts";

/** Vectors of words. Words with similar meanings have a high cosine, even in different languages. */
export interface WordVectors {
  readonly dimensions: number;
  /**
   * The normed sum of the vectors of the text's words (Arora et al. 2017), the same bytes on every machine; zeros if the table has none of them. A word that is not in
   * the table counts as its longest parts that are: German compounds, Korean and Japanese words with particles. Time is linear in the length of the text.
   */
  vectorOf(text: string): Int8Array;
}

/** Bytes before the hashes: "HWV1", the dimensions and the number of words. */
const header = 12;
/** Code units of the longest words in the table. */
const longest = 20;

/** How many words are remembered with their rows, since texts repeat them. */
const mostKnown = 20_000;

/** Reads a table; tools/word-vectors.py describes the format and makes it. Errors: `io` if it is damaged. */
export function openWordVectors(table: Uint8Array): WordVectors {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const isWhole = table.length > header && view.getUint32(0) === 0x48575631;
  const [dimensions, count] = isWhole ? [view.getUint32(4, true), view.getUint32(8, true)] : [0, 0];
  if (!isWhole || table.length !== header + count * (4 + dimensions))
    throw new MemoryError("io", "The table of word vectors is damaged; reinstall heartwood.");
  // The copy is aligned to four bytes.
  const hashes = new Uint32Array(Uint8Array.from(table.subarray(header, header + 4 * count)).buffer);
  const vectors = new Int8Array(table.buffer, table.byteOffset + header + 4 * count, count * dimensions);
  const known = new Map<string, readonly number[]>();
  const vectorOf = (text: string): Int8Array => {
    const sum = new Int32Array(dimensions);
    if (known.size > mostKnown) known.clear();
    for (const word of text.normalize("NFKC").toLowerCase().match(words()) ?? []) {
      let rows = known.get(word);
      if (rows === undefined) known.set(word, (rows = rowsOf(word, hashes)));
      for (const row of rows) {
        const from = row * dimensions;
        for (let part = 0; part < dimensions; part++) sum[part] = (sum[part] ?? 0) + (vectors[from + part] ?? 0);
      }
    }
    return toInt8(sum);
  };
  return { dimensions, vectorOf };
}

const words = once(() => /[\p{L}\p{M}\p{N}]+/gu);

/** The row of a word, or the rows of its parts from left to right, each as long as possible. */
function rowsOf(word: string, hashes: Uint32Array): readonly number[] {
  const whole = longestFrom(word, 0, word.length, hashes);
  if (whole.row >= 0) return [whole.row];
  const rows: number[] = [];
  for (let from = 0; from < word.length;) {
    const { row, to } = longestFrom(word, from, leastPart(word, from), hashes);
    if (row >= 0) rows.push(row);
    from = to;
  }
  return rows;
}

/** The longest part of at least this length that begins here; if there is none, `row` is negative and `to` is the next place. */
function longestFrom(word: string, from: number, least: number, hashes: Uint32Array): { row: number; to: number } {
  let [hash, found] = [0x811c9dc5, { row: -1, to: from + 1 }];
  const end = Math.min(word.length, from + longest);
  for (let at = from; at < end; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    if (at + 1 - from < least) continue;
    const row = rowOf(mixed(hash), hashes);
    if (row >= 0) found = { row, to: at + 1 };
  }
  return found;
}

/** In letters. A short part of a word says little, but where a letter is a syllable or a word. */
function leastPart(word: string, at: number): number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word.charAt(at))) return 1;
  return /\p{Script=Hangul}/u.test(word.charAt(at)) ? 1 : 4;
}

/** FNV-1a of the code units, finished as in MurmurHash3, so that the hashes of similar words lie apart. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (half ^ (half >>> 13)) >>> 0;
}

function rowOf(hash: number, hashes: Uint32Array): number {
  let [low, high] = [0, hashes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? low : -1;
}
