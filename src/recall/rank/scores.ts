import { greatest, Heap } from "../../base/lists.ts";
import { directRange, focusRange, lengthShare, ranking, saturation, trustRange } from "./weights.ts";

/** A word of the query and where it occurs. */
export interface TermHits {
  readonly term: string;
  /** Number of chunks with the word, by section id. Sections without it are absent. */
  readonly sections: ReadonlyMap<number, number>;
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
  readonly before?: ReadonlyMap<number, number>;
  /** The length of each section in the index, in chunks, by section id. */
  readonly chunks: ReadonlyMap<number, number>;
  /** The share of the message's weight that some section contains; default 1. Less than that, its words are trusted less than meaning. */
  readonly coverage?: number;
  /** Absent without vectors. */
  readonly meaning?: SectionMeaning | undefined;
  /** Maximum number of sections. Default: `ranking.sections`. */
  readonly most?: number;
}

export interface SectionMeaning {
  /** The result of `bestCosines`: how close each section is to the query, -1 to 1. */
  readonly cosines: ReadonlyMap<number, number>;
  /** Of a section's score, at least; its words make up the rest. */
  readonly share: number;
}

/** Sections relevant to a query, best first; ties in the order of `chunks`. A word's frequency in a section is the number of its chunks that contain it. */
export function scoreSections(query: SectionQuery): readonly ScoredSection[] {
  const { chunks, most = ranking.sections } = query;
  const words = wordScores(query);
  const meaning = query.meaning === undefined ? new Map<number, number>() : aboveMean(query.meaning.cosines);
  const least = query.meaning?.share ?? 0;
  const share = meaning.size === 0 ? 0 : 1 - (1 - least) * trustIn(query.coverage);
  const ids = [...chunks.keys()].filter((id) => words.has(id) || (share > 0 && meaning.has(id)));
  const [mostOfWords, mostOfMeaning] = [mostIn(words), mostIn(meaning)];
  const scores = Float64Array.from(
    ids,
    (id) => (1 - share) * ((words.get(id) ?? 0) / mostOfWords) + share * ((meaning.get(id) ?? 0) / mostOfMeaning),
  );
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
function cutoffOf(scores: Float32Array | Float64Array, most: number): number {
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
function trustIn(coverage = 1): number {
  return Math.min(1, Math.max(0, (coverage - trustRange.from) / (trustRange.to - trustRange.from)));
}

/** BM25 of each section that contains a term, by section id. */
export function wordScores({ terms, before, chunks }: SectionQuery): ReadonlyMap<number, number> {
  const mean = sum(chunks.values()) / Math.max(1, chunks.size);
  const scores = new Map(before);
  for (const { sections, weight = 1 } of terms) {
    const worth = weight * messageRarity(sections.size, chunks.size);
    for (const [section, count] of sections) {
      const length = (chunks.get(section) ?? mean) / mean;
      const gain = (count * (saturation + 1)) / (count + saturation * (1 - lengthShare + lengthShare * length));
      scores.set(section, (scores.get(section) ?? 0) + worth * gain);
    }
  }
  return scores;
}

/** The cosine of each section's best row. Both arrays have one entry per row: its section and its cosine. Fast if the rows of a section follow each other. */
export function bestCosines(sections: ArrayLike<number>, cosines: ArrayLike<number>): ReadonlyMap<number, number> {
  const best = new Map<number, number>();
  let row = 0;
  while (row < sections.length) {
    const section = sections[row] ?? 0;
    let most = best.get(section) ?? -1;
    for (; sections[row] === section; row++) most = Math.max(most, cosines[row] ?? 0);
    best.set(section, most);
  }
  return best;
}

/** A model's cosines are all close together, so only those above the mean count. */
function aboveMean(cosines: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const mean = sum(cosines.values()) / Math.max(1, cosines.size);
  const above = new Map<number, number>();
  for (const [section, cosine] of cosines) above.set(section, Math.max(0, cosine - mean));
  return above;
}

/** The greatest score, of which the others are shares; 1 if there is none above 0. */
function mostIn(scores: ReadonlyMap<number, number>): number {
  const most = greatest(scores.values());
  return most > 0 ? most : 1;
}

/** Length of a typical statement in words, without function words. */
const usualLength = 9;

/** How rare each word of the query is among chunks: 0 or more. */
export function rarities(terms: readonly TermHits[], chunks: ReadonlyMap<number, number>): ReadonlyMap<string, number> {
  const all = sum(chunks.values());
  return new Map(
    terms.map(({ term, sections, weight = 1 }) => [term, weight * messageRarity(sum(sections.values()), all)]),
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

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
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

/** A section as a whole. The words are index terms. */
export interface WholeSection {
  /** Its score by `scoreSections`, which includes meaning and feedback. */
  readonly score: number;
  /** What persons and authors say, and what an assistant says. */
  readonly person: readonly string[];
  readonly assistant: readonly string[];
  /** The same, in characters. */
  readonly letters: { readonly person: number; readonly assistant: number };
  readonly statements: readonly (readonly string[])[];
  /** Of the nearest of them; see `Meaning` (../run/meaning.ts). 0 without vectors. */
  readonly near: number;
  /** `named`: the message names a day or a time that it is from. */
  readonly day: "named" | "other";
}

/**
 * How relevant each section is as a whole, as shares of the best one: BM25F of its words, in which those of persons count more, with the best statement in it, the score
 * of the section and its day. `scoreSections` chooses the sections; only some hundred can be read as a whole.
 */
export function scoreWhole(
  sections: readonly WholeSection[],
  { terms, chunks, coverage }: Pick<SectionQuery, "terms" | "chunks" | "coverage">,
): readonly number[] {
  const { personWords, bestStatement, sectionScore, namedDay, sessionMeaning } = ranking;
  const trust = sections.some(({ near }) => near > 0) ? trustIn(coverage) : 1;
  const rare = new Map(
    terms.map(({ term, sections: found, weight = 1 }) => [term, weight * messageRarity(found.size, chunks.size)]),
  );
  const rareInChunks = rarities(terms, chunks);
  const lengthOf = ({ letters }: WholeSection): number => personWords * letters.person + letters.assistant;
  const mean = Math.max(1, sum(sections.map(lengthOf)) / Math.max(1, sections.length));
  const words = sections.map((section) => {
    const counts = new Map<string, number>();
    const add = (said: readonly string[], weight: number): void => {
      for (const word of said) if (rare.has(word)) counts.set(word, (counts.get(word) ?? 0) + weight);
    };
    add(section.person, personWords);
    add(section.assistant, 1);
    const length = saturation * (1 - lengthShare + (lengthShare * lengthOf(section)) / mean);
    return sum(
      [...counts].map(([word, count]) => ((rare.get(word) ?? 0) * count * (saturation + 1)) / (count + length)),
    );
  });
  const direct = sections.map(({ statements }) =>
    greatest([0, ...statements.map((one) => ownWords(one, rareInChunks))]),
  );
  const [mostWords, mostDirect] = [greatest([1e-9, ...words]), greatest([1e-9, ...direct])];
  const scores = sections.map(
    ({ score, day, near }, at) =>
      trust * ((words[at] ?? 0) / mostWords + (bestStatement * (direct[at] ?? 0)) / mostDirect) +
      near * sessionMeaning +
      sectionScore * score +
      (day === "named" ? namedDay : 0),
  );
  const most = greatest([1e-9, ...scores]);
  return scores.map((score) => score / most);
}

/** A word of a message, and the sections that contain it. */
export interface FoundWord {
  /** How much the word counts. */
  readonly weight: number;
  /** For each spelling of the whole word, the sections that contain it. */
  readonly whole: readonly Sections[];
  /** For each piece of the word (a pair of letters, in text without spaces), the sections that contain it. */
  readonly pieces: readonly Sections[];
}

type Sections = ReadonlyMap<number, unknown>;

/** Only this many of the heaviest words count, because no section covers all of a long message. */
const mostWords = 8;
/** One matching piece in this many counts as a full match: a text without spaces is a whole sentence, and most of its pieces are not words. */
const enough = 6;

/** 0 to 1: the largest share of the words' weight found in one section. A few pieces of a word count as the whole word. */
export function maxCoverage(words: readonly FoundWord[]): number {
  const covered = new Map<number, number>();
  for (const { weight, whole, pieces } of words) {
    if (pieces.length === 0 && whole.length === 1) {
      for (const id of whole[0]?.keys() ?? []) covered.set(id, (covered.get(id) ?? 0) + weight);
      continue;
    }
    const own = new Map<number, number>();
    for (const sections of pieces)
      for (const id of sections.keys()) own.set(id, Math.min(1, (own.get(id) ?? 0) + enough / pieces.length));
    for (const sections of whole) for (const id of sections.keys()) own.set(id, 1);
    for (const [id, share] of own) covered.set(id, (covered.get(id) ?? 0) + weight * share);
  }
  const heaviest = words.map(({ weight }) => weight).toSorted((a, b) => b - a);
  const all = sum(heaviest.slice(0, mostWords));
  return all <= 0 ? 0 : Math.min(1, Math.max(0, greatest(covered.values())) / all);
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
  const all = sum(rarities.values());
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
