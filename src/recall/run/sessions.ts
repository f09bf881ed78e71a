import { once } from "../../base/lines.ts";
import { termOf } from "../../text/words/index-terms.ts";
import { stopWords } from "../../text/words/stop-words.ts";
import { greatest } from "../../base/lists.ts";
import { addDays } from "../../base/calendar.ts";
import { wordsOnly } from "../../text/corrected.ts";
import { visible, visibleLine } from "../../text/visible.ts";
import { ageOf } from "../context/remembered.ts";
import type { SearchIndex, SourceKind, StoredRow } from "../index/search-index.ts";
import type { RecallMemory } from "../memory.ts";
import { findDays, type FoundDays } from "../query/days/find-days.ts";
import {
  messageRarity,
  ownWords,
  rarities,
  sum,
  trustIn,
  type ScoredSection,
  type SectionQuery,
  type TermHits,
} from "../rank/scores.ts";
import { spokenLines } from "../rank/speakers.ts";
import { lengthShare, ranking, saturation } from "../rank/weights.ts";
import type { RankedSession, RankedSessions } from "../search/inputs-and-results.ts";
import { marksIn, queryWords, type QueryWords } from "../snippets/marks.ts";
import { plainNote, snippetOf } from "../snippets/snippet.ts";
import { leftOutIn, pinsIn } from "./pins.ts";
import { inSteps, type InSteps, type OneRecall } from "./recall-message.ts";
import { termHits, wordsLike, type Searched } from "./search-step.ts";

/** Ranks whole sessions for one message, best first. A ranking was asked for, so sessions with few of the message's words are in it too. Errors: `io`. */
export function rankSessions(
  asked: Pick<OneRecall, "memory" | "prepared" | "text" | "also" | "chooser" | "call">,
  limit: number,
): Promise<RankedSessions> {
  return inSteps({ ...asked, budget: 0, explain: false, floor: "none" }, async (found) => {
    const { text, prepared } = found;
    return {
      query: visible(text),
      sessions: await bestSessions(found, asked.memory, limit),
      not_indexed: prepared.not_indexed,
      warnings: prepared.warnings,
    };
  });
}

/** How many passages of a session are given. */
const passagesOfSession = 2;

/** The best sessions. A thread counts once, at its best run, and not at all if a log repeats it. */
async function bestSessions(found: InSteps, memory: RecallMemory, limit: number): Promise<readonly RankedSession[]> {
  const { query, sections, statements, prepared } = found;
  const { index } = prepared;
  const terms = termHits(query.terms, query.hits.terms);
  const today = memory.clock.today();
  const isNamed = daysNamed(findDays(found.text.slice(0, mostRead), today));
  const { nearness } = found;
  const asked = { terms, chunks: query.hits.rows, coverage: query.coverage, isNamed, nearness };
  const sessions = await scoreSessions(index, sections, asked, statements);
  const like = wordsLike(terms.map(({ term }) => term));
  const rare = rarities(terms, query.hits.rows);
  const correctedBy = await leftOutIn(memory, prepared, await pinsIn(memory));
  const bestRows = (rows: readonly StoredRow[]): readonly StoredRow[] =>
    rows
      .map((row) => ({ row, words: ownWords(like(row.text), rare) }))
      .filter(({ row, words }) => words > 0 && correctedBy(row) === undefined)
      .toSorted((a, b) => b.words - a.words)
      .slice(0, passagesOfSession)
      .map(({ row }) => row);
  const wanted = queryWords(query.words.map((text) => ({ kind: "word", use: "any", text })));
  const given = new Map<string, SourceKind>();
  const ranked: RankedSession[] = [];
  for (const { score, chunks, said } of sessions) {
    const [first] = chunks;
    if (first === undefined) continue;
    const own = bestRows(said);
    const other = own.length > 0 ? own : bestRows(chunks).slice(0, 1);
    const best =
      other.length > 0
        ? other
        : nearestOf(
            said.filter((row) => correctedBy(row) === undefined),
            nearness,
          );
    const text = wordsOnly(best[0]?.text ?? "");
    const isCopy = text !== "" && (given.get(text) ?? first.kind) !== first.kind;
    if (isCopy || (first.kind === "thread" && given.has(first.source))) continue;
    given.set(text, first.kind).set(first.source, first.kind);
    ranked.push({
      source: `${first.source}:${first.sectionLines.join("-")}`,
      date: first.day === "" ? null : first.day,
      age_days: ageOf(first.day, today),
      heading: visibleLine(first.heading),
      score: Math.round(score * 1000) / 1000,
      passages: best
        .toSorted((a, b) => a.id - b.id)
        .map((row) => ({ source: `${row.source}:${row.lines.join("-")}`, text: inOneLine(row.text, wanted) })),
    });
    if (ranked.length === limit) break;
  }
  return ranked;
}

/** The nearest statement, if there are vectors; the first of equally near ones. */
function nearestOf(rows: readonly StoredRow[], nearness: Searched["nearness"]): readonly StoredRow[] {
  const nearOf = ({ id }: StoredRow): number => nearness(id) ?? 0;
  const most = greatest([0, ...rows.map(nearOf)]);
  return most === 0 ? [] : rows.filter((row) => nearOf(row) === most).slice(0, 1);
}

/** A section with its rows and its score as a whole. */
interface ScoredSession extends ScoredSection {
  readonly chunks: readonly StoredRow[];
  readonly said: readonly StoredRow[];
}

/** Reads sections as a whole and scores them, best first. `statements`: those of these sections. */
export async function scoreSessions(
  index: SearchIndex,
  sections: readonly ScoredSection[],
  asked: Pick<SectionQuery, "terms" | "chunks" | "coverage"> & {
    readonly isNamed: (day: string) => boolean;
    readonly nearness?: Searched["nearness"];
  },
  statements: readonly StoredRow[],
): Promise<readonly ScoredSession[]> {
  const rows = await index.rowsOfSections(
    "chunk",
    sections.map(({ section }) => section),
  );
  const chunksOf = Map.groupBy(rows, ({ section }) => section);
  const saidIn = Map.groupBy(statements, ({ section }) => section);
  const like = wordsLike(asked.terms.map(({ term }) => term));
  const read = sections.map(({ section, score }) => {
    return { section, score, chunks: chunksOf.get(section) ?? [], said: saidIn.get(section) ?? [] };
  });
  const wholes = read.map(({ score, chunks, said }): WholeSection => {
    const day = asked.isNamed(chunks[0]?.day ?? "") ? "named" : "other";
    const near = said.reduce((most, { id }) => Math.max(most, asked.nearness?.(id) ?? 0), 0);
    return { score, day, near, ...wordsOf(chunks, like), statements: said.map(({ text }) => like(text)) };
  });
  const scores = scoreWhole(wholes, { ...asked, terms: weighted(asked.terms) });
  return read.map((one, at) => ({ ...one, score: scores[at] ?? 0 })).toSorted((a, b) => b.score - a.score);
}

/** A section as a whole. The words are index terms. */
interface WholeSection {
  /** Its score by `scoreSections`, which includes meaning and feedback. */
  readonly score: number;
  /** What persons and authors say, and what an assistant says. */
  readonly person: readonly string[];
  readonly assistant: readonly string[];
  /** The same, in characters. */
  readonly letters: { readonly person: number; readonly assistant: number };
  readonly statements: readonly (readonly string[])[];
  /** Of the nearest of them; see `Meaning` (../run/meaning.ts). 0 without vectors. */
  readonly near: number;
  /** `named`: the message names a day or a time that it is from. */
  readonly day: "named" | "other";
}

/**
 * How relevant each section is as a whole, as shares of the best one: BM25F of its words, in which those of persons count more, with the best statement in it, the score
 * of the section and its day. `scoreSections` chooses the sections; only some hundred can be read as a whole.
 */
function scoreWhole(
  sections: readonly WholeSection[],
  { terms, chunks, coverage }: Pick<SectionQuery, "terms" | "chunks" | "coverage">,
): readonly number[] {
  const { personWords, bestStatement, sectionScore, namedDay, sessionMeaning } = ranking;
  const trust = sections.some(({ near }) => near > 0) ? trustIn(coverage) : 1;
  const rare = new Map(
    terms.map(({ term, sections: found, weight = 1 }) => [
      term,
      weight * messageRarity(found.ids.length, chunks.ids.length),
    ]),
  );
  const rareInChunks = rarities(terms, chunks);
  const lengthOf = ({ letters }: WholeSection): number => personWords * letters.person + letters.assistant;
  const mean = Math.max(1, sum(sections.map(lengthOf)) / Math.max(1, sections.length));
  const words = sections.map((section) => {
    const counts = new Map<string, number>();
    const add = (said: readonly string[], weight: number): void => {
      for (const word of said) if (rare.has(word)) counts.set(word, (counts.get(word) ?? 0) + weight);
    };
    add(section.person, personWords);
    add(section.assistant, 1);
    const length = saturation * (1 - lengthShare + (lengthShare * lengthOf(section)) / mean);
    return sum(
      [...counts].map(([word, count]) => ((rare.get(word) ?? 0) * count * (saturation + 1)) / (count + length)),
    );
  });
  const direct = sections.map(({ statements }) =>
    greatest([0, ...statements.map((one) => ownWords(one, rareInChunks))]),
  );
  const [mostWords, mostDirect] = [greatest([1e-9, ...words]), greatest([1e-9, ...direct])];
  const scores = sections.map(
    ({ score, day, near }, at) =>
      trust * ((words[at] ?? 0) / mostWords + (bestStatement * (direct[at] ?? 0)) / mostDirect) +
      near * sessionMeaning +
      sectionScore * score +
      (day === "named" ? namedDay : 0),
  );
  const most = greatest([1e-9, ...scores]);
  return scores.map((score) => score / most);
}

/** Words that seldom name a subject (`suggest`, `lately`, `first`, `work`) count half as much as others. */
function weighted(terms: readonly TermHits[]): readonly TermHits[] {
  return terms.map((one) => (isLittle().has(one.term) ? { ...one, weight: (one.weight ?? 1) / 2 } : one));
}

const isLittle = once(() => new Set([...stopWords].map(termOf)));

/** The part of a text with the most words of the message, in one line. */
function inOneLine(text: string, wanted: QueryWords): string {
  const line = plainNote(text);
  return snippetOf(line, marksIn(line, wanted)).replaceAll(/[«»]/gu, "");
}

/** A session may be about the day before, and a message may be a day off. */
const daysAround = 1;

/** Whether a day is one of those named, or the day before or after. */
export function daysNamed(named: readonly Pick<FoundDays, "since" | "until">[]): (day: string) => boolean {
  const times = named.map(({ since, until }) => ({
    since: since === undefined ? "" : addDays(since, -daysAround),
    until: until === undefined ? "9" : addDays(until, daysAround),
  }));
  return (day) => day !== "" && times.some(({ since, until }) => since <= day && day <= until);
}

/** Characters of a message that are read for days. */
const mostRead = 4000;

function wordsOf(
  rows: readonly StoredRow[],
  like: (text: string) => readonly string[],
): Pick<WholeSection, "person" | "assistant" | "letters"> {
  const lines = rows.flatMap(({ text }) => text.split("\n").map((line) => ({ number: 0, text: line })));
  const { assistant = [], person = [] } = Object.groupBy(spokenLines(lines), ({ speaker }) =>
    speaker === "assistant" ? "assistant" : "person",
  );
  const words = (of: typeof person): readonly string[] => of.flatMap((line) => like(line.text));
  const letters = (of: typeof person): number => of.reduce((sum, line) => sum + line.text.length, 0);
  return {
    person: words(person),
    assistant: words(assistant),
    letters: { person: letters(person), assistant: letters(assistant) },
  };
}
