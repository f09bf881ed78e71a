import { greatest, Heap } from "../../base/lists.ts";
import { directRange, focusRange, lengthShare, ranking, saturation, trustRange } from "./weights.ts";

/** Numbers of chunks by section: each id once, with its number at the same place. Those that contain a word have ascending ids. */
export interface SectionCounts {
  readonly ids: Int32Array;
  readonly counts: Int32Array;
}

export const noSections: SectionCounts = { ids: new Int32Array(), counts: new Int32Array() };

/** A word of the query and where it occurs. */
export interface TermHits {
  readonly term: string;
  /** Number of chunks with the word. Sections without it are absent. */
  readonly sections: SectionCounts;
  /** Multiplies the word's rarity. Default 1. */
  readonly weight?: number;
}

/** How relevant a section is, 0 to 1: 1 is the best section found. */
export interface ScoredSection {
  readonly section: number;
  readonly score: number;
}

export interface SectionQuery {
  readonly terms: readonly TermHits[];
  /** The result of `wordScores` for earlier terms; the new scores are added to it. */
  readonly before?: Float64Array;
  /** The length of each section in the index, in chunks. */
  readonly chunks: SectionCounts;
  /** The share of the message's weight that some section contains; default 1. Less than that, its words are trusted less than meaning. */
  readonly coverage?: number;
  /** Absent without vectors. */
  readonly meaning?: SectionMeaning | undefined;
  /** Maximum number of sections. Default: `ranking.sections`. */
  readonly most?: number;
}

export interface SectionMeaning {
  /** The result of `bestCosines`: how close each section is to the query, -1 to 1. */
  readonly cosines: SectionCosines;
  /** Of a section's score, at least; its words make up the rest. */
  readonly share: number;
}

/** Sections relevant to a query, best first; ties in the order of `chunks`. A word's frequency in a section is the number of its chunks that contain it. */
export function scoreSections(query: SectionQuery): readonly ScoredSection[] {
  const { chunks, most = ranking.sections } = query;
  const { ids } = chunks;
  const words = wordScores(query);
  const meaning = query.meaning === undefined ? new Float64Array() : aboveMean(query.meaning.cosines);
  const least = query.meaning?.share ?? 0;
  const share = meaning.length === 0 ? 0 : 1 - (1 - least) * trustIn(query.coverage);
  const [mostOfWords, mostOfMeaning] = [mostIn(words), mostIn(meaning)];
  const scores = new Float64Array(ids.length);
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] ?? 0;
    scores[at] = (1 - share) * ((words[id] ?? 0) / mostOfWords) + share * ((meaning[id] ?? 0) / mostOfMeaning);
  }
  const best = bestPlaces(scores, most);
  const top = scores[best[0] ?? -1] ?? 1;
  return best.map((at) => ({ section: ids[at] ?? 0, score: (scores[at] ?? 0) / top }));
}

/** The indexes of the `most` best scores above 0, best first; ties by index. */
export function bestPlaces(scores: Float32Array | Float64Array, most: number): readonly number[] {
  const least = cutoffOf(scores, most);
  const better: number[] = [];
  const equal: number[] = [];
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score > least && score > 0) better.push(place);
    else if (score === least && score > 0 && equal.length < most) equal.push(place);
  }
  better.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...better, ...equal].slice(0, most);
}

/** The least of the `most` best scores, if there are as many above 0. Of many scores few are among the best so far. */
export function cutoffOf(scores: Float32Array | Float64Array, most: number): number {
  const best = new Heap<number>((a, b) => a < b);
  let [count, least] = [0, 0];
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score <= least) continue;
    best.push(score);
    count += 1;
    if (count > most) best.pop();
    if (count >= most) least = best.first ?? 0;
  }
  return least;
}

/** 0 to 1; see `trustRange`. */
export function trustIn(coverage = 1): number {
  return Math.min(1, Math.max(0, (coverage - trustRange.from) / (trustRange.to - trustRange.from)));
}

/** BM25 of each section, by section id; 0 for one that contains no term. */
export function wordScores({ terms, before, chunks }: SectionQuery): Float64Array {
  const { lengths, mean } = lengthsOf(chunks);
  const past = greatest([before?.length ?? 0, lengths.length, ...terms.map(({ sections }) => pastOf(sections))]);
  const scores = new Float64Array(past);
  if (before !== undefined) scores.set(before);
  for (const { sections, weight = 1 } of terms) {
    const { ids, counts } = sections;
    const worth = weight * messageRarity(ids.length, chunks.ids.length);
    for (let at = 0; at < ids.length; at++) {
      const section = ids[at] ?? 0;
      const count = counts[at] ?? 0;
      const length = (lengths[section] || mean) / mean;
      const gain = (count * (saturation + 1)) / (count + saturation * (1 - lengthShare + lengthShare * length));
      scores[section] = (scores[section] ?? 0) + worth * gain;
    }
  }
  return scores;
}

/** The lengths of all sections, by section id, their mean and their sum. */
function readLengths({ ids, counts }: SectionCounts) {
  const lengths = new Int32Array(pastIn(ids));
  for (let at = 0; at < ids.length; at++) lengths[ids[at] ?? 0] = counts[at] ?? 0;
  const all = sum(counts);
  return { lengths, all, mean: all / Math.max(1, ids.length) };
}

const lengthsKnown = new WeakMap<SectionCounts, ReturnType<typeof readLengths>>();

function lengthsOf(chunks: SectionCounts): ReturnType<typeof readLengths> {
  const known = lengthsKnown.get(chunks) ?? readLengths(chunks);
  lengthsKnown.set(chunks, known);
  return known;
}

/** How many chunks there are. */
export function countChunks(chunks: SectionCounts): number {
  return lengthsOf(chunks).all;
}

/** One more than the greatest id; in `pastOf` they are ascending. */
function pastIn(ids: Int32Array): number {
  return ids.reduce((past, id) => (id < past ? past : id + 1), 0);
}

function pastOf({ ids }: SectionIds): number {
  return (ids.at(-1) ?? -1) + 1;
}

/** Each section once, with its cosine at the same place. */
export interface SectionCosines {
  readonly ids: Int32Array;
  readonly cosines: Float32Array;
}

/** The cosine of each section's best row. Both arrays have one entry per row: its section and its cosine. Fast if the rows of a section follow each other. */
export function bestCosines(sections: Int32Array, cosines: Float32Array): SectionCosines {
  const ids = new Int32Array(sections.length);
  const best = new Float32Array(sections.length);
  /** One more than the place of each section. */
  const places = new Int32Array(pastIn(sections));
  let size = 0;
  for (let row = 0; row < sections.length;) {
    const section = sections[row] ?? 0;
    const known = places[section] ?? 0;
    const place = known > 0 ? known - 1 : size++;
    let most = known > 0 ? (best[place] ?? 0) : -1;
    for (; sections[row] === section; row++) if ((cosines[row] ?? 0) > most) most = cosines[row] ?? 0;
    places[section] = place + 1;
    ids[place] = section;
    best[place] = most;
  }
  return { ids: ids.slice(0, size), cosines: best.slice(0, size) };
}

/** By section id. A model's cosines are all close together, so only those above the mean count. */
function aboveMean({ ids, cosines }: SectionCosines): Float64Array {
  const mean = sum(cosines) / Math.max(1, ids.length);
  const above = new Float64Array(pastIn(ids));
  for (let at = 0; at < ids.length; at++) above[ids[at] ?? 0] = Math.max(0, (cosines[at] ?? 0) - mean);
  return above;
}

/** The greatest score, of which the others are shares; 1 if there is none above 0. */
function mostIn(scores: Float64Array): number {
  const most = cutoffOf(scores, 1);
  return most > 0 ? most : 1;
}

/** Length of a typical statement in words, without function words. */
const usualLength = 9;

/** How rare each word of the query is among chunks: 0 or more. */
export function rarities(terms: readonly TermHits[], chunks: SectionCounts): ReadonlyMap<string, number> {
  const all = countChunks(chunks);
  return new Map(
    terms.map(({ term, sections, weight = 1 }) => [term, weight * messageRarity(sum(sections.counts), all)]),
  );
}

/** Inverse document frequency of a word in `found` of `all` texts (Robertson and Zaragoza 2009). */
export function rarityOf(found: number, all: number): number {
  return Math.log((Math.max(all, found) - found + 0.5) / (found + 0.5) + 1);
}

/** A small memory may be about a single thing and does not show how rare a word is, so assume this many more texts without the word. */
const assumedTexts = 30;

/** `rarityOf` for the words in a message, which are only compared with each other. */
export function messageRarity(found: number, all: number): number {
  return rarityOf(found, all + assumedTexts);
}

export function sum(counts: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < counts.length; at++) total += counts[at] ?? 0;
  return total;
}

/** BM25 of one statement, given its index terms. `of`: the rarity of each term. */
export function ownWords(words: readonly string[], of: ReadonlyMap<string, number>): number {
  const counts = new Map<string, number>();
  for (const word of words) if (of.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let score = 0;
  for (const [word, count] of counts) {
    const length = saturation * (1 - lengthShare + (lengthShare * words.length) / usualLength);
    score += ((of.get(word) ?? 0) * count * (saturation + 1)) / (count + length);
  }
  return score;
}

/** A word of a message, and the sections that contain it. */
export interface FoundWord {
  /** How much the word counts. */
  readonly weight: number;
  /** For each spelling of the whole word, the sections that contain it. */
  readonly whole: readonly SectionIds[];
  /** For each piece of the word (a pair of letters, in text without spaces), the sections that contain it. */
  readonly pieces: readonly SectionIds[];
}

type SectionIds = Pick<SectionCounts, "ids">;

/** Only this many of the heaviest words count, because no section covers all of a long message. */
const mostWords = 8;
/** One matching piece in this many counts as a full match: a text without spaces is a whole sentence, and most of its pieces are not words. */
const enough = 6;

/** 0 to 1: the largest share of the words' weight found in one section. A few pieces of a word count as the whole word. */
export function maxCoverage(words: readonly FoundWord[]): number {
  const past = greatest([0, ...words.flatMap(({ whole, pieces }) => [...whole, ...pieces].map(pastOf))]);
  const covered = new Float64Array(past);
  /** How much of a word each section has; zeros again after each. */
  const own = new Float64Array(past);
  for (const { weight, whole, pieces } of words) {
    for (const { ids } of pieces)
      for (let at = 0; at < ids.length; at++) {
        const id = ids[at] ?? 0;
        own[id] = Math.min(1, (own[id] ?? 0) + enough / pieces.length);
      }
    for (const { ids } of whole) for (let at = 0; at < ids.length; at++) own[ids[at] ?? 0] = 1;
    for (const { ids } of [...whole, ...pieces])
      for (let at = 0; at < ids.length; at++) {
        const id = ids[at] ?? 0;
        covered[id] = (covered[id] ?? 0) + weight * (own[id] ?? 0);
        own[id] = 0;
      }
  }
  const heaviest = words.map(({ weight }) => weight).toSorted((a, b) => b - a);
  const all = sum(heaviest.slice(0, mostWords));
  return all <= 0 ? 0 : Math.min(1, cutoffOf(covered, 1) / all);
}

/** How many of the best statements are checked. */
export const directStatements = 5;

/**
 * How directly one of these statements answers a message, 0 to 1, based on the share of the message's words (weighted by rarity) that it contains. If the
 * message asks about something that was said, one statement contains many of them (of 1,536 questions about dialogues, three in four have a share above 0.42).
 * If the message only touches on something remembered, no statement does (of 450 such messages, three in four have a share below 0.28).
 */
export function directnessOf(
  statements: readonly (readonly string[])[],
  rarities: ReadonlyMap<string, number>,
): number {
  const all = sum([...rarities.values()]);
  if (all <= 0) return 0;
  const has = (words: readonly string[]): number => sum([...new Set(words)].map((word) => rarities.get(word) ?? 0));
  const most = greatest([0, ...statements.map(has)]) / all;
  const { from, to } = directRange;
  return Math.min(1, Math.max(0, (most - from) / (to - from)));
}

/** Whether a message asks for one thing, 0 to 1, by its number of words with content. Of questions about what was said, nine in ten have six or fewer. */
export function focusOf(words: number): number {
  const { from, to } = focusRange;
  return Math.min(1, Math.max(0, (from - words) / (from - to)));
}

export interface FeedbackTerm {
  readonly term: string;
  readonly weight: number;
}

/** How many words have their frequency looked up in the index, the most expensive part of feedback. 100 gives the same results, 32 worse ones. */
const mostCandidates = 50;

/**
 * Words from the statements of the best sections that are not in the query (`known`), ranked by the share of statements that contain them. `feedbackTerms` then
 * weighs them by rarity. `statements`: the index terms of each statement.
 */
export function feedbackCandidates(
  sections: readonly { readonly score: number; readonly statements: readonly (readonly string[])[] }[],
  known: ReadonlySet<string>,
): readonly FeedbackTerm[] {
  const shares = new Map<string, number>();
  for (const { score, statements } of sections)
    for (const words of statements)
      for (const word of new Set(words))
        if (word.length > 1 && !known.has(word)) shares.set(word, (shares.get(word) ?? 0) + score / statements.length);
  const further = Array.from(shares, ([term, weight]) => ({ term, weight }));
  return bestTerms(further, mostCandidates);
}

/**
 * The words for a second round of `scoreSections` (relevance model RM3, Abdul-Jaleel et al. 2004): frequent in the best sections, rare elsewhere. Best first;
 * the best one has the weight `feedbackWeight`.
 */
export function feedbackTerms(
  candidates: readonly FeedbackTerm[],
  { rows, counts }: { readonly rows: number; readonly counts: readonly number[] },
): readonly FeedbackTerm[] {
  // Rarer words are worth more; a word found nowhere is worth nothing.
  const worth = (share: number, count: number): number =>
    count <= 0 ? 0 : share * rarityOf(Math.min(rows, count), rows);
  const weighed = candidates.map(({ term, weight }, index) => ({ term, weight: worth(weight, counts[index] ?? 0) }));
  const chosen = bestTerms(weighed, ranking.feedbackWords);
  const most = chosen[0]?.weight ?? 1;
  return chosen.map(({ term, weight }) => ({ term, weight: (ranking.feedbackWeight * weight) / most }));
}

function bestTerms(terms: readonly FeedbackTerm[], most: number): readonly FeedbackTerm[] {
  const telling = terms.filter(({ weight }) => weight > 0);
  return telling.toSorted((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, most);
}
