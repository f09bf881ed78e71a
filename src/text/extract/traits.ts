import { sameWord, type Word } from "./words.ts";
import { formWords } from "../words/stop-words.ts";

/** One mention of a term. */
export interface KeywordTerm {
  /** As written in the text. */
  readonly shown: string;
  readonly key: string;
  /** Keys of its words. */
  readonly parts: readonly string[];
  /** The weight of one mention. */
  readonly salience: number;
  /** `name`: capitalized words; `pair`: adjacent words; `lone`: two words between breaks. */
  readonly kind: "word" | "name" | "pair" | "lone";
}

/** Everything that depends on the word alone. */
export interface Traits {
  readonly word: Word;
  readonly same: string;
  /** The term at the start of a sentence or item, and elsewhere. */
  readonly first: KeywordTerm;
  readonly inside: KeywordTerm;
  readonly capital: boolean;
  readonly eastAsian: boolean;
  /** Whether it may end a phrase, and whether it may come before the end of one. */
  readonly ends: boolean;
  readonly leads: boolean;
}

const known = new WeakMap<Word, Traits | null>();

/** The traits of a word; `null` for structural words. */
export function traitsOf(word: Word): Traits | null {
  let traits = known.get(word);
  if (traits === undefined) {
    traits = isFormal(word) ? null : describe(word);
    known.set(word, traits);
  }
  return traits;
}

function describe(word: Word): Traits {
  const { shown, key } = word;
  const same = sameWord(key);
  const term = (salience: number): KeywordTerm => ({ shown, key: same, parts: [same], salience, kind: "word" });
  const inside = term(telling(word, "inside"));
  const atFirst = telling(word, "first");
  const ends = !isInflected(shown);
  return {
    word,
    same,
    inside,
    first: atFirst === inside.salience ? inside : { ...inside, salience: atFirst },
    capital: /^\p{Lu}/u.test(shown),
    eastAsian: isEastAsian(shown),
    ends,
    leads: ends && !/^[A-Za-z][a-z]+ing$/u.test(shown),
  };
}

/** Words that say nothing about an entry: structural words, adverbs, bare numbers. */
function isFormal(word: Word): boolean {
  const lower = word.shown.toLowerCase();
  return (
    formWords.has(lower) ||
    formWords.has(word.key) ||
    /^(?=.{5,}$)(?!.*(?:family|reply|supply|assembly|anomaly|italy|monopoly)$)[a-z]+ly$/u.test(lower) ||
    /^[\d._-]+$/u.test(lower) ||
    lower.includes("'") ||
    lower.includes("’")
  );
}

function isEastAsian(word: string): boolean {
  return /[\p{Script=Hangul}\p{Script=Han}\p{Script=Katakana}]/u.test(word);
}

/** Verb forms do not start noun phrases; `-ing` may end one (`rate limiting`). */
function isInflected(word: string): boolean {
  return (
    /^[A-Za-z][a-z]+(?:ed|ize|ise|ify)$/u.test(word) || (!isEastAsian(word) && !/^[\p{L}\p{M}\p{N}._-]+$/u.test(word))
  );
}

/**
 * Identifiers, names and versions weigh more than general words, verb forms less. A capital at the start of a sentence
 * does not count.
 */
function telling({ shown, salience }: Word, place: "first" | "inside"): number {
  if (isEastAsian(shown)) return salience;
  if (/\p{Ll}\p{Lu}|[._]\w|\p{L}\d|\d\p{L}/u.test(shown)) return salience + 0.6;
  if (/^\p{Lu}{2,}s?$/u.test(shown)) return salience + 0.4;
  const own = place === "first" && /^\p{Lu}/u.test(shown) ? salience - 0.5 : salience;
  const plain = place === "first" || /^\p{Ll}/u.test(shown);
  if (plain && /^[A-Za-z][a-z]+(?:ed|ize|ise|ify)$/u.test(shown)) return own * 0.35;
  return plain && /^[A-Za-z][a-z]{5,}ing$/u.test(shown) ? own * 0.75 : own;
}
