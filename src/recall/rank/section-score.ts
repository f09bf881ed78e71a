import { defaultRanking, type RankingOptions } from "./options.ts";
import type { ScoredSection, TermHits } from "./types.ts";

/** Constants of BM25 (Robertson and Zaragoza 2009). */
const saturation = 1.2;
const lengthShare = 0.75;

export interface SectionQuery {
  readonly terms: readonly TermHits[];
  /** What `wordScores` gave for the terms before these. */
  readonly before?: ReadonlyMap<number, number>;
  /** Chunks of every section of the index, by section id: the length of a section. */
  readonly chunks: ReadonlyMap<number, number>;
  /** How near each section is to the query, -1 to 1, as `bestCosines` tells; absent without vectors. */
  readonly cosines?: ReadonlyMap<number, number>;
  readonly options?: Partial<RankingOptions>;
}

/**
 * Sections that bear on a query, best first, at most `options.sections`; of equal ones the one that stands first in `chunks`. A word's frequency in a section is the number of
 * chunks that hold it.
 */
export function scoreSections(query: SectionQuery): readonly ScoredSection[] {
  const options = { ...defaultRanking, ...query.options };
  const words = shares(wordScores(query));
  const meaning = query.cosines === undefined ? new Map<number, number>() : shares(aboveMean(query.cosines));
  const share = meaning.size === 0 ? 0 : options.sectionMeaning;
  const isRanked = (id: number): boolean => words.has(id) || (share > 0 && meaning.has(id));
  const ranked: (readonly [section: number, score: number])[] = [];
  for (const id of query.chunks.keys())
    if (isRanked(id)) ranked.push([id, (1 - share) * (words.get(id) ?? 0) + share * (meaning.get(id) ?? 0)]);
  const best = bestOf(ranked, options.sections);
  const top = best[0]?.[1] ?? 0;
  if (top <= 0) return [];
  return best.map(([section, score]): ScoredSection => {
    const parts = { words: words.get(section) ?? 0, meaning: meaning.get(section) ?? 0 };
    return { section, score: score / top, parts };
  });
}

/** Those with the most score, best first; of equal ones those that come first. Numbers alone sort much faster than pairs: they tell which pairs need to be sorted. */
function bestOf<Pair extends readonly [section: number, score: number]>(
  pairs: readonly Pair[],
  most: number,
): readonly Pair[] {
  const scores = Float64Array.from(pairs, ([, score]) => score).sort();
  const least = scores[Math.max(0, scores.length - most)] ?? 0;
  const those = pairs.filter(([, score]) => score >= least);
  return those.toSorted((a, b) => b[1] - a[1]).slice(0, most);
}

/** BM25 of each section that holds a term, by section id. */
export function wordScores({ terms, before, chunks }: SectionQuery): ReadonlyMap<number, number> {
  let all = 0;
  for (const count of chunks.values()) all += count;
  const mean = all / Math.max(1, chunks.size);
  const scores = new Map(before);
  for (const { sections, weight = 1 } of terms) {
    const rarity = weight * Math.log((chunks.size - sections.size + 0.5) / (sections.size + 0.5) + 1);
    for (const [section, count] of sections) {
      const length = (chunks.get(section) ?? mean) / mean;
      const gain = (count * (saturation + 1)) / (count + saturation * (1 - lengthShare + lengthShare * length));
      scores.set(section, (scores.get(section) ?? 0) + rarity * gain);
    }
  }
  return scores;
}

/**
 * Of every section the cosine of its best row: what it says that is nearest to the query. Both arrays have one entry for each row, the section and its cosine.
 */
export function bestCosines(sections: ArrayLike<number>, cosines: ArrayLike<number>): ReadonlyMap<number, number> {
  const best = new Map<number, number>();
  for (let row = 0; row < sections.length; row++) {
    const section = sections[row] ?? 0;
    const cosine = cosines[row] ?? 0;
    if (cosine > (best.get(section) ?? -1)) best.set(section, cosine);
  }
  return best;
}

/** Cosines of one model lie close together: only what is nearer than most says something. */
function aboveMean(cosines: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  let sum = 0;
  for (const cosine of cosines.values()) sum += cosine;
  const mean = sum / Math.max(1, cosines.size);
  return new Map([...cosines].map(([section, cosine]) => [section, Math.max(0, cosine - mean)]));
}

function shares(scores: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  let most = 0;
  for (const score of scores.values()) most = Math.max(most, score);
  if (most <= 0) return scores;
  const parts = new Map<number, number>();
  for (const [section, score] of scores) parts.set(section, score / most);
  return parts;
}
