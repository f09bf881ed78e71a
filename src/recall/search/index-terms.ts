import type { QueryTerm } from "../query/parse-query.ts";
import { englishStem } from "../../text/words/index-terms.ts";
import { termsOfBeginning, termsOfPhrase, termsOfQuery } from "../../text/words/query.ts";
import type { IndexTerm, WeightedTerm } from "../index/search-index.ts";

/** What the index is asked for. */
export interface IndexTerms {
  /** By the words of the query, in their order. */
  readonly any: readonly WordTerms[];
  readonly all: readonly IndexTerm[];
  readonly none: readonly IndexTerm[];
  /** Beginnings for which the index is asked for a shorter one: what it finds is to be looked at. */
  readonly widened: readonly QueryTerm[];
}

export interface WordTerms {
  /** As it stands in the query. */
  readonly word: string;
  readonly terms: readonly WeightedTerm[];
}

/** More alternatives cost more than they find. */
const mostTerms = 160;
/** How many times a beginning and a phrase count; a word counts twice. */
const weightOfBeginning = 2;
const weightOfPhrase = 3;

/** The terms of a query. Words that say little are left out when others say more; those that must be there stay. */
export function indexTermsOf(terms: readonly QueryTerm[]): IndexTerms {
  const wanted = terms.filter(({ use }) => use !== "not").map((term) => ({ term, words: wordsOf(term) }));
  return {
    any: lightest(firstOf(telling(wanted.flatMap(({ words }) => words)))),
    all: distinct(wanted.flatMap(({ term, words }) => (term.use === "must" ? words.flatMap(({ all }) => all) : []))),
    none: distinct(terms.filter(({ use }) => use === "not").flatMap(excludedBy)),
    widened: wanted.flatMap(({ term }) => (term.kind === "prefix" && widened(term.text) !== term.text ? [term] : [])),
  };
}

/**
 * The index takes the stem of a beginning too, and that of `pay` is `pai`, with which `payment` does not begin. The letters that both share are asked for
 * then.
 */
function widened(beginning: string): string {
  const stem = englishStem(beginning.toLowerCase());
  if (beginning.toLowerCase().startsWith(stem)) return beginning;
  let shared = 0;
  while (stem.charAt(shared) === beginning.charAt(shared).toLowerCase()) shared += 1;
  return beginning.slice(0, shared);
}

interface Word extends WordTerms {
  readonly carries: "much" | "little";
  readonly all: readonly IndexTerm[];
}

function wordsOf({ kind, text }: QueryTerm): readonly Word[] {
  if (kind === "word") return termsOfQuery(text).map((word) => ({ ...word, terms: word.any }));
  const all = kind === "phrase" ? termsOfPhrase(text) : termsOfBeginning(widened(text));
  const weight = kind === "phrase" ? weightOfPhrase : weightOfBeginning;
  const word = kind === "phrase" ? `"${text}"` : `${text}*`;
  return all.length === 0 ? [] : [{ word, carries: "much", terms: all.map((term) => ({ ...term, weight })), all }];
}

function telling(words: readonly Word[]): readonly Word[] {
  const much = words.filter(({ carries }) => carries === "much");
  return much.length > 0 ? much : words;
}

function firstOf(words: readonly Word[]): readonly WordTerms[] {
  const known = new Set<string>();
  return words.flatMap(({ word, terms }) => {
    const own = terms.filter((term) => !known.has(keyOf(term))).slice(0, mostTerms - known.size);
    for (const term of own) known.add(keyOf(term));
    return own.length === 0 ? [] : [{ word, terms: own }];
  });
}

/** Each time that a term counts costs as much as a term: of weights that are all even, half say the same. */
function lightest(words: readonly WordTerms[]): readonly WordTerms[] {
  const weights = words.flatMap(({ terms }) => terms.map(({ weight }) => weight));
  const by = [6, 5, 4, 3, 2].find((divisor) => weights.every((weight) => weight % divisor === 0));
  if (by === undefined) return words;
  return words.map(({ word, terms }) => ({
    word,
    terms: terms.map((term) => ({ ...term, weight: term.weight / by })),
  }));
}

/** Of a word that needs several terms together the longest stands for it: the index knows only "none of these". */
function excludedBy(term: QueryTerm): readonly IndexTerm[] {
  if (term.kind === "prefix") return termsOfBeginning(term.text);
  return telling(wordsOf(term)).flatMap(({ all }) => {
    const longest = all.toSorted((a, b) => b.text.length - a.text.length)[0];
    return longest === undefined ? [] : [longest];
  });
}

function distinct(terms: readonly IndexTerm[]): readonly IndexTerm[] {
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()];
}

function keyOf({ kind, text }: IndexTerm): string {
  return `${kind} ${text}`;
}
