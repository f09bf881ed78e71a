import type { TermHits } from "./types.ts";

/** Constants of BM25. */
const saturation = 1.2;
const lengthShare = 0.75;
/** Words of a usual statement, function words aside. */
const usualLength = 9;

/** How rare each word of the query is, from the chunks that hold it: 0 or more. */
export function rarities(terms: readonly TermHits[], chunks: ReadonlyMap<number, number>): ReadonlyMap<string, number> {
  let all = 0;
  for (const count of chunks.values()) all += count;
  return new Map(terms.map(({ term, sections, weight = 1 }) => [term, weight * rarity(sum(sections.values()), all)]));
}

function rarity(holding: number, all: number): number {
  return Math.log((Math.max(all, holding) - holding + 0.5) / (holding + 0.5) + 1);
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}

/** BM25 of one statement, given its words as the index knows them: the same as a query of the index gives, for statements that are at hand. */
export function ownWords(words: readonly string[], of: ReadonlyMap<string, number>): number {
  const known = words.filter((word) => of.has(word));
  if (known.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const word of known) counts.set(word, (counts.get(word) ?? 0) + 1);
  let score = 0;
  for (const [word, count] of counts) {
    const length = saturation * (1 - lengthShare + (lengthShare * words.length) / usualLength);
    score += ((of.get(word) ?? 0) * count * (saturation + 1)) / (count + length);
  }
  return score;
}
