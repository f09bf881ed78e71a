import { once } from "../../base/lines.ts";
import { greatest } from "../../base/lists.ts";
import { formWords } from "../words/stop-words.ts";
import { runsOf, sameWord, type Word } from "./words.ts";

/** One mention of a term. */
export interface KeywordTerm {
  /** As written in the text. */
  readonly shown: string;
  readonly key: string;
  /** Keys of its words. */
  readonly parts: readonly string[];
  /** The weight of one mention. */
  readonly salience: number;
  /** `name`: capitalized words; `pair`: adjacent words; `lone`: words alone between breaks. */
  readonly kind: "word" | "name" | "pair" | "lone";
}

/** Properties that depend only on the word. */
interface Traits {
  readonly word: Word;
  readonly same: string;
  /** The term at the start of a sentence or item (`first`), and elsewhere (`inside`). */
  readonly first: KeywordTerm;
  readonly inside: KeywordTerm;
  readonly capital: boolean;
  readonly eastAsian: boolean;
  /** Whether it may end a phrase (`ends`), and whether it may come before the last word (`leads`). */
  readonly ends: boolean;
  readonly leads: boolean;
}

const known = new WeakMap<Word, Traits | null>();

/** The traits of a word; `null` for structural words. */
function traitsOf(word: Word): Traits | null {
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

/** Whether a word says nothing about an entry: structural words, adverbs, bare numbers. */
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

/** Whether a word is a verb form, which cannot be part of a noun phrase. Forms in `-ing` may end one: `rate limiting`. */
function isInflected(word: string): boolean {
  return (
    /^[A-Za-z][a-z]+(?:ed|ize|ise|ify)$/u.test(word) || (!isEastAsian(word) && !/^[\p{L}\p{M}\p{N}._-]+$/u.test(word))
  );
}

/**
 * The weight of a mention: identifiers, names and versions weigh more than general words, verb forms less. A capital at
 * the start of a sentence does not count.
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

/** A word at its position. */
interface Token {
  readonly traits: Traits;
  readonly term: KeywordTerm;
  readonly from: number;
  readonly to: number;
}

/** Words separated by single spaces only. */
type Segment = readonly Token[];

/** The words in a line, without URLs, dates and amounts. */
interface ReadLine {
  readonly text: string;
  readonly segments: readonly Segment[];
}

const addresses = /\bhttps?:\/\/[^\s<>()[\]"'`]+/gu;
const dates = once(
  () =>
    /\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\d{1,2}월(?: ?\d{1,2}일)?\p{Script=Hangul}*|\d{1,2}[月](?:\d{1,2}[日号])?|\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gu,
);
const folders = once(() => /(?<![\p{L}\p{N}_.@/-])(?:[\w.@-]*\/)+(?=[\w-]+\.[A-Za-z]{1,5}\b)/gu);
const quantity = once(
  () =>
    /(?<![\p{L}\p{N}.,:-])(?:[$€£¥₩]\s?\d+(?:\.\d+)?[kKmM]?|\d+(?:\.\d+)?\s?(?:%|‰|€|£|°C|°F|ms|min|minutes?|hours?|hrs?|seconds?|secs?|days?|weeks?|months?|years?|[KMGT]i?B|kB|kg|km|cm|mm|ml|mg|GHz|MHz|rps|qps|fps|px|USD|EUR|원|만 ?원|억 ?원|개월|시간|분|초|명|건|円|万円|人|件|毫秒|秒|分|元|万元|万|[kKM])(?![\p{L}\p{N}]))(?![.,]\d)/gu,
);

/** How many characters of a line are searched for phrases. */
const longestLine = 16_000;

export function readLine(line: string): ReadLine {
  let text = line.length > longestLine ? line.slice(0, longestLine) : line;
  if (text.includes("[REDACTED:")) text = text.replaceAll("[REDACTED:", " , ");
  if (text.includes("/")) text = text.replaceAll(addresses, " , ").replaceAll(folders(), " ");
  if (/\d/u.test(text)) text = text.replaceAll(dates(), " , ").replaceAll(quantity(), " , ");
  return { text, segments: segmentsOf(text) };
}

/**
 * Splits a text into segments of content words, broken by function words, structural verbs and punctuation (the
 * candidates of RAKE; Rose, Engel, Cramer and Cowley 2010).
 */
function segmentsOf(text: string): readonly Segment[] {
  const segments: Token[][] = [];
  let end = -1;
  for (const { raw, from, words } of runsOf(text)) {
    const first = isFirst(text, from);
    let at = from;
    for (const word of words) {
      const traits = traitsOf(word);
      const start = traits === null ? -1 : text.indexOf(word.shown, at);
      if (traits === null || start < 0) continue;
      at = start + word.shown.length;
      const token = { traits, term: first ? traits.first : traits.inside, from: start, to: at };
      const current = segments.at(-1) ?? [];
      if (start === end && text[start - 1] === " " && !repeats(current, traits)) current.push(token);
      else segments.push([token]);
      end = at === from + raw.length && words.length === 1 ? at + 1 : -1;
    }
  }
  return segments;
}

function repeats(tokens: readonly Token[], { same }: Traits): boolean {
  return tokens.some(({ traits }) => traits.same === same);
}

/** Whether a sentence or an item starts here. */
function isFirst(text: string, from: number): boolean {
  if (from === 0) return true;
  const before = text.charCodeAt(from - 2);
  // A fast path for the common case: a letter and a space before the word.
  if (from > 1 && (before | 32) >= 97 && (before | 32) <= 122 && text[from - 1] === " ") return false;
  return beginning.test(text.slice(Math.max(0, from - 12), from));
}

const beginning = /(?:^|[.!?:。！？]["”')]*)\s*(?:[-*+•>]\s+|#+\s+|\[[ xX]\]\s+)*["“'(*]*$/u;

/** The number of capitalized words from `index` on, at most four: `San Francisco`, `Token Bucket`. */
function capitalsFrom(segment: Segment, index: number): number {
  let count = 0;
  while (count < 4 && segment[index + count]?.traits.capital === true) count += 1;
  return count;
}

interface Phrase {
  readonly kind: "name" | "pair" | "lone";
  readonly from: number;
  readonly to: number;
}

export function phrasesIn(segment: Segment): readonly Phrase[] {
  const phrases: Phrase[] = [];
  const add = (kind: Phrase["kind"], from: number, length: number): void =>
    void phrases.push({ kind, from, to: from + length });
  for (const [index, { traits }] of segment.entries()) {
    const [next, third] = [segment[index + 1]?.traits, segment[index + 2]?.traits];
    if (traits.capital && traits.ends && segment[index - 1]?.traits.capital !== true) {
      const name = capitalsFrom(segment, index);
      if (name > 1) add("name", index, name);
    }
    if (!traits.leads || next?.ends !== true) continue;
    add("pair", index, 2);
    if (next.leads && third?.ends === true) add("pair", index, 3);
  }
  const alone = segment.length === 2 || (segment.length === 3 && segment.every(({ traits }) => traits.eastAsian));
  const isPlain = segment.every(({ traits }, at) => (at === segment.length - 1 ? traits.ends : traits.leads));
  if (alone && isPlain) add("lone", 0, segment.length);
  return phrases;
}

/** The term for a phrase of these words. */
export function termOfPhrase(kind: Phrase["kind"], tokens: Segment, text: string): KeywordTerm {
  const parts = tokens.map(({ traits }) => traits.same);
  const shown = text.slice(tokens[0]?.from ?? 0, tokens.at(-1)?.to ?? 0);
  const salience = greatest(tokens.map(({ term }) => term.salience)) + (kind === "name" ? 0.5 : 0.1 * tokens.length);
  return { shown, key: parts.join(" "), parts, salience, kind };
}
