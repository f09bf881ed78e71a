import { sameWord } from "./same-word.ts";
import { formWords } from "./stop-words.ts";
import { runsOf, type Word } from "./words.ts";

/** One mention of something that a text names. */
export interface Term {
  /** As it stands in the text. */
  readonly shown: string;
  readonly key: string;
  /** Keys of its words. */
  readonly parts: readonly string[];
  /** How much one mention says. */
  readonly salience: number;
  /** `name`: written as one, with capitals; `pair`: words that stand side by side; `lone`: two words between breaks. */
  readonly kind: "word" | "name" | "pair" | "lone" | "quantity";
}

interface Token {
  readonly word: Word;
  readonly from: number;
  readonly to: number;
  /** Where the next word must begin to belong to it; -1 where a particle or punctuation ends what is named. */
  readonly next: number;
  readonly place: "first" | "inside";
}

/** `example.com/docs` → the host; dates and times name nothing. */
const addresses = /\bhttps?:\/\/(?:www\.)?([^\s/?#<>()[\]"'`]+)[^\s<>()[\]"'`]*/gu;
const dates =
  /\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\d{1,2}월(?: ?\d{1,2}일)?\p{Script=Hangul}*|\d{1,2}[月](?:\d{1,2}[日号])?|\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gu;
const folders = /(?<![\p{L}\p{N}])(?:[\w.@-]*\/)+(?=[\w-]+\.[A-Za-z]{1,5}\b)/gu;
const quantity =
  /(?<![\p{L}\p{N}.,:-])(?:[$€£¥₩]\s?\d+(?:\.\d+)?[kKmM]?|\d+(?:\.\d+)?\s?(?:%|‰|€|£|°C|°F|ms|min|minutes?|hours?|hrs?|seconds?|secs?|days?|weeks?|months?|years?|[KMGT]i?B|kB|kg|km|cm|mm|ml|mg|GHz|MHz|rps|qps|fps|px|USD|EUR|원|만 ?원|억 ?원|개월|시간|분|초|명|건|円|万円|人|件|毫秒|秒|分|元|万元|万|[kKM])(?![\p{L}\p{N}]))(?![.,]\d)/gu;

/** Characters of a line that are read for phrases. */
const longestLine = 16_000;

/** Everything that a line names: its words, and the phrases in which they belong together. */
export function termsOf(line: string): readonly Term[] {
  const terms: Term[] = [];
  let text = line.length > longestLine ? line.slice(0, longestLine) : line;
  if (text.includes("[REDACTED:")) text = text.replaceAll("[REDACTED:", " , ");
  if (text.includes("/")) text = text.replaceAll(addresses, " $1 ").replaceAll(folders, " ");
  if (/\d/u.test(text))
    text = text.replaceAll(dates, " , ").replaceAll(quantity, (amount) => {
      terms.push(amountOf(amount.trim()));
      return " , ";
    });
  for (const segment of segmentsOf(text)) {
    for (const { word, place } of segment)
      terms.push({
        ...word,
        key: sameWord(word.key),
        parts: [sameWord(word.key)],
        salience: telling(word, place),
        kind: "word",
      });
    terms.push(...phrasesOf(segment, text));
  }
  return terms;
}

function amountOf(shown: string): Term {
  const key = shown.toLowerCase().replaceAll(" ", "");
  return { shown, key, parts: [key], salience: 1.3, kind: "quantity" };
}

/**
 * Stretches of words that name something, with nothing but one space between them: function words, verbs of the log's form and punctuation break them
 * (the candidates of RAKE; Rose, Engel, Cramer and Cowley 2010).
 */
function segmentsOf(text: string): readonly (readonly Token[])[] {
  const segments: Token[][] = [];
  let end = -1;
  for (const { raw, from, words } of runsOf(text)) {
    const place = placeOf(text, from);
    let at = from;
    for (const word of words) {
      const start = text.indexOf(word.shown, at);
      if (isFormal(word) || start < 0) continue;
      at = start + word.shown.length;
      const next = at === from + raw.length && words.length === 1 ? at + 1 : -1;
      const token: Token = { word, from: start, to: at, next, place };
      const repeats = segments.at(-1)?.some((other) => sameWord(other.word.key) === sameWord(word.key)) === true;
      if (start === end && text[start - 1] === " " && !repeats) segments.at(-1)?.push(token);
      else segments.push([token]);
      end = next;
    }
  }
  return segments;
}

/** Whether a sentence or an item begins here. */
function placeOf(text: string, from: number): Token["place"] {
  const before = text.charCodeAt(from - 2);
  // Behind a letter and a space nothing begins; most words stand so.
  if (from > 1 && (before | 32) >= 97 && (before | 32) <= 122 && text[from - 1] === " ") return "inside";
  return beginning.test(text.slice(Math.max(0, from - 12), from)) ? "first" : "inside";
}

const beginning = /(?:^|[.!?:。！？]["”')]*)\s*(?:[-*+•>]\s+|#+\s+|\[[ xX]\]\s+)*["“'(*]*$/u;

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

function phrasesOf(segment: readonly Token[], text: string): readonly Term[] {
  const found: Term[] = [];
  const plain = (from: number, count: number): boolean =>
    !segment
      .slice(from, from + count)
      .some(({ word }, at) => isInflected(word.shown, at === count - 1 ? "last" : "before"));
  for (let index = 0; index < segment.length; index++) {
    const name = capitalsFrom(segment, index);
    if (name > 1 && plain(index, 1) && !(index > 0 && isCapital(segment[index - 1])))
      found.push(phrase(segment.slice(index, index + name), text, "name"));
    if (index + 1 < segment.length && plain(index, 2))
      found.push(phrase(segment.slice(index, index + 2), text, "pair"));
    if (index + 2 < segment.length && plain(index, 3))
      found.push(phrase(segment.slice(index, index + 3), text, "pair"));
  }
  const alone = segment.length === 2 || (segment.length === 3 && segment.every(({ word }) => isEastAsian(word.shown)));
  if (alone && plain(0, segment.length)) found.push(phrase(segment, text, "lone"));
  return found;
}

/** How many words from here on begin with a capital: `San Francisco`, `Token Bucket`. At most four. */
function capitalsFrom(segment: readonly Token[], index: number): number {
  let count = 0;
  while (count < 4 && isCapital(segment[index + count])) count += 1;
  return count;
}

function isCapital(token: Token | undefined): boolean {
  return token !== undefined && /^\p{Lu}/u.test(token.word.shown);
}

function isEastAsian(word: string): boolean {
  return /[\p{Script=Hangul}\p{Script=Han}\p{Script=Katakana}]/u.test(word);
}

/** Verb forms make no noun phrase with their neighbour; `-ing` does at its end (`rate limiting`). */
function isInflected(word: string, place: "last" | "before"): boolean {
  if (place === "before" && /^[A-Za-z][a-z]+ing$/u.test(word)) return true;
  return (
    /^[A-Za-z][a-z]+(?:ed|ize|ise|ify)$/u.test(word) || (!isEastAsian(word) && !/^[\p{L}\p{M}\p{N}._-]+$/u.test(word))
  );
}

function phrase(tokens: readonly Token[], text: string, kind: "name" | "pair" | "lone"): Term {
  const parts = tokens.map(({ word }) => sameWord(word.key));
  const shown = text.slice(tokens[0]?.from ?? 0, tokens.at(-1)?.to ?? 0);
  const salience =
    Math.max(...tokens.map(({ word, place }) => telling(word, place))) + (kind === "name" ? 0.5 : 0.1 * tokens.length);
  return { shown, key: parts.join(" "), parts, salience, kind };
}

/**
 * Identifiers, names and versions say more than general words; the past and present forms of verbs say less. A capital at the beginning of a sentence
 * says nothing.
 */
function telling({ shown, salience }: Word, place: Token["place"]): number {
  if (isEastAsian(shown)) return salience;
  if (/\p{Ll}\p{Lu}|[._]\w|\p{L}\d|\d\p{L}/u.test(shown)) return salience + 0.6;
  if (/^\p{Lu}{2,}s?$/u.test(shown)) return salience + 0.4;
  const own = place === "first" && /^\p{Lu}/u.test(shown) ? salience - 0.5 : salience;
  const plain = place === "first" || /^\p{Ll}/u.test(shown);
  if (plain && /^[A-Za-z][a-z]+(?:ed|ize|ise|ify)$/u.test(shown)) return own * 0.35;
  return plain && /^[A-Za-z][a-z]{5,}ing$/u.test(shown) ? own * 0.75 : own;
}
