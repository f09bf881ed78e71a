import type { Day } from "../../base/calendar.ts";
import { matchAt, withoutMarks } from "../../text/redact/span.ts";
import { findDays, type FoundDays } from "./days/find-days.ts";

/** A parsed query. */
export interface ParsedQuery {
  readonly terms: readonly QueryTerm[];
  /** The days that its words name; absent if none do. */
  readonly days?: QueryDays;
  /** `cut`: the query has more words than are searched for. */
  readonly cut: "whole" | "cut";
}

export interface QueryTerm {
  readonly kind: "word" | "prefix" | "phrase";
  readonly use: "any" | "must" | "not";
  readonly text: string;
}

/** Inclusive. Open-ended if `since` or `until` is missing. */
export interface QueryDays extends Pick<FoundDays, "since" | "until"> {
  /** The words that were read as days. */
  readonly text: string;
}

/** How to read words that name days: as days, relative to today, or as plain words. */
type DaysIn = { readonly today: Day } | "words";

/** Maximum number of different terms searched for, and of UTF-16 units read. */
const mostTerms = 100;
const mostRead = 10_000;

/**
 * Parses a query. Any text is valid: an operator in an unexpected place is text. Redaction markers are skipped, except in phrases, because an indexed text may
 * contain one. Never fails.
 */
export function parseQuery(query: string, days: DaysIn): ParsedQuery {
  const text = withoutSecrets(query.slice(0, mostRead).toWellFormed());
  // Quoted text is not read as a date. It is replaced by a character that is not a space, so that no date spans it.
  const found = days === "words" ? [] : findDays(covered(text, phrasesIn(text), "\uFFFC"), days.today);
  const pieces = scanQuery(covered(text, found, " "));
  const terms = [
    ...new Map(
      pieces.map(({ kind, use, text: said }) => [`${kind} ${use} ${said.toLowerCase()}`, { kind, use, text: said }]),
    ).values(),
  ];
  const kept = terms.slice(0, mostTerms);
  const cut = kept.length < terms.length || text.length < query.length ? "cut" : "whole";
  if (found.length === 0) return { terms: kept, cut };
  return { terms: kept, days: together(text, found), cut };
}

function withoutSecrets(text: string): string {
  const blank = (said: string): string => withoutMarks(said, ({ length }) => " ".repeat(length));
  if (blank(text) === text) return text;
  let result = "";
  let from = 0;
  for (const { start, end } of phrasesIn(text)) {
    result += blank(text.slice(from, start)) + text.slice(start, end);
    from = end;
  }
  return result + blank(text.slice(from));
}

function phrasesIn(text: string): readonly Piece[] {
  return scanQuery(text).filter(({ kind }) => kind === "phrase");
}

function covered(text: string, parts: readonly Place[], by: string): string {
  return parts.reduce((said, { start, end }) => said.slice(0, start) + by.repeat(end - start) + said.slice(end), text);
}

/** Combines several times: open-ended ones narrow the result, and closed ones span all days from the first to the last. */
function together(text: string, found: readonly FoundDays[]): QueryDays {
  const closed = found.filter(({ since, until }) => since !== undefined && until !== undefined);
  const open = found.filter(({ since, until }) => since === undefined || until === undefined);
  const sorted = (days: readonly (Day | undefined)[]): readonly Day[] => days.flatMap((day) => day ?? []).toSorted();
  const [first] = sorted(closed.map((days) => days.since));
  const last = sorted(closed.map((days) => days.until)).at(-1);
  const since = sorted([...open.map((days) => days.since), first]).at(-1);
  const [until] = sorted([...open.map((days) => days.until), last]);
  const isTurned = since !== undefined && until !== undefined && until < since;
  const [from, to] = isTurned ? [until, since] : [since, until];
  return {
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
    text: found.map(({ start, end }) => text.slice(start, end).trim()).join(", "),
  };
}

type Place = Pick<FoundDays, "start" | "end">;

/** `start` and `end` include the sign and quotes. */
interface Piece extends QueryTerm, Place {}

/** Opening quotes and the quotes that may close them. */
const quotes: readonly (readonly [open: string, close: string])[] = [
  ['"', '"”'],
  ["＂", "＂"],
  ["“", '”"'],
  ["„", '“”"'],
  ["「", "」"],
  ["『", "』"],
  ["«", "»"],
  ["〝", "〞〟"],
];
const opening = /["＂“„「『«〝]/u;
/** Letters and digits: symbols and emoji are not indexed. */
const telling = /[\p{L}\p{N}]/u;
/** Punctuation around a word that is not part of it. */
const leading = /^[([{<,;:!?.'‘’“”"`~|*«»、。，！？：；（【〈《]+/u;
const trailing = /[)\]}>,;:!?.'‘’“”"`~|*«»、。，！？：；）】〉》]+$/u;

/** Splits a query into words and phrases. Never fails. */
function scanQuery(query: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < query.length;) {
    const piece = phraseAt(query, at) ?? wordAt(query, at);
    at = piece.end;
    if (telling.test(piece.text)) pieces.push(piece);
  }
  return pieces;
}

/** If the opening and closing quote are the same, it opens only at the start of a word: 5" is a length. A phrase has at most 1,000 characters. */
const phrase = new RegExp(
  `((?<=^|\\s)[+-])?(?:${quotes
    .map(([open, close]) => `${close.includes(open) ? "(?<![\\p{L}\\p{N}])" : ""}${open}([^${close}]{0,999})[${close}]`)
    .join("|")})`,
  "uy",
);

function phraseAt(query: string, start: number): Piece | undefined {
  const [whole = "", sign, ...said] = matchAt(phrase, query, start) ?? [];
  const text = said.join("").trim();
  if (!telling.test(text)) return undefined;
  return { kind: "phrase", use: sign === "-" ? "not" : "must", text, start, end: start + whole.length };
}

/** The word or separator at a position, at least one character long. */
function wordAt(query: string, start: number): Piece {
  if (/\s/u.test(query.charAt(start))) return { kind: "word", use: "any", text: "", start, end: start + 1 };
  let end = start + 1;
  const opensAt = (at: number): boolean => opening.test(query.charAt(at)) && phraseAt(query, at) !== undefined;
  while (end < query.length && !/\s/u.test(query.charAt(end)) && !opensAt(end)) end += 1;
  const isFirst = start === 0 || /\s/u.test(query.charAt(start - 1));
  const whole = query.slice(start, end);
  const [, sign = "", said = whole] = (isFirst ? /^([+-])(?=[^+\-*\s])(.*)$/su.exec(whole) : null) ?? [];
  const isSigned = sign !== "" && /[\p{L}\p{Extended_Pictographic}]/u.test(said);
  const own = isSigned ? said : whole;
  const use = !isSigned ? "any" : sign === "-" ? "not" : "must";
  const begun = /^([\p{L}\p{N}\p{M}][^*]*[\p{L}\p{N}\p{M}_])\*[,;:.!?]*$/u.exec(own)?.[1];
  if (begun !== undefined) return { kind: "prefix", use, text: begun, start, end };
  return { kind: "word", use, text: bare(own), start, end };
}

/** Strips punctuation around a word (`(foo)`, `foo,`), but not from `C++`, `.env` and `#12`. */
function bare(word: string): string {
  const front = /^\.[\p{L}\p{N}]/u.test(word) ? word : word.replace(leading, "");
  return front.replace(trailing, "");
}
