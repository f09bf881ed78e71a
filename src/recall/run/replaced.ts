import { once, splitLines } from "../../base/lines.ts";
import { scanLines } from "../../base/markdown.ts";
import { sentencesOf } from "../../text/extract/sentences.ts";
import { mayEnd } from "../../text/facts/changes.ts";
import { mayHaveValue } from "../../text/facts/claims.ts";
import { readStatement } from "../../text/facts/statement.ts";
import { replacementsAmong, type DatedStatement } from "../../text/facts/replaced.ts";
import { visible, visibleLine } from "../../text/visible.ts";
import { nameKey, sharedKeys, wordKeys } from "../../text/word-keys.ts";
import { roleNamed } from "../../text/extract/verdict.ts";
import { withLogicalLogs } from "../../tree/memory.ts";
import type { RecallMemory } from "../memory.ts";
import { isPersonMark, spokenLines } from "../rank/speakers.ts";
import type { RecallWarning } from "../search/inputs-and-results.ts";
import { isNote, passageOf, type Passage } from "./passages.ts";
import { recallSources, type SearchIndex } from "../index/search-index.ts";

/** A passage that a newer one replaces, whole or in part. */
export interface Replaced {
  readonly older: number;
  readonly newer: number;
  /** The statements that no longer hold, each with the day it was first replaced. */
  readonly said: readonly { readonly text: string; readonly until: string }[];
  readonly part: "whole" | "some of it";
}

interface Statement extends DatedStatement {
  /** Index of its passage. */
  readonly at: number;
  /** The heading of its note; empty in a conversation. */
  readonly note: string;
  readonly keys: () => ReadonlySet<string>;
  /** Whether it may say that something ended or was corrected. */
  readonly maySayEnded: () => boolean;
  readonly mayHaveValue: () => boolean;
}

/** Lines with unresolved git conflicts, by source. */
type Conflicts = ReadonlyMap<string, readonly (readonly [from: number, to: number])[]>;
const noConflicts: Conflicts = new Map();

/**
 * Finds passages that newer passages or `topics` replace. `topics` are sections with the same headings; their indexes follow those of the passages. The two
 * sides of a git conflict never replace each other.
 */
export function replacedPassages(
  passages: readonly Passage[],
  topics: readonly Passage[] = [],
  conflicts = noConflicts,
): readonly Replaced[] {
  if (passages.length + topics.length < 2) return [];
  const all = [...passages, ...topics].flatMap((one, at) => statementsIn(one, at, conflicts));
  // A statement may be both in a passage and in its section.
  const said = [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].toReversed();
  const notes = new Set(said.flatMap(({ at, note }) => (at < passages.length ? [] : note)));
  const compared = new Map<Statement, "all" | "ends">(
    said.flatMap((one) => (notes.has(one.note) && one.note !== "" ? [[one, "all"]] : [])),
  );
  const found = said.filter(({ at }) => at < passages.length);
  for (const [at, one] of found.entries())
    for (const other of found.slice(at + 1)) {
      if (compared.get(one) === "all" && compared.get(other) === "all") continue;
      const reason = comparedFor(one, other);
      for (const each of [one, other])
        if (compared.get(each) !== "all" && reason !== "nothing") compared.set(each, reason);
    }
  const statements = said.flatMap((one): readonly Statement[] => {
    const reason = compared.get(one);
    return reason === "all" ? [one] : reason === "ends" ? [{ ...one, only: "ends" }] : [];
  });
  const ended = replacementsAmong(statements).filter(
    ({ older, isOfSeries }) => !isOfSeries && mayBeDated(statements[older]),
  );
  const replaced = Map.groupBy(ended, ({ older }) => statements[older]?.at ?? -1);
  return [...replaced].flatMap(([older, gone]): readonly Replaced[] => {
    const newer = gone.map(({ newest }) => statements[newest]).find((one) => one !== undefined && one.at !== older);
    if (newer === undefined || older >= passages.length) return [];
    const over = gone.map((one) => ({
      text: statements[one.older]?.text ?? "",
      until: statements[one.first]?.day ?? "",
    }));
    const orders = new Set(gone.map((one) => statements[one.older]?.order));
    const isLeft = ({ at, order, text, type, keys }: Statement): boolean =>
      at === older && !orders.has(order) && keys().size > 0 && !readStatement(text, type).isUndecided;
    return [{ older, newer: newer.at, said: over, part: said.some(isLeft) ? "some of it" : "whole" }];
  });
}

/**
 * Whether recall may say when a statement ended: yes for a labeled value, a decision, or what people say about themselves. Other project sentences are shown
 * with their day, without claiming that they ended.
 */
function mayBeDated(one: Statement | undefined): boolean {
  if (one === undefined) return false;
  const { label, isTold, isPast, claims } = readStatement(one.text, one.type);
  // A blocker or an open item ends when it is resolved, whatever the next line with that label says.
  const role = label === "" ? undefined : roleNamed(label);
  if (isPast() || (role !== undefined && role !== "decision")) return false;
  return isTold || label !== "" || claims("everywhere").length > 0;
}

function keyOf({ source, entry, text }: Statement): string {
  return `${source}\n${entry}\n${text.replace(/^\s*[-*+•·]\s+/u, "")}`;
}

/** The statements in a passage. A dialogue between named people gives none, because "I" refers to someone else in each turn. */
function statementsIn(passage: Passage, at: number, conflicts: Conflicts): readonly Statement[] {
  const { row, unit, lines, text, speaker } = passage;
  const { source, day, type, origin, heading, section } = row;
  const isAnswer = speaker !== null && !isPersonMark(speaker);
  if (day === "" || (isAnswer && unit === "statement")) return [];
  const spoken = spokenLines(text.split("\n").map((line, index) => ({ number: lines[0] + index, text: line })));
  if (spoken.some((line) => line.speaker === "named")) return [];
  const note = speaker === null ? nameKey(heading) : "";
  return spoken.flatMap((line): readonly Statement[] => {
    if (line.speaker === "assistant" || (line.speaker === "author" && isAnswer) || line.text.startsWith("#")) return [];
    const [conflict] = conflicts.get(source)?.find(([from, to]) => from <= line.number && line.number <= to) ?? [];
    const isItem = /^\s*[-*+•·]\s/u.test(line.text);
    const sentences = isItem ? [line.text] : line.text.split(" … ").flatMap(sentencesOf);
    // The parts of `Redis; 60 requests a minute` may end on different days.
    const said = sentences.flatMap((one) => one.split(/;\s+/u));
    return said.map((one, index) => ({
      text: one,
      topic: heading,
      type,
      day,
      order: line.number * 1000 + index,
      source,
      ...(origin === "" ? {} : { origin }),
      ...(conflict === undefined ? {} : { conflict }),
      entry: section,
      at,
      note,
      keys: once(() => wordKeys(one)),
      maySayEnded: once(() => /[:：]/u.test(one) || mayEnd(one.toLowerCase())),
      mayHaveValue: once(() => mayHaveValue(one.toLowerCase())),
    }));
  });
}

/** Minimum number of words that statements of different notes must share to be compared. */
const leastShared = 2;

/** A quick check of how far to compare two statements: fully for two facts or two entries under one heading, otherwise only if they share words. */
function comparedFor(one: Statement, other: Statement): "all" | "ends" | "nothing" {
  const isOneNote = one.note !== "" && one.note === other.note;
  if (isOneNote && (one.entry !== other.entry || one.day !== other.day)) return "all";
  if (one.type !== "project" && other.type !== "project") return "all";
  const shared = sharedKeys(one.keys(), other.keys());
  if (shared < (isOneNote ? 1 : leastShared)) return "nothing";
  const isMuch = shared * 3 >= Math.min(one.keys().size, other.keys().size);
  if (isMuch && one.mayHaveValue() && other.mayHaveValue()) return "all";
  const later = [one, other].filter(({ day }) => day >= one.day && day >= other.day);
  return later.some(({ maySayEnded }) => maySayEnded()) ? "ends" : "nothing";
}

/** `replacedPassages`, with the git conflicts read from the sources of what is replaced. Errors: `io`. */
export async function knownReplaced(
  memory: RecallMemory,
  passages: readonly Passage[],
  topics: readonly Passage[] = [],
): Promise<readonly Replaced[]> {
  const found = replacedPassages(passages, topics);
  const sources = new Set(found.flatMap(({ older }) => passages[older]?.row.source ?? []));
  const conflicts = await conflictsIn(memory, sources);
  return conflicts.size === 0 ? found : replacedPassages(passages, topics, conflicts);
}

async function conflictsIn(memory: RecallMemory, sources: ReadonlySet<string>): Promise<Conflicts> {
  if (sources.size === 0) return noConflicts;
  const conflicts = new Map<string, readonly (readonly [number, number])[]>();
  const { files } = await withLogicalLogs(memory);
  for (const source of sources) {
    const read = source.startsWith("thread:") ? undefined : await files.read(source);
    const lines = read === undefined ? [] : splitLines(read.bytes).map(({ text }) => text);
    const spans = lines.some((line) => line.startsWith("<<<<<<<")) ? scanLines(lines).conflicts : [];
    const numbered = spans.map(([from, to]) => [from + 1, to + 1] as const);
    if (spans.length > 0) conflicts.set(source, numbered);
  }
  return conflicts;
}

/** How many chunks of a topic are searched for the first replacement. */
const mostParts = 60;

/** All sections of the memory under the headings of these notes, each as one passage. */
export async function topicsOf(index: SearchIndex, passages: readonly Passage[]): Promise<readonly Passage[]> {
  const headings = new Map(passages.filter(isNote).map(({ row: { heading } }) => [nameKey(heading), heading]));
  if (headings.size === 0) return [];
  const any = [...headings.values()].map((text) => ({ kind: "phrase", text, weight: 1 }) as const);
  const found = await index.find({ ...recallSources, any, limit: mostParts });
  const ids = found.map(({ section }) => section);
  const rows = (await index.rowsOfSections("chunk", ids)).filter(({ heading }) => headings.has(nameKey(heading)));
  return [...Map.groupBy(rows, ({ section }) => section).values()].flatMap((chunks) => {
    const text = chunks.map((chunk) => visible(chunk.text)).join("\n");
    return chunks.slice(0, 1).map((row) => ({ ...passageOf(row, "chunk", text), lines: row.sectionLines }));
  });
}

export function supersededBy({ said, part }: Replaced): RecallWarning {
  const days = [...new Set(said.map(untilOf))];
  const lines = said.map((one) => `${quoted(one.text)} ${untilOf(one)}`);
  return { is: "superseded", says: part === "whole" && days.length === 1 ? (days[0] ?? "") : lines.join("; ") };
}

/** Matches a second fact in a statement (`token bucket, 60 requests a minute`), where only one may have ended. A reason is not a fact. */
const further =
  /(?:,\s+|[、，；]\s*)(?!(?:because|since|as|so|weil|denn|da|damit|parce|car|porque|perché|perche|потому|так как)(?![\p{L}]))\S/u;

/** A statement with more than one fact gets "see also": the reader has to judge which facts still hold. */
function untilOf({ text, until }: Replaced["said"][number]): string {
  return `${further.test(text) ? "see also" : "until"} ${until}`;
}

/** The older values that a passage replaces, in words. */
export function supersededValues(replaced: readonly Replaced[]): string | undefined {
  const was = replaced.flatMap(({ said }) =>
    said.filter(({ text }) => !further.test(text)).map((one) => `was ${quoted(one.text)} ${untilOf(one)}`),
  );
  return was.length === 0 ? undefined : [...new Set(was)].join("; ");
}

function quoted(said: string): string {
  return `"${visibleLine(said).replace(/^[-*+•·] /u, "")}"`;
}
