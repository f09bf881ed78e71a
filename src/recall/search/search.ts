import { daysBetween, type Day } from "../../base/calendar.ts";
import type { Warning } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import type { QueryTerm } from "../query/parse-query.ts";
import { greatest } from "../../base/lists.ts";
import type { WeightedTerm } from "../index/search-index.ts";
import { termHits } from "../run/search-step.ts";
import { wordScores, type ScoredSection } from "../rank/scores.ts";
import { marksIn, queryWords } from "../snippets/marks.ts";
import { isOnlyHeadings, plainText, snippetOf } from "../snippets/snippet.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { findChunks, prepareIndex, onStableIndex } from "../index/prepare.ts";
import type { Layer, PreparedIndex, RecallMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { indexTermsOf, parseSearch, type ParsedSearch } from "./search-query.ts";
import type { SearchInput, SearchHit, SearchResult, UnderstoodQuery } from "./inputs-and-results.ts";
import { withoutCopies, byDay, byScore, ranked, type Candidate } from "./rank-hits.ts";
import { correctionsIn } from "../run/corrections.ts";
import { overlaps, pinsIn, type Pins } from "../run/pins.ts";
import { knownReplaced, supersededBy, topicsOf } from "../run/replaced.ts";
import { passageOf, withSpeakers } from "../run/passages.ts";

/** How long a query may spend on updating the index, in milliseconds. */
const patience = 300;
/** Number of rows read per wanted hit, and the minimum and maximum in all. */
const rowsForHit = 3;
const leastRows = 60;
const mostRows = 10_000;
/** The sources listed for a query with only days. Nodes would repeat them. */
const whereThingsAreSaid = ["raw", "knowledge", "memory", "thread"] as const;

/** Searches the whole memory for words. Errors: `invalid_query`, `invalid_date`, `usage`, `io`. */
export async function runSearch(memory: RecallMemory, given: SearchInput, call: Call): Promise<SearchResult> {
  // Redacted as a whole, like indexed text: a single word does not show that it is a password.
  const input = { ...given, query: redact(given.query).text };
  const begin = memory.clock.now();
  const today = memory.clock.today();
  const wanted = parseSearch(input, today);
  const prepared = await prepareIndex(memory, { ms: patience }, call);
  const { candidates, more, warned, pins } = await onStableIndex(prepared.index, async () => {
    const found = await (wanted.by === "session" ? sessionsOf : candidatesOf)(prepared.index, wanted);
    const replaced = await replacedHits(memory, prepared.index, found.candidates);
    const corrected = await correctedHits(memory, prepared, found.candidates);
    return { ...found, warned: new Map([...replaced, ...corrected]), pins: await pinsIn(memory) };
  });
  const under = candidates.length === 0 ? ((await memory.under?.()) ?? []) : [];
  return {
    query: shownText(input.query),
    understood: understoodOf(wanted),
    hits: candidates.map((one) => ({ ...hitOf(one, today, input), ...warned.get(one.row.id), ...pinOf(one, pins) })),
    more,
    took_ms: Math.max(0, Math.round(memory.clock.now() - begin)),
    not_indexed: prepared.not_indexed,
    warnings: [
      ...prepared.warnings,
      ...(wanted.query.cut === "whole" ? [] : [cutWarning(wanted)]),
      ...(under.length === 0 ? [] : [underWarning(under)]),
    ],
  };
}

function pinOf({ row }: Candidate, { first, isNever }: Pins): Pick<SearchHit, "recall"> {
  if (row.kind === "node") return {};
  if (isNever(row)) return { recall: "never" };
  return first.some((place) => overlaps(place, row)) ? { recall: "first" } : {};
}

function underWarning(under: readonly Layer[]): Warning {
  const names = under.map(({ name }) => name).join(" and the ");
  const message = `only this memory was searched; recall also asks the ${names} one`;
  return { code: "not_searched", message };
}

/** How many hits are compared with newer statements. */
const mostCompared = 50;

/** Warnings for hits that newer statements replace, by row id. Compares them with other hits and with sections under the same headings. Errors: `io`. */
async function replacedHits(
  memory: RecallMemory,
  index: SearchIndex,
  hits: readonly Candidate[],
): Promise<ReadonlyMap<number, Pick<SearchHit, "warning">>> {
  const rows = hits.slice(0, mostCompared).flatMap(({ row }) => (row.kind === "node" ? [] : row));
  const passages = await withSpeakers(
    index,
    rows.map((row) => passageOf(row, "chunk", row.text)),
  );
  const replaced = await knownReplaced(memory, passages, await topicsOf(index, passages));
  return new Map(replaced.map((one) => [rows[one.older]?.id ?? -1, { warning: supersededBy(one) }]));
}

/** Warnings for hits that an entry corrects, by row id. */
async function correctedHits(
  memory: RecallMemory,
  prepared: PreparedIndex,
  hits: readonly Candidate[],
): Promise<ReadonlyMap<number, Pick<SearchHit, "warning">>> {
  const correctedBy = await correctionsIn(memory, prepared);
  const found = hits.flatMap(({ row }) => {
    const by = correctedBy(row);
    return by === undefined ? [] : [[row.id, { warning: { is: "superseded", says: `corrected by ${by}` } }] as const];
  });
  return new Map(found);
}

/** At most `limit` candidates. Reads more rows as long as too few hits are left after removing copies. */
async function candidatesOf(index: SearchIndex, { query, filter, limit }: ParsedSearch) {
  const { any, all, none, widened } = indexTermsOf(query.terms);
  const words = queryWords(query.terms);
  const isList = any.length === 0;
  const kinds = filter.kinds ?? (isList && filter.levels === undefined ? whereThingsAreSaid : undefined);
  const asked = { ...filter, ...(kinds === undefined ? {} : { kinds }), any, all, none };
  for (let rows = Math.min(mostRows, Math.max(leastRows, limit * rowsForHit)); ; rows = Math.min(mostRows, rows * 4)) {
    const found = await findChunks(index, { ...asked, limit: rows });
    // A query with only days leaves out rows that are only headings.
    const telling = isList ? found.filter(({ row }) => !isOnlyHeadings(row.text)) : found;
    const each = withoutCopies(ranked(telling, words).filter((candidate) => holds(candidate, widened)));
    const candidates = each.toSorted(isList ? byDay : byScore).slice(0, limit);
    if (each.length > limit || found.length < rows || rows === mostRows)
      return { candidates, more: each.length > limit };
  }
}

/** For sessions: how many rows and how many sections are read. */
const rowsOfSessions = 1000;
const mostSessions = 200;

/**
 * The best passage of each session, best session first. A thread counts once, at its best run. Days in the query rank sessions, they do not filter them. A query of only
 * days lists the newest sessions.
 */
async function sessionsOf(index: SearchIndex, wanted: ParsedSearch): ReturnType<typeof candidatesOf> {
  const { candidates } = await candidatesOf(index, { ...wanted, limit: rowsOfSessions });
  const best = new Map(candidates.toReversed().map((one) => [one.row.section, one]));
  const { any } = indexTermsOf(wanted.query.terms);
  const scores =
    any.length === 0
      ? [...best.keys()].toReversed().map((section) => ({ section, score: 0 }))
      : await sessionScores(index, [...best.keys()], any, wanted);
  const sessions = scores.flatMap(({ section, score }) => {
    const one = best.get(section);
    if (one === undefined) return [];
    const { row } = one;
    const key = row.kind === "thread" ? row.source : String(section);
    return [
      { key, one: { ...one, score, parts: [{ part: "session", score }], row: { ...row, lines: row.sectionLines } } },
    ];
  });
  const each = [...new Map(sessions.toReversed().map(({ key, one }) => [key, one])).values()].toReversed();
  return { candidates: each.slice(0, wanted.limit), more: each.length > wanted.limit };
}

async function sessionScores(
  index: SearchIndex,
  found: readonly number[],
  any: readonly WeightedTerm[],
  { filter, days }: ParsedSearch,
): Promise<readonly ScoredSection[]> {
  // Imported lazily, because sessions are seldom searched for.
  const { daysNamed, scoreSessions } = await import("../run/sessions.ts");
  const { rows, terms: hits } = await index.sectionHits(any, filter);
  const terms = termHits(any, hits);
  const words = wordScores({ terms, chunks: rows });
  const sections = found
    .map((section) => ({ section, score: words[section] ?? 0 }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostSessions);
  const most = greatest([1e-9, ...sections.map(({ score }) => score)]);
  const statements = await index.rowsOfSections(
    "statement",
    sections.map(({ section }) => section),
  );
  const shares = sections.map(({ section, score }) => ({ section, score: score / most }));
  return scoreSessions(
    index,
    shares,
    { terms, chunks: rows, isNamed: daysNamed(days === undefined ? [] : [days]) },
    statements,
  );
}

/** Whether a hit matches the original prefixes, not only the widened ones. */
function holds({ text, marks, row }: Candidate, widened: readonly QueryTerm[]): boolean {
  if (widened.length === 0) return true;
  const must = widened.filter(({ use }) => use === "must").map((term) => queryWords([term]));
  const hasAll = must.every((word) => marksIn(`${row.heading} ${text}`, word).length > 0);
  return hasAll && (marks.length > 0 || marksIn(row.heading, queryWords(widened)).length > 0);
}

function hitOf({ row, text, marks, score, parts }: Candidate, today: Day, { explain }: SearchInput): SearchHit {
  const { source, lines, kind, level, type, origin, day, heading } = row;
  const [first, last] = lines;
  return {
    source: first === last ? `${source}:${first}` : `${source}:${first}-${last}`,
    kind,
    level,
    type,
    origin: origin === "" ? null : origin,
    date: day === "" ? null : day,
    age_days: day === "" ? null : daysBetween(day, today),
    heading: plainText(heading),
    snippet: snippetOf(text, marks),
    score: rounded(score),
    ...(explain === true ? { why: parts.map((one) => ({ ...one, score: rounded(one.score) })) } : {}),
  };
}

function rounded(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}

function understoodOf({ query, filter }: ParsedSearch): UnderstoodQuery {
  const texts = (which: (term: QueryTerm) => boolean): readonly string[] => query.terms.filter(which).map(textOf);
  return {
    words: texts(({ kind, use }) => use === "any" && kind !== "phrase"),
    phrases: texts(({ kind, use }) => use === "must" && kind === "phrase").map((text) => text.slice(1, -1)),
    must: texts(({ kind, use }) => use === "must" && kind !== "phrase"),
    must_not: texts(({ use }) => use === "not"),
    since: filter.since ?? query.days?.since ?? null,
    until: filter.until ?? query.days?.until ?? null,
    days_from: query.days === undefined ? null : shownText(query.days.text),
  };
}

function textOf({ kind, text }: QueryTerm): string {
  const shown = shownText(text);
  return kind === "phrase" ? `"${shown}"` : kind === "prefix" ? `${shown}*` : shown;
}

/** Input may contain a secret or control characters. */
function shownText(text: string): string {
  return plainText(redact(text).text);
}

function cutWarning({ query }: ParsedSearch): Warning {
  return {
    code: "query_cut",
    message: `the query is very long; only its first ${query.terms.length} words are searched`,
  };
}
