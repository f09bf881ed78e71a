import { greatest } from "../../base/lists.ts";
import { traitsOf, traitsOfRun, type KeywordTerm, type Traits } from "./traits.ts";
import { isEastAsianText, runEnd, runStart, runsOf } from "./words.ts";

/** A word at its position. */
interface Token {
  readonly traits: Traits;
  readonly term: KeywordTerm;
  readonly from: number;
  readonly to: number;
}

/** Words separated by single spaces only. */
type Segment = readonly Token[];

/** The words of a line, without URLs, dates and amounts, which mean nothing without their noun. */
interface ReadLine {
  readonly text: string;
  readonly segments: readonly Segment[];
}

const addresses = /\bhttps?:\/\/[^\s<>()[\]"'`]+/gu;
const dates =
  /\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\d{1,2}월(?: ?\d{1,2}일)?\p{Script=Hangul}*|\d{1,2}[月](?:\d{1,2}[日号])?|\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gu;
const folders = /(?<![\p{L}\p{N}_.@/-])(?:[\w.@-]*\/)+(?=[\w-]+\.[A-Za-z]{1,5}\b)/gu;
const quantity =
  /(?<![\p{L}\p{N}.,:-])(?:[$€£¥₩]\s?\d+(?:\.\d+)?[kKmM]?|\d+(?:\.\d+)?\s?(?:%|‰|€|£|°C|°F|ms|min|minutes?|hours?|hrs?|seconds?|secs?|days?|weeks?|months?|years?|[KMGT]i?B|kB|kg|km|cm|mm|ml|mg|GHz|MHz|rps|qps|fps|px|USD|EUR|원|만 ?원|억 ?원|개월|시간|분|초|명|건|円|万円|人|件|毫秒|秒|分|元|万元|万|[kKM])(?![\p{L}\p{N}]))(?![.,]\d)/gu;

/** Characters of a line that are searched for phrases. */
const longestLine = 16_000;

export function readLine(line: string): ReadLine {
  let text = line.length > longestLine ? line.slice(0, longestLine) : line;
  if (text.includes("[REDACTED:")) text = text.replaceAll("[REDACTED:", " , ");
  if (text.includes("/")) text = text.replaceAll(addresses, " , ").replaceAll(folders, " ");
  if (/\d/u.test(text)) text = text.replaceAll(dates, " , ").replaceAll(quantity, " , ");
  return { text, segments: segmentsOf(text) };
}

/**
 * Splits a text into segments of content words, broken by function words, structural verbs and punctuation (the
 * candidates of RAKE; Rose, Engel, Cramer and Cowley 2010).
 */
function segmentsOf(text: string): readonly Segment[] {
  return isEastAsianText(text) ? compoundSegments(text) : spacedSegments(text);
}

function spacedSegments(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  const tokens: Token[] = [];
  let begin = 0;
  let end = -1;
  let to = 0;
  for (let from = runStart(text, 0); from < text.length; from = runStart(text, to)) {
    to = runEnd(text, from);
    const run = traitsOfRun(text, from, to);
    if (run === null) continue;
    const { traits, offset, whole } = run;
    const start = from + offset;
    const token = tokenAt(traits, start, isFirst(text, from) ? traits.first : traits.inside);
    if (start !== end || text.charCodeAt(start - 1) !== space || repeats(tokens, begin, traits)) {
      if (tokens.length > begin) segments.push(tokens.slice(begin));
      begin = tokens.length;
    }
    tokens.push(token);
    end = whole ? token.to + 1 : -1;
  }
  if (tokens.length > begin) segments.push(tokens.slice(begin));
  return segments;
}

const space = 32;

function compoundSegments(text: string): readonly Segment[] {
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
      const token = tokenAt(traits, start, first ? traits.first : traits.inside);
      const current = segments.at(-1) ?? [];
      if (start === end && text[start - 1] === " " && !repeats(current, 0, traits)) current.push(token);
      else segments.push([token]);
      end = at === from + raw.length && words.length === 1 ? at + 1 : -1;
    }
  }
  return segments;
}

function tokenAt(traits: Traits, from: number, term: KeywordTerm): Token {
  return { traits, term, from, to: from + traits.word.shown.length };
}

/** Whether the tokens from `begin` on already contain the word. */
function repeats(tokens: readonly Token[], begin: number, { same }: Traits): boolean {
  for (let at = begin; at < tokens.length; at++) if (tokens[at]?.traits.same === same) return true;
  return false;
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

/** How many words from here on are capitalized, at most four: `San Francisco`, `Token Bucket`. */
function capitalsFrom(segment: Segment, index: number): number {
  let count = 0;
  while (count < 4 && segment[index + count]?.traits.capital === true) count += 1;
  return count;
}

/** Joins words of a segment into one term. */
function phrase(tokens: Segment, text: string, kind: "name" | "pair" | "lone"): KeywordTerm {
  const parts = tokens.map(({ traits }) => traits.same);
  const shown = text.slice(tokens[0]?.from ?? 0, tokens.at(-1)?.to ?? 0);
  const salience = greatest(tokens.map(({ term }) => term.salience)) + (kind === "name" ? 0.5 : 0.1 * tokens.length);
  return { shown, key: parts.join(" "), parts, salience, kind };
}

/** How often a term occurs, and the total weight. */
export interface Mentions {
  /** Order of first mention among all terms. */
  readonly order: number;
  count: number;
  mass: number;
}

/** A counted word, with a number that identifies it in phrases. */
export interface CountedWord extends Mentions {
  readonly term: KeywordTerm;
  readonly id: number;
}

/** A counted phrase, with its first mention. */
export interface CountedPhrase extends Mentions {
  readonly kind: "name" | "pair" | "lone";
  readonly reading: Reading;
  readonly index: number;
  readonly length: number;
}

/** A sequence of words and its phrase, if counted. */
interface Sequence {
  readonly id: number;
  name: CountedPhrase | undefined;
  pair: CountedPhrase | undefined;
  lone: CountedPhrase | undefined;
}

/** The segment being read. */
interface Reading {
  readonly segment: Segment;
  readonly words: readonly CountedWord[];
  readonly text: string;
  readonly mass: number;
  /** Weight of a first mention. */
  readonly firstMass: number;
}

/** Counts phrases of segments. Most occur once and cost no more than their position until needed. */
export class PhraseCounts {
  readonly #sequences = new Map<number, Sequence>();
  readonly #found: CountedPhrase[] = [];
  readonly #order: () => number;

  /** `order` returns the next position among all terms. */
  constructor(order: () => number) {
    this.#order = order;
  }

  /** All phrases in order of first mention. */
  get found(): readonly CountedPhrase[] {
    return this.#found;
  }

  add(reading: Reading): void {
    const { segment } = reading;
    const last = segment.length - 1;
    for (let index = 0; index <= last; index++) {
      const { traits } = segment[index] ?? {};
      if (traits === undefined) break;
      if (traits.capital && traits.ends && segment[index - 1]?.traits.capital !== true) {
        const name = capitalsFrom(segment, index);
        if (name > 1) this.#count("name", this.#sequence(reading, index, name), reading, index, name);
      }
      if (index < last && traits.leads) this.#pairsFrom(reading, index);
    }
    const alone = last === 1 || (last === 2 && segment.every(({ traits }) => traits.eastAsian));
    if (alone && isPlain(segment))
      this.#count("lone", this.#sequence(reading, 0, segment.length), reading, 0, segment.length);
  }

  /** Counts pairs and triples that start here with a word that may lead a phrase. */
  #pairsFrom(reading: Reading, index: number): void {
    const { segment, words } = reading;
    const [first, second, third] = [words[index], words[index + 1], words[index + 2]];
    const next = segment[index + 1]?.traits;
    if (first === undefined || second === undefined || next?.ends !== true) return;
    const two = this.#next(first.id, second.id);
    this.#count("pair", two, reading, index, 2);
    if (third !== undefined && next.leads && segment[index + 2]?.traits.ends === true)
      this.#count("pair", this.#next(two.id, third.id), reading, index, 3);
  }

  #sequence({ words }: Reading, index: number, length: number): Sequence {
    let sequence = this.#next(words[index]?.id ?? 0, words[index + 1]?.id ?? 0);
    for (let at = index + 2; at < index + length; at++) sequence = this.#next(sequence.id, words[at]?.id ?? 0);
    return sequence;
  }

  /** The sequence of a word or sequence and the next word. */
  #next(before: number, word: number): Sequence {
    const key = keyOf(before, word);
    const known = this.#sequences.get(key);
    if (known !== undefined) return known;
    const id = -1 - this.#sequences.size;
    const sequence: Sequence = { id, name: undefined, pair: undefined, lone: undefined };
    this.#sequences.set(key, sequence);
    return sequence;
  }

  #count(kind: CountedPhrase["kind"], sequence: Sequence, reading: Reading, index: number, length: number): void {
    const known = sequence[kind];
    if (known !== undefined) {
      known.count += 1;
      known.mass += reading.mass;
      return;
    }
    const order = this.#order();
    const found: CountedPhrase = { kind, reading, index, length, order, count: 1, mass: reading.firstMass };
    sequence[kind] = found;
    this.#found.push(found);
  }
}

/** The phrase as first seen. */
export function termOfPhrase({ kind, reading, index, length }: CountedPhrase): KeywordTerm {
  return phrase(reading.segment.slice(index, index + length), reading.text, kind);
}

export function wordsOf({ reading, index, length }: CountedPhrase): readonly CountedWord[] {
  return reading.words.slice(index, index + length);
}

function isPlain(segment: Segment): boolean {
  return segment.every(({ traits }, at) => (at === segment.length - 1 ? traits.ends : traits.leads));
}

/** One number for a predecessor and a word. Sequences are negative, words are not; small while both are. */
function keyOf(before: number, word: number): number {
  const one = before < 0 ? -2 * before - 1 : 2 * before;
  return one < 16_384 && word < 65_536 ? one * 65_536 + word : -(one * 2 ** 24 + word);
}
