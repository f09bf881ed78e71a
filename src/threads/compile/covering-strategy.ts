import type { Warning } from "../../base/errors.ts";
import { lineText, printContext, countsOf, type Context } from "../model/context.ts";
import { selectCover, shareLines } from "../plan/cover.ts";
import type { ThreadMemory } from "../memory.ts";
import { type Chain, readCandidates, type StoredCandidate } from "./context-chain.ts";
import { createPartReader, hasLines, merged, replaced, shrunk, withLines } from "./draft.ts";
import type { PartReader, Entry } from "./draft.ts";
import { chooseNewest, GAP_TOKENS, summarisedSegments, createNewestMessages } from "./newest-messages.ts";
import type { RawChoice, NewestMessages } from "./newest-messages.ts";
import { isWarning, linesOfMarkdown, readSummaryLines, type SummaryLines } from "../run/read-summary.ts";
import { createTokenMemo, type TokenMemo } from "../model/context-renderings.ts";
import { pushAll } from "../../base/lists.ts";

/** What a context says of itself besides its parts. */
export type ContextFacts = Pick<Context, "thread_id" | "title" | "until_seq" | "until_ms">;

export interface Compiled {
  readonly context: Context;
  /** o200k tokens of the text rendering. */
  readonly tokens: number;
  readonly checkpoints: readonly StoredCandidate["checkpoint"][];
  readonly warnings: readonly Warning[];
}

interface CoverInput {
  readonly chain: Chain;
  readonly facts: ContextFacts;
  readonly budget: number;
}

/** Compiles `covering_summaries_v1`. Reads a logarithm of the thread's length, and what it shows. */
export async function coverThread(memory: ThreadMemory, input: CoverInput): Promise<Compiled> {
  const { chain, budget } = input;
  const memo = createTokenMemo(memory.tokens);
  const newest = createNewestMessages(memory, chain, { budget, memo });
  const reader = createPartReader(memory, chain, newest);
  const work: Work = { memory, input, memo, newest, reader, warnings: [] };
  const opening = await openingOf(work);
  const bare: readonly Entry[] = [...opening, ...plain("uncovered", 1, chain.messages)];
  const room = budget - (await costOf(work, bare)) - 2 * GAP_TOKENS;
  const raw = await chooseNewest(newest, chain, { room, half: Math.floor(budget / 2) });
  const covered = await chooseCover(work, { opening, raw, room });
  const shown = await dealLines(work, covered);
  const filled = await fillOlder(work, shown);
  return fitted(work, filled);
}

interface Work {
  readonly memory: ThreadMemory;
  readonly input: CoverInput;
  readonly memo: TokenMemo;
  readonly newest: NewestMessages;
  readonly reader: PartReader;
  readonly warnings: Warning[];
}

async function contextOf({ reader, input }: Work, entries: readonly Entry[]): Promise<Context> {
  const parts = await reader.partsOf(entries);
  return { ...input.facts, counts: countsOf(parts), parts };
}

async function costOf(work: Work, entries: readonly Entry[]): Promise<number> {
  return work.memo.most(await contextOf(work, entries));
}

function plain(kind: "raw" | "uncovered", from: number, to: number): readonly Entry[] {
  return from <= to ? [{ kind, from, to }] : [];
}

async function openingOf({ memory, input, warnings }: Work): Promise<readonly Entry[]> {
  const { beginning } = input.chain;
  if (beginning === null) return [];
  const { thread_id, to_seq } = beginning;
  if (beginning.kind === "unknown") return [{ kind: "opening", lines: null, shown: 0 }];
  const { artifact_id, markdown } = beginning;
  if (artifact_id === null) return [{ kind: "opening", lines: linesOfMarkdown(markdown ?? "", to_seq), shown: 0 }];
  const lines = await readSummaryLines(memory, { artifact_id, thread_id, to_seq, ends: "at_most" });
  if (!isWarning(lines)) return [{ kind: "opening", lines, shown: 0 }];
  warnings.push(lines);
  return [{ kind: "opening", lines: null, shown: 0 }];
}

interface CoverChoice {
  readonly opening: readonly Entry[];
  readonly raw: RawChoice;
  readonly room: number;
}

/** Tokens that a summary with one short line takes: what is tried first. */
const SUMMARY_TOKENS = 24;

/** A covering whose summaries can be read and have room for a line each, as far as that goes. */
async function chooseCover(work: Work, { opening, raw, room }: CoverChoice): Promise<readonly Entry[]> {
  const { chain, budget } = work.input;
  const segments = summarisedSegments(chain, raw);
  let candidates = (await Promise.all(segments.map((one) => readCandidates(work.memory, chain, one)))).flat();
  let most = Math.max(0, Math.floor((room + 2 * GAP_TOKENS - raw.tokens) / SUMMARY_TOKENS));
  const known = new Map<StoredCandidate, SummaryLines | Warning>();
  for (let broken = 0; ;) {
    const spans = selectCover({ messages: chain.messages, ...raw, candidates, most });
    const chosen = spans.flatMap((span) => (span.kind === "summary" ? [span.candidate] : []));
    if (await readAll(work, chosen, known)) {
      broken += 1;
      // One that is missing is seldom alone.
      if (broken > 1) await readAll(work, candidates, known);
      candidates = candidates.filter((one) => !isBroken(known.get(one)));
      continue;
    }
    const entries = spans.flatMap((span): readonly Entry[] => {
      if (span.kind !== "summary") return [span];
      const lines = known.get(span.candidate);
      return lines === undefined || isWarning(lines) ? [] : [{ ...span, lines, shown: 0 }];
    });
    const draft = [...opening, ...entries];
    const over = (await costOf(work, draft.map(withFirstLine))) - budget;
    if (over <= 0 || chosen.length === 0) return draft;
    most = Math.min(most, chosen.length) - Math.max(1, Math.ceil(over / (2 * SUMMARY_TOKENS)));
    most = Math.max(0, most);
  }
}

function withFirstLine(entry: Entry): Entry {
  return hasLines(entry) ? { ...entry, shown: Math.min(1, entry.lines.count) } : entry;
}

function isBroken(lines: SummaryLines | Warning | undefined): boolean {
  return lines !== undefined && isWarning(lines);
}

/** Reads what was not read; whether one of these cannot be used. */
async function readAll(
  { memory, warnings }: Work,
  candidates: readonly StoredCandidate[],
  known: Map<StoredCandidate, SummaryLines | Warning>,
): Promise<boolean> {
  const open = candidates.filter((candidate) => !known.has(candidate));
  const read = open.map(async (candidate) => {
    const { artifact_id, to_seq } = candidate.checkpoint;
    const lines = await readSummaryLines(memory, { artifact_id, thread_id: candidate.segment.thread_id, to_seq });
    known.set(candidate, lines);
    return lines;
  });
  const bad = (await Promise.all(read)).filter(isWarning);
  pushAll(warnings, bad.slice(0, Math.max(0, MOST_WARNINGS - warnings.length)));
  return bad.length > 0;
}

const MOST_WARNINGS = 8;

async function dealLines(work: Work, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const withText = entries.filter(hasLines);
  const cost = (summary: number, line: number): number => {
    const entry = withText[summary];
    return entry === undefined ? 0 : work.memo.count(lineText(entry.lines.line(line)));
  };
  // A heading without lines is another, so what is not lines is counted with one of each.
  const firsts = withText.reduce((sum, { lines }, summary) => sum + (lines.count > 0 ? cost(summary, 0) : 0), 0);
  const space = work.input.budget - (await costOf(work, entries.map(withFirstLine))) + firsts;
  const { lines } = shareLines({ lines: withText.map((entry) => entry.lines.count), cost, space });
  return withLines(entries, lines);
}

/** What remains goes to older messages: those that no summary covers, and summaries whose messages all fit. */
async function fillOlder(work: Work, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const { newest, input } = work;
  let filled = entries;
  let left = input.budget - (await costOf(work, entries));
  for (;;) {
    const first = filled.findIndex(({ kind }) => kind === "raw");
    const older = filled[first - 1];
    if (older === undefined || older.kind === "opening" || older.kind === "raw") return filled;
    const taken = await takenBefore(newest, older, left + gainOf(work, older));
    const all = taken.from <= older.from;
    if (taken.from > older.to || (older.kind === "summary" && !all)) return filled;
    const rest = plain("uncovered", older.from, taken.from - 1);
    filled = merged(replaced(filled, older, [...rest, ...plain("raw", taken.from, older.to)]));
    left = input.budget - (await costOf(work, filled));
    if (!all || left <= 0) return filled;
  }
}

/** Tokens that are free when an entry goes. */
function gainOf({ memo }: Work, entry: Entry): number {
  if (entry.kind !== "summary") return 0;
  return Array.from({ length: entry.shown }, (_, index) => memo.count(lineText(entry.lines.line(index)))).reduce(
    (sum, tokens) => sum + tokens,
    0,
  );
}

async function takenBefore(
  newest: NewestMessages,
  { from, to }: { readonly from: number; readonly to: number },
  space: number,
): Promise<{ readonly from: number }> {
  let [first, left] = [to + 1, space];
  while (first > from) {
    const message = await newest.read(first - 1);
    if (message === undefined || message.tokens > left) break;
    left -= message.tokens;
    first -= 1;
  }
  return { from: first };
}

/** Leaves out what is over the budget: seldom anything, since all was counted before. The last count is of the whole text. */
async function fitted(work: Work, entries: readonly Entry[]): Promise<Compiled> {
  const { memory, memo, input, warnings } = work;
  let draft = entries;
  for (;;) {
    const context = await contextOf(work, draft);
    const isOver = memo.most(context) > input.budget;
    const tokens = isOver ? 0 : memory.tokens.count(printContext(context));
    const less = isOver || tokens > input.budget ? shrunk(draft) : undefined;
    if (less === undefined) {
      const checkpoints = draft.flatMap((entry) => (entry.kind === "summary" ? [entry.candidate.checkpoint] : []));
      return { context, tokens, checkpoints, warnings };
    }
    draft = less;
  }
}
