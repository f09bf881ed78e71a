import { once } from "../../base/lines.ts";
import { withoutMarks } from "../../text/redact/span.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { recallSources, type SearchIndex, type SectionHits, type WeightedTerm } from "../index/search-index.ts";
import { maxCoverage, messageRarity, type FoundWord } from "../rank/scores.ts";
import { requestIn, tellingWords } from "../../text/words/courtesy.ts";
import { joined, type QueryWord } from "../../text/words/query.ts";
import { greatest } from "../../base/lists.ts";

/** A message as a query. */
export interface RecallQuery {
  /** Its meaningful words, in order; for a long message, the rarest. Empty for a message that is only courtesies ("thanks, go on") and function words. */
  readonly words: readonly string[];
  /** These words with their index terms, without the verb of a request. */
  readonly about: readonly QueryWord[];
  /** The index terms of these words, each once. */
  readonly terms: readonly WeightedTerm[];
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

/** Finds the words in a message in the index. Redaction markers are skipped. */
export async function queryOf(index: SearchIndex, message: string): Promise<RecallQuery> {
  const text = withoutMarks(message, () => " ");
  const read = text.length <= 2 * mostRead ? text : `${text.slice(0, mostRead)}\n${text.slice(-mostRead)}`;
  const words = await rarest(index, eachOnce(tellingWords(read.toWellFormed())));
  const terms = joined(words.flatMap(({ any }) => any)).slice(0, mostTerms);
  const noHits: SectionHits = { rows: new Map(), terms: [] };
  const hits = terms.length === 0 ? noHits : await index.sectionHits(terms, recallSources);
  const found = foundWords(words, terms, hits);
  // In "fix the login", a section that contains "fix" but not "login" is not relevant.
  const request = requestIn(read);
  const about = words.filter(({ word }) => word.toLowerCase() !== request);
  const asked = about.length > 0 ? about : words;
  return {
    words: words.map(({ word }) => word),
    about: asked,
    terms,
    hits,
    weights: once(() => weightsOf(words, found)),
    coverage: maxCoverage(asked === words ? found : foundWords(asked, terms, hits)),
  };
}

function eachOnce(words: readonly QueryWord[]): readonly QueryWord[] {
  const first = words.toReversed().map((one) => [one.word.toLowerCase(), one] as const);
  return [...new Map(first).values()].toReversed();
}

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
    const sections = any.map(({ kind, text }) => ({ kind, of: known.get(`${kind} ${text}`) ?? new Map() }));
    const whole = sections.filter(({ kind }) => kind !== "part").map(({ of }) => of);
    const pieces = sections.filter(({ kind }) => kind === "part").map(({ of }) => of);
    // A word found nowhere may be a typo, so it is only as rare as a word in one section.
    const most = greatest([1, ...sections.map(({ of }) => of.size)]);
    return { weight: messageRarity(most, rows.size), whole, pieces };
  });
}

function weightsOf(words: readonly QueryWord[], found: readonly FoundWord[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [at, { word }] of words.entries())
    for (const key of wordKeys(word)) weights.set(key, Math.max(found[at]?.weight ?? 0, weights.get(key) ?? 0));
  return weights;
}
