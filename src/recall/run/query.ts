import { once } from "../../base/lines.ts";
import { withoutMarks } from "../../text/redact/span.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { recallSources, type SearchIndex, type SectionHits, type WeightedTerm } from "../index/search-index.ts";
import { maxCoverage, messageRarity, noSections, type FoundWord } from "../rank/scores.ts";
import { endsOf, otherForms, rawWords } from "../../text/words/index-terms.ts";
import { requestIn, tellingWords } from "../../text/words/courtesy.ts";
import { stopWords } from "../../text/words/stop-words.ts";
import { joined, type QueryWord, type Weighted } from "../../text/words/query.ts";
import { greatest } from "../../base/lists.ts";

/** A message as a query. */
export interface RecallQuery {
  /** Its meaningful words, in order; for a long message, the rarest. Empty for a message that is only courtesies ("thanks, go on") and function words. */
  readonly words: readonly string[];
  /** These words with their index terms, without the verb of a request. */
  readonly about: readonly QueryWord[];
  /** The index terms of these words, each once. */
  readonly terms: readonly WeightedTerm[];
  /** The same to find chunks: words that seldom name a subject (`suggest`, `lately`, `first`) count half as much as others. */
  readonly chunkTerms: readonly WeightedTerm[];
  /** Where the terms occur, in the order of `terms`. */
  readonly hits: SectionHits;
  /**
   * How much each word counts, by word key (`wordKeys`): its inverse document frequency over sections. A word found nowhere counts as if it were in one
   * section.
   */
  readonly weights: () => ReadonlyMap<string, number>;
  /** 0 to 1: the largest share of the message's weight found in one section. */
  readonly coverage: number;
}

/** Characters read at each end of a message: in a long message the request is at the beginning or the end. */
const mostRead = 4000;
/** How many words in a message are weighed, how many of those (the rarest) are searched for, and with how many terms at most. */
const mostWeighed = 400;
const mostWords = 40;
const mostTerms = 96;

/**
 * Finds the words in a message in the index. Redaction markers are skipped. `others`: other words for the same thing. Those that the memory has count like the message's own
 * (docs/decisions/0052); a word that only might have been used must not count as one that is missing.
 */
export async function queryOf(index: SearchIndex, message: string, others = ""): Promise<RecallQuery> {
  const text = withoutMarks(message, () => " ");
  const read = text.length <= 2 * mostRead ? text : `${text.slice(0, mostRead)}\n${text.slice(-mostRead)}`;
  const own = await withKnownForms(index, await rarest(index, eachOnce(tellingWords(read.toWellFormed()))));
  const known = await knownWords(index, others, own);
  const words = [...own, ...known];
  const terms = termsOf(own, known);
  const noHits: SectionHits = { rows: noSections, terms: [] };
  const hits = terms.length === 0 ? noHits : await index.sectionHits(terms, recallSources);
  // In "fix the login", a section that contains "fix" but not "login" is not relevant.
  const request = requestIn(read);
  const asked = own.filter(({ word }) => word.toLowerCase() !== request);
  const about = asked.length > 0 ? asked : own;
  const coverageOf = (of: readonly QueryWord[]): number => maxCoverage(foundWords(of, terms, hits));
  return {
    words: words.map(({ word }) => word),
    about,
    terms,
    chunkTerms: termsOf(weighted(own), known),
    hits,
    weights: once(() => weightsOf(words, foundWords(words, terms, hits))),
    coverage: Math.max(coverageOf(about), coverageOf(known)),
  };
}

/** The terms of a message's words, and of other words. A long message leaves room for the others. */
function termsOf(own: readonly QueryWord[], others: readonly QueryWord[]): readonly Weighted[] {
  const of = (words: readonly QueryWord[]): readonly Weighted[] =>
    joined(words.flatMap(({ any }) => any)).slice(0, mostTerms);
  return joined([...of(own), ...of(others)]);
}

/** The first of the other words that the message does not have and the memory does. */
async function knownWords(
  index: SearchIndex,
  others: string,
  own: readonly QueryWord[],
): Promise<readonly QueryWord[]> {
  const said = new Set(own.map(({ word }) => word.toLowerCase()));
  const read = withoutMarks(others.slice(0, mostRead), () => " ").toWellFormed();
  const words = eachOnce(tellingWords(read))
    .filter(({ word }) => !said.has(word.toLowerCase()))
    .slice(0, mostWords);
  if (words.length === 0) return [];
  const terms = termsOf([], words);
  const found = foundWords(words, terms, await index.sectionHits(terms, recallSources));
  return words.filter((_, at) =>
    [...(found[at]?.whole ?? []), ...(found[at]?.pieces ?? [])].some(({ ids }) => ids.length > 0),
  );
}

/** Halves the weights of words that seldom name a subject, if there are others. */
function weighted(words: readonly QueryWord[]): readonly QueryWord[] {
  if (words.every(isLittle)) return words;
  const halved = (term: Weighted): Weighted => ({ ...term, weight: Math.max(1, Math.floor(term.weight / 2)) });
  return words.map((one) => (isLittle(one) ? { ...one, any: one.any.map(halved) } : one));
}

function isLittle({ word }: QueryWord): boolean {
  return stopWords.has(word.toLowerCase());
}

function eachOnce(words: readonly QueryWord[]): readonly QueryWord[] {
  const first = words.toReversed().map((one) => [one.word.toLowerCase(), one] as const);
  return [...new Map(first).values()].toReversed();
}

/** How many unknown words are looked for in other forms, how many chunks are read for each, and how many forms are added. */
const mostUnknown = 4;
const chunksOfForm = 60;
const mostForms = 3;
/** Letters that a word shares with its other forms, and letters of the shortest word with other forms. */
const lettersShared = 3;
const shortestWord = 6;

/**
 * Adds other forms of the words that the memory does not have: words with one other letter (`recieve`); else compounds that begin with them, words that they
 * begin with and, with half of their weight, words that they end with.
 */
async function withKnownForms(index: SearchIndex, words: readonly QueryWord[]): Promise<readonly QueryWord[]> {
  const candidates = words.filter(({ word }) => word.length >= shortestWord && oneWord.test(word));
  if (candidates.length === 0) return words;
  const { rows, counts } = await index.frequencies(candidates.map(({ word }) => word));
  const unknown = candidates.filter((_, at) => counts[at] === 0).slice(0, mostUnknown);
  if (unknown.length === 0 || rows === 0) return words;
  const forms = new Map<QueryWord, readonly Weighted[]>();
  for (const one of unknown) forms.set(one, await knownForms(index, one.word.toLowerCase()));
  return words.map((one) => {
    const more = forms.get(one) ?? [];
    return more.length === 0 ? one : { ...one, any: joined([...one.any, ...more]) };
  });
}

/** Looks among words with the same beginning, first with a long one, because in a large memory many words share a short one. */
async function knownForms(index: SearchIndex, word: string): Promise<readonly Weighted[]> {
  const asTerms = (texts: readonly string[], weight: number): readonly Weighted[] =>
    texts.slice(0, mostForms).map((text) => ({ kind: "word", text, weight }));
  const lengths = [word.length - 1, Math.ceil(word.length / 2) + 1, lettersShared];
  let whole: readonly string[] = [];
  for (const length of new Set(lengths)) {
    const any = [{ kind: "prefix", text: word.slice(0, length), weight: 1 } as const];
    const found = await index.find({ ...recallSources, any, limit: chunksOfForm });
    const rows = await index.rows(
      "chunk",
      found.map(({ id }) => id),
    );
    const said = rows.flatMap(({ text }) => rawWords(text).map((other) => other.toLowerCase()));
    const { typos, compounds } = otherForms(word, new Set(said.filter((other) => !stopWords.has(other))));
    if (typos.length > 0) return asTerms(typos, 2);
    if (whole.length === 0) whole = compounds;
  }
  const ends = endsOf(word).filter((end) => !stopWords.has(end));
  const { counts } = await index.frequencies(ends);
  const end = ends.find((_, at) => (counts[at] ?? 0) > 0);
  return joined([...asTerms(whole, 2), ...asTerms(end === undefined ? [] : [end], 1)]);
}

const oneWord = /^\p{Script=Latin}+$/u;

async function rarest(index: SearchIndex, words: readonly QueryWord[]): Promise<readonly QueryWord[]> {
  if (words.length <= mostWords) return words;
  const weighed = words.slice(0, mostWeighed);
  const texts = weighed.map(({ word }) => word);
  const { counts } = await index.frequencies(texts);
  // A word found nowhere ranks last, but its parts may still match.
  const rarity = (at: number): number => counts[at] || Number.POSITIVE_INFINITY;
  const best = [...weighed.keys()].toSorted((a, b) => (rarity(a) === rarity(b) ? a - b : rarity(a) - rarity(b)));
  const kept = new Set(best.slice(0, mostWords));
  return weighed.filter((_, at) => kept.has(at));
}

/** Each word, the sections that contain it, and how rare it is. */
function foundWords(
  words: readonly QueryWord[],
  terms: readonly WeightedTerm[],
  { rows, terms: found }: SectionHits,
): readonly FoundWord[] {
  const known = new Map(terms.map(({ kind, text }, at) => [`${kind} ${text}`, found[at]]));
  return words.map(({ any }) => {
    const sections = any.map(({ kind, text }) => ({ kind, of: known.get(`${kind} ${text}`) ?? noSections }));
    const whole = sections.filter(({ kind }) => kind !== "part").map(({ of }) => of);
    const pieces = sections.filter(({ kind }) => kind === "part").map(({ of }) => of);
    // A word found nowhere may be a typo, so it is only as rare as a word in one section.
    const most = greatest([1, ...sections.map(({ of }) => of.ids.length)]);
    return { weight: messageRarity(most, rows.ids.length), whole, pieces };
  });
}

function weightsOf(words: readonly QueryWord[], found: readonly FoundWord[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [at, { word }] of words.entries())
    for (const key of wordKeys(word)) weights.set(key, Math.max(found[at]?.weight ?? 0, weights.get(key) ?? 0));
  return weights;
}
