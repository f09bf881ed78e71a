import { isPlain } from "../../text/words/scripts.ts";
import {
  firstLettersOf,
  mayHave,
  wordsBeginningLike,
  type FirstLetters,
  partKey,
  rawWords,
  termOf,
} from "../../text/words/index-terms.ts";
import { isFunctionWord } from "../../text/words/function-words.ts";
import { partsOf } from "../../text/words/parts.ts";
import type { IndexTerm } from "../index/search-index.ts";

/** Statements are read again and again in a process that is asked again and again; forgetting their words changes no result. */
const knownStatements = new Map<string, readonly string[]>();
const mostStatements = 20_000;

/** The words of a statement as the index knows them, function words aside, and its parts of words. */
export function statementWords(text: string): readonly string[] {
  const found = knownStatements.get(text);
  if (found !== undefined) return found;
  if (knownStatements.size >= mostStatements) knownStatements.clear();
  const words = wordsOf(text, knownTerm);
  knownStatements.set(text, words);
  return words;
}

/** Texts whose words were looked at for one query alone. */
const seenOnce = new Set<string>();

/** The terms of a query, prepared to be looked for in many statements. */
interface LikeWords {
  readonly letters: FirstLetters;
  readonly words: RegExp;
  /** Parts of words stand in what is written without spaces, and in names. */
  readonly parts: "looked for" | "not looked for";
}

export function likeWords(stems: Iterable<string>): LikeWords {
  const all = [...stems];
  const parts = all.some((stem) => stem.startsWith(partKey(""))) ? "looked for" : "not looked for";
  return { letters: firstLettersOf(all), words: wordsBeginningLike(all), parts };
}

/**
 * As many words as `statementWords` gives; those that have another stem than all of a query may be any others that are none of them. None at all when no word is like
 * one of the query. Of a text that comes again they are all known: a stem takes longer than all else, and a process that asks once needs few.
 */
export function wordsLike(text: string, { letters, words, parts }: LikeWords): readonly string[] {
  if (parts === "not looked for" && isPlain(text) && text.search(words) < 0) return [];
  if (knownStatements.has(text) || seenOnce.has(text)) return statementWords(text);
  if (seenOnce.size >= mostStatements) seenOnce.clear();
  seenOnce.add(text);
  return wordsOf(text, (word) => (isLike(word, letters) ? knownTerm(word) : isKnownFunctionWord(word) ? "" : word));
}

function isLike(word: string, stems: FirstLetters): boolean {
  const [first, second] = [word.charCodeAt(0), word.charCodeAt(1)];
  return !(first <= lastAscii && second <= lastAscii) || mayHave(stems, first, second);
}

const lastAscii = 0x7f;

function wordsOf(text: string, termFor: (word: string) => string): readonly string[] {
  const words: string[] = [];
  for (const word of rawWords(text)) {
    const term = termFor(word);
    if (term !== "") words.push(term);
  }
  const parts = partsOf(text);
  return parts === "" ? words : [...words, ...parts.split(" ").map(partKey)];
}

/** The same of a term of a query. */
export function keyOfTerm({ kind, text }: IndexTerm): string {
  return kind === "part" ? partKey(text) : termOf(text);
}

/** Words come again and again; forgetting them changes no result. Empty for a function word. */
const known = new Map<string, string>();
const mostKnown = 50_000;

function knownTerm(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const term = isFunctionWord(word) ? "" : termOf(word);
  if (known.size >= mostKnown) known.clear();
  known.set(word, term);
  return term;
}

const knownFunctionWords = new Map<string, boolean>();

function isKnownFunctionWord(word: string): boolean {
  const found = knownFunctionWords.get(word);
  if (found !== undefined) return found;
  if (knownFunctionWords.size >= mostKnown) knownFunctionWords.clear();
  const is = isFunctionWord(word);
  knownFunctionWords.set(word, is);
  return is;
}
