import { once } from "../../base/lines.ts";
import { withoutMarks } from "../../text/redact/span.ts";
import { wordKeys } from "../../text/word-keys.ts";
import type { IndexFilter, SearchIndex, SectionHits, WeightedTerm } from "../index/search-index.ts";
import { maxCoverage, rarityOf, type FoundWord } from "../rank/scores.ts";
import { tellingWords } from "../../text/words/courtesy.ts";
import { type QueryWord } from "../../text/words/query.ts";
import type { Call } from "../../base/operation.ts";
import { greatest } from "../../base/lists.ts";

/** A message as it is looked for. */
export interface RecallQuery {
  /** What carries its sense, in its order; of a long one what is rarest. None of a message that asks nothing: of courtesy, going on, and function words alone. */
  readonly words: readonly string[];
  /** Under which these words are found, each once. */
  readonly terms: readonly WeightedTerm[];
  /** Where the terms stand, in their order. */
  readonly hits: SectionHits;
  /** How much a word says, by its key (`wordKeys`): its inverse document frequency over sections. Of words that stand nowhere it is that of the rarest. */
  readonly weights: () => ReadonlyMap<string, number>;
  /** 0 to 1: how much of what its words say the section has that has most. */
  readonly coverage: number;
}

/** What recall returns: no nodes, which repeat what the logs below them say. */
export const recallSources: IndexFilter = { kinds: ["raw", "thread", "knowledge", "memory"] };

/** Characters at the beginning and at the end of a message that are looked at; in a long one the ask stands at one of them. */
const mostRead = 4000;
/** Words of a message that are weighed, and those of them that are looked for: the rarest. */
const mostWeighed = 400;
const mostWords = 40;
const mostTerms = 96;

/** The words of a message, and where they occur. Marks that replace a secret are skipped. */
export async function queryOf(index: SearchIndex, message: string, call: Call): Promise<RecallQuery> {
  const text = withoutMarks(message, () => " ");
  const read = text.length <= 2 * mostRead ? text : `${text.slice(0, mostRead)}\n${text.slice(-mostRead)}`;
  const words = await rarest(index, eachOnce(tellingWords(read.toWellFormed())), call);
  const terms = termsOf(words);
  const hits = terms.length === 0 ? noHits : await index.sectionHits(terms, recallSources, call);
  const known = knownTerms(terms, hits);
  const stand = words.map((word) => standing(word, known, hits));
  return {
    words: words.map(({ word }) => word),
    terms,
    hits,
    weights: once(() => weightsOf(words, stand)),
    coverage: maxCoverage(stand),
  };
}

const noHits: SectionHits = { rows: new Map(), terms: [] };

function eachOnce(words: readonly QueryWord[]): readonly QueryWord[] {
  const seen = new Map<string, QueryWord>();
  for (const one of words) {
    const key = one.word.toLowerCase();
    if (!seen.has(key)) seen.set(key, one);
  }
  return [...seen.values()];
}

async function rarest(index: SearchIndex, words: readonly QueryWord[], call: Call): Promise<readonly QueryWord[]> {
  if (words.length <= mostWords) return words;
  const weighed = words.slice(0, mostWeighed);
  const { counts } = await index.frequencies(
    weighed.map(({ word }) => word),
    call,
  );
  const ranked = weighed.map((word, at) => ({ word, at, count: counts[at] ?? 0 }));
  // What stands nowhere finds nothing, unless its parts do.
  const known = ranked.toSorted(
    (a, b) => Number(a.count === 0) - Number(b.count === 0) || a.count - b.count || a.at - b.at,
  );
  const kept = new Set(known.slice(0, mostWords).map(({ word }) => word));
  return weighed.filter((word) => kept.has(word));
}

function termsOf(words: readonly QueryWord[]): readonly WeightedTerm[] {
  const terms = new Map<string, WeightedTerm>();
  for (const term of words.flatMap(({ any }) => any)) {
    const key = `${term.kind} ${term.text}`;
    if ((terms.get(key)?.weight ?? 0) < term.weight) terms.set(key, term);
  }
  return [...terms.values()].slice(0, mostTerms);
}

/** Where each term stands, by its kind and text. */
type KnownTerms = ReadonlyMap<string, ReadonlyMap<number, number>>;

function knownTerms(terms: readonly WeightedTerm[], { terms: found }: SectionHits): KnownTerms {
  return new Map(terms.map(({ kind, text }, at) => [`${kind} ${text}`, found[at] ?? new Map<number, number>()]));
}

/** A word, the sections in which it stands, and how rare it is. */
function standing({ any }: QueryWord, known: KnownTerms, { rows }: SectionHits): FoundWord {
  const sections = (kinds: "whole" | "pieces"): FoundWord["whole"] =>
    any
      .filter(({ kind }) => (kind === "part") === (kinds === "pieces"))
      .map(({ kind, text }) => known.get(`${kind} ${text}`) ?? new Map());
  const [whole, pieces] = [sections("whole"), sections("pieces")];
  // What stands nowhere is as rare as what stands once: it may be a slip.
  const most = greatest([1, ...[...whole, ...pieces].map(({ size }) => size)]);
  return { weight: rarityOf(most, rows.size), whole, pieces };
}

function weightsOf(words: readonly QueryWord[], stand: readonly FoundWord[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [at, { word }] of words.entries())
    for (const key of wordKeys(word)) weights.set(key, Math.max(stand[at]?.weight ?? 0, weights.get(key) ?? 0));
  return weights;
}
