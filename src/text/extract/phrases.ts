import { runEnd, runStart } from "./runs.ts";
import { traitsOf, traitsOfRun, type Term, type Traits } from "./traits.ts";
import { isEastAsianText, runsOf } from "./words.ts";
import { greatest } from "../../base/lists.ts";

/** A word in its place. */
export interface Token {
  readonly traits: Traits;
  readonly term: Term;
  readonly from: number;
  readonly to: number;
}

/** Words that stand side by side, with nothing but one space between them. */
export type Segment = readonly Token[];

/** What a line names: its quantities, and its words in the segments of the text that is left. */
export interface ReadLine {
  readonly text: string;
  readonly quantities: readonly Term[];
  readonly segments: readonly Segment[];
}

/** `example.com/docs` → the host; dates and times name nothing. */
const addresses = /\bhttps?:\/\/(?:www\.)?([^\s/?#<>()[\]"'`]+)[^\s<>()[\]"'`]*/gu;
const dates =
  /\b\d{4}-\d{2}(?:-\d{2})?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b|\d{1,2}월(?: ?\d{1,2}일)?\p{Script=Hangul}*|\d{1,2}[月](?:\d{1,2}[日号])?|\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gu;
const folders = /(?<![\p{L}\p{N}_.@/-])(?:[\w.@-]*\/)+(?=[\w-]+\.[A-Za-z]{1,5}\b)/gu;
const quantity =
  /(?<![\p{L}\p{N}.,:-])(?:[$€£¥₩]\s?\d+(?:\.\d+)?[kKmM]?|\d+(?:\.\d+)?\s?(?:%|‰|€|£|°C|°F|ms|min|minutes?|hours?|hrs?|seconds?|secs?|days?|weeks?|months?|years?|[KMGT]i?B|kB|kg|km|cm|mm|ml|mg|GHz|MHz|rps|qps|fps|px|USD|EUR|원|만 ?원|억 ?원|개월|시간|분|초|명|건|円|万円|人|件|毫秒|秒|分|元|万元|万|[kKM])(?![\p{L}\p{N}]))(?![.,]\d)/gu;

/** Characters of a line that are read for phrases. */
const longestLine = 16_000;
const noQuantities: readonly Term[] = [];

/** Reads what a line names. */
export function readLine(line: string): ReadLine {
  let text = line.length > longestLine ? line.slice(0, longestLine) : line;
  if (text.includes("[REDACTED:")) text = text.replaceAll("[REDACTED:", " , ");
  if (text.includes("/")) text = text.replaceAll(addresses, " $1 ").replaceAll(folders, " ");
  if (!/\d/u.test(text)) return { text, quantities: noQuantities, segments: segmentsOf(text) };
  const quantities: Term[] = [];
  text = text.replaceAll(dates, " , ").replaceAll(quantity, (amount) => {
    quantities.push(amountOf(amount.trim()));
    return " , ";
  });
  return { text, quantities, segments: segmentsOf(text) };
}

function amountOf(shown: string): Term {
  const key = shown.toLowerCase().replaceAll(" ", "");
  return { shown, key, parts: [key], salience: 1.3, kind: "quantity" };
}

/**
 * Stretches of words that name something, with nothing but one space between them: function words, verbs of the log's form and punctuation break them
 * (the candidates of RAKE; Rose, Engel, Cramer and Cowley 2010).
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

function tokenAt(traits: Traits, from: number, term: Term): Token {
  return { traits, term, from, to: from + traits.word.shown.length };
}

/** Whether a word stands already among the tokens from a place on. */
function repeats(tokens: readonly Token[], begin: number, { same }: Traits): boolean {
  for (let at = begin; at < tokens.length; at++) if (tokens[at]?.traits.same === same) return true;
  return false;
}

/** Whether a sentence or an item begins here. */
function isFirst(text: string, from: number): boolean {
  if (from === 0) return true;
  const before = text.charCodeAt(from - 2);
  // Behind a letter and a space nothing begins; most words stand so.
  if (from > 1 && (before | 32) >= 97 && (before | 32) <= 122 && text[from - 1] === " ") return false;
  return beginning.test(text.slice(Math.max(0, from - 12), from));
}

const beginning = /(?:^|[.!?:。！？]["”')]*)\s*(?:[-*+•>]\s+|#+\s+|\[[ xX]\]\s+)*["“'(*]*$/u;

/** How many words from here on begin with a capital: `San Francisco`, `Token Bucket`. At most four. */
export function capitalsFrom(segment: Segment, index: number): number {
  let count = 0;
  while (count < 4 && segment[index + count]?.traits.capital === true) count += 1;
  return count;
}

/** Some words of a segment as one term. */
export function phrase(tokens: Segment, text: string, kind: "name" | "pair" | "lone"): Term {
  const parts = tokens.map(({ traits }) => traits.same);
  const shown = text.slice(tokens[0]?.from ?? 0, tokens.at(-1)?.to ?? 0);
  const salience = greatest(tokens.map(({ term }) => term.salience)) + (kind === "name" ? 0.5 : 0.1 * tokens.length);
  return { shown, key: parts.join(" "), parts, salience, kind };
}
