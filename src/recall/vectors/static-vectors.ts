import { toInt8 } from "./int8.ts";
import { piecesOf, type Pieces } from "./word-pieces.ts";
import { staticId } from "./table-id.ts";
import { pairKey, type TokenTable } from "./token-table.ts";
import { eachWord } from "./words.ts";

/** Of the letters and digits of a text, those that the table must know, or the text has no vector. */
const leastKnown = 0.5;
/** Words whose pieces are kept. More than a language has often; a cache that is full begins anew. */
const mostCached = 60_000;
/** No piece stands before. */
const none = -1;

/** Makes vectors with one table. It keeps the pieces of words it met, and one sum; nothing of a text. */
export interface StaticVectors {
  readonly id: string;
  readonly dimensions: number;
  /**
   * The vector of a text: the sum of the vectors of its pieces, and of pairs of them that the table has, scaled to unit length. All zeros when the table knows less than half of its letters, as of a
   * language that it does not have. Linear in the text.
   */
  embed(text: string): Int8Array;
}

export function createStaticVectors(table: TokenTable): StaticVectors {
  const { dimensions, pairs, begins } = table;
  const cache = new Map<string, Pieces>();
  const sum = new Float64Array(dimensions);
  const cached = (word: string): Pieces => {
    const found = cache.get(word);
    if (found !== undefined) return found;
    if (cache.size >= mostCached) cache.clear();
    const pieces = piecesOf(table, word);
    cache.set(word, pieces);
    return pieces;
  };
  return {
    id: staticId(table.digest),
    dimensions,
    embed: (text) => {
      const numbers: number[] = [];
      let letters = 0;
      let known = 0;
      let before = none;
      eachWord(text, (word) => {
        const pieces = cached(word);
        letters += pieces.letters;
        known += pieces.known;
        if (pieces.numbers.length === 0) before = none;
        for (const number of pieces.numbers) {
          numbers.push(number);
          if (before !== none && begins[before] === 1) {
            const pair = pairs.get(pairKey(before, number));
            if (pair !== undefined) numbers.push(pair);
          }
          before = number;
        }
      });
      if (known === 0 || known < letters * leastKnown) return new Int8Array(dimensions);
      addAll(table, numbers, sum.fill(0));
      return toInt8(sum);
    },
  };
}

/** Outside of every closure and four vectors at a time, so that the sum is read and written less often: all the time goes here. */
function addAll({ dimensions, scales, vectors }: TokenTable, numbers: readonly number[], sum: Float64Array): void {
  let at = 0;
  for (; at + 3 < numbers.length; at += 4) {
    const one = numbers[at] ?? 0;
    const two = numbers[at + 1] ?? 0;
    const three = numbers[at + 2] ?? 0;
    const four = numbers[at + 3] ?? 0;
    const scale1 = scales[one] ?? 0;
    const scale2 = scales[two] ?? 0;
    const scale3 = scales[three] ?? 0;
    const scale4 = scales[four] ?? 0;
    for (let index = 0; index < dimensions; index++)
      sum[index] =
        (sum[index] ?? 0) +
        (vectors[one * dimensions + index] ?? 0) * scale1 +
        (vectors[two * dimensions + index] ?? 0) * scale2 +
        (vectors[three * dimensions + index] ?? 0) * scale3 +
        (vectors[four * dimensions + index] ?? 0) * scale4;
  }
  for (; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    const scale = scales[number] ?? 0;
    for (let index = 0; index < dimensions; index++)
      sum[index] = (sum[index] ?? 0) + (vectors[number * dimensions + index] ?? 0) * scale;
  }
}
