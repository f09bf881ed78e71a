import { StretchCache, sameWord, wordIn, type Word } from "./words.ts";
import { formWords } from "../words/stop-words.ts";

/** One mention of something that a text names. */
export interface KeywordTerm {
  /** As it stands in the text. */
  readonly shown: string;
  readonly key: string;
  /** Keys of its words. */
  readonly parts: readonly string[];
  /** How much one mention says. */
  readonly salience: number;
  /** `name`: written as one, with capitals; `pair`: words that stand side by side; `lone`: two words between breaks. */
  readonly kind: "word" | "name" | "pair" | "lone";
}

/** Everything that follows from a word alone. */
export interface Traits {
  readonly word: Word;
  readonly same: string;
  /** As a term: at the beginning of a sentence or an item, and inside of it. */
  readonly first: KeywordTerm;
  readonly inside: KeywordTerm;
  readonly capital: boolean;
  readonly eastAsian: boolean;
  /** Whether it may end a phrase, and whether it may stand in one before its end. */
  readonly ends: boolean;
  readonly leads: boolean;
}

/** A word of a script with spaces, in the run of letters in which it was found. */
interface RunTraits {
  readonly traits: Traits;
  /** Where the word begins in the run. */
  readonly offset: number;
  /** Whether nothing stands in the run behind the word. */
  readonly whole: boolean;
}

/** Words come again and again; forgetting them changes no result. */
const ofRuns = new StretchCache<RunTraits | null>(14);
const ofWords = new StretchCache<Traits | null>(12);

/** What the run of letters names that stands in a text from a place to another; `null` for function words and words of the log's form. */
export function traitsOfRun(text: string, from: number, to: number): RunTraits | null {
  return ofRuns.get(text, from, to, describeRun);
}

function describeRun(raw: string): RunTraits | null {
  const word = wordIn(raw, 0, raw.length);
  const traits = word === null ? null : traitsOf(word);
  const offset = traits === null ? -1 : raw.indexOf(traits.word.shown);
  if (traits === null || offset < 0) return null;
  return { traits, offset, whole: offset + traits.word.shown.length === raw.length };
}

/** What follows from a word; `null` for words of the log's form. */
export function traitsOf(word: Word): Traits | null {
  return ofWords.get(word.shown, 0, word.shown.length, () => (isFormal(word) ? null : describe(word)));
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

/** Words that tell nothing of an entry: those of its form, adverbs, bare numbers. */
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

/** Verb forms make no noun phrase with their neighbour; `-ing` does at its end (`rate limiting`). */
function isInflected(word: string): boolean {
  return (
    /^[A-Za-z][a-z]+(?:ed|ize|ise|ify)$/u.test(word) || (!isEastAsian(word) && !/^[\p{L}\p{M}\p{N}._-]+$/u.test(word))
  );
}

/**
 * Identifiers, names and versions say more than general words; the past and present forms of verbs say less. A capital at the beginning of a sentence
 * says nothing.
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
