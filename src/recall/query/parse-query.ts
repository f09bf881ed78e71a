import type { Day } from "../../base/calendar.ts";
import { withoutMarks } from "../../text/redact/span.ts";
import { findDays, type FoundDays } from "./days/find-days.ts";
import { scanQuery, type Piece } from "./scan.ts";

/** What a query asks for. */
export interface ParsedQuery {
  readonly terms: readonly QueryTerm[];
  /** The days that its words name; absent without such words. */
  readonly days?: QueryDays;
  /** Whether there were more words than are looked for. */
  readonly cut: "whole" | "cut";
}

export interface QueryTerm {
  readonly kind: "word" | "prefix" | "phrase";
  readonly use: "any" | "must" | "not";
  readonly text: string;
}

/** Inclusive; without one of the two it is open there. */
export interface QueryDays {
  readonly since?: Day;
  readonly until?: Day;
  /** The words that were read so. */
  readonly text: string;
}

/** How the words of a query that name days are taken: as days that count from today, or as words. */
export type DaysIn = { readonly today: Day } | "words";

/** Different words of a query that are looked for, and characters of it that are read (UTF-16 units). */
const mostTerms = 100;
const mostRead = 10_000;

/**
 * Reads a query. Any text is one: an operator in an odd place is text. What stands for a secret is a word only in a phrase, which may stand so in a text. Never
 * fails.
 */
export function parseQuery(query: string, days: DaysIn): ParsedQuery {
  const text = withoutSecrets(query.slice(0, mostRead).toWellFormed());
  const found = days === "words" ? [] : findDays(outsideQuotes(text), days.today);
  const terms = distinct(scanQuery(without(text, found)).map(termOf));
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

/** Quoted text is no time. The mark that stands for it is no space, so that no time spans it. */
function outsideQuotes(text: string): string {
  return covered(text, phrasesIn(text), "\uFFFC");
}

function phrasesIn(text: string): readonly Piece[] {
  return scanQuery(text).filter(({ kind }) => kind === "phrase");
}

function without(text: string, found: readonly FoundDays[]): string {
  return covered(text, found, " ");
}

function covered(text: string, parts: readonly { readonly start: number; readonly end: number }[], by: string): string {
  let result = "";
  let from = 0;
  for (const { start, end } of parts) {
    result += text.slice(from, start) + by.repeat(end - start);
    from = end;
  }
  return result + text.slice(from);
}

function termOf({ kind, use, text }: Piece): QueryTerm {
  return { kind: kind === "text" ? "word" : kind, use, text };
}

function distinct(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const seen = new Map(terms.map((term) => [`${term.kind} ${term.use} ${term.text.toLowerCase()}`, term]));
  return [...seen.values()];
}

/** Open times narrow each other; of two closed ones all days from the first to the last are meant. */
function together(text: string, found: readonly FoundDays[]): QueryDays {
  const closed = found.filter(({ since, until }) => since !== undefined && until !== undefined);
  const open = found.filter(({ since, until }) => since === undefined || until === undefined);
  const first = least(closed.flatMap(({ since }) => since ?? []));
  const last = greatest(closed.flatMap(({ until }) => until ?? []));
  const since = greatest([...open.map((days) => days.since), first].flatMap((day) => day ?? []));
  const until = least([...open.map((days) => days.until), last].flatMap((day) => day ?? []));
  const isTurned = since !== undefined && until !== undefined && until < since;
  const [from, to] = isTurned ? [until, since] : [since, until];
  return {
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
    text: found.map(({ start, end }) => text.slice(start, end).trim()).join(", "),
  };
}

function least(days: readonly Day[]): Day | undefined {
  return days.toSorted()[0];
}

function greatest(days: readonly Day[]): Day | undefined {
  return days.toSorted().at(-1);
}
