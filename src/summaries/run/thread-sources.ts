import { redact } from "../../text/redact/redact.ts";
import type { Place } from "../../threads/store/thread-store.ts";
import type { SourceText, SourceTextLine } from "../../tree/answers/match.ts";
import { tellableLines } from "../request/tellable.ts";
import { stretchesOf } from "../../threads/plan/ladder.ts";
import type { SummaryLine, Utterance } from "../../base/summary-line.ts";
import type { SummaryMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { BlockLines } from "../../threads/run/block-lines.ts";
import { linesToBuildOn, type Base, summarizerOf } from "../../threads/run/cumulative-lines.ts";
import { RawReader } from "../../threads/run/raw-reader.ts";
import { pushAll } from "../../base/lists.ts";

/** A cut of a thread and the summary before it. */
export interface ThreadCut {
  readonly thread_id: string;
  readonly to: Place;
  readonly base: Base | null;
}

/** Weight of messages that are read themselves; of older ones the lines of the ladder stand for them. */
const mostRaw = 2 * 1024 * 1024;
/** Parts of the messages, so that each stretch of them has its share. */
const mostParts = 8;
const leastPart = 8192;
/** Weight of messages that are extracted from together, as of the finest rung. */
const together = 8192;
/** Characters of a line with its role; pieces of long lines are shorter. */
const longestText = 1_100;

/** What a model reads of a cut: the lines of the summary before it, then what came since, the old of a long stretch as lines of the ladder. Bounded memory. */
export async function threadSources(memory: SummaryMemory, cut: ThreadCut, call: Call): Promise<readonly SourceText[]> {
  const { thread_id, to, base } = cut;
  const [covered] = base === null ? [] : await memory.threads.places(thread_id, [{ seq: base.to_seq }]);
  const start = covered?.weight ?? 0;
  const [first] = await memory.threads.places(thread_id, [{ weight: Math.max(start, to.weight - mostRaw) }]);
  const from = first?.weight_before ?? start;
  const before = base === null ? [] : linesToBuildOn(base.markdown, base.to_seq);
  const older = from > start ? await linesOfLadder(memory, cut, { from: start, to: from, call }) : [];
  return [
    { name: `${thread_id}: before`, lines: toldLines(before) },
    { name: `${thread_id}: earlier`, lines: toldLines(older) },
    ...(await readMessages(memory, cut, { seq: first?.seq ?? 0, weight: from, call })),
  ].filter(({ lines }) => lines.length > 0);
}

/** Lines of summaries; those that come first count most. */
function toldLines(lines: readonly SummaryLine[]): readonly SourceTextLine[] {
  return lines
    .map(({ seq, role, text }, at): SourceTextLine => ({
      text: `${role}: ${text}`,
      refs: [],
      seq,
      weight: lines.length - at,
    }))
    .toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
}

async function linesOfLadder(
  memory: SummaryMemory,
  { thread_id, to }: ThreadCut,
  range: { readonly from: number; readonly to: number; readonly call: Call },
): Promise<readonly SummaryLine[]> {
  const onPage = pageOf(range.call);
  const source = new BlockLines(memory, { thread_id, end: to, summarizer: summarizerOf(memory), onPage });
  const lines: SummaryLine[] = [];
  for (const stretch of stretchesOf(range.from, range.to))
    pushAll(
      lines,
      stretch.kind === "block" ? await source.ofBlock(stretch.block) : await source.ofRagged(stretch.from, stretch.to),
    );
  return lines;
}

function pageOf({ signal }: Call): () => Promise<void> {
  return async () => signal?.throwIfAborted();
}

/** The messages from one on, line by line, in a few parts; lines that the built-in summarizer chooses weigh more. */
async function readMessages(
  memory: SummaryMemory,
  { thread_id, to }: ThreadCut,
  start: { readonly seq: number; readonly weight: number; readonly call: Call },
): Promise<readonly SourceText[]> {
  const reader = new RawReader(memory.threads, thread_id, pageOf(start.call));
  reader.begin(start, to.seq);
  const size = Math.max(leastPart, Math.ceil((to.weight - start.weight) / mostParts));
  const parts: SourceText[] = [];
  for (let part = start.weight; part < to.weight; part += size) {
    const lines: SourceTextLine[] = [];
    for (let end = part; end < Math.min(part + size, to.weight);) {
      end = Math.min(end + together, part + size, to.weight);
      pushAll(lines, linesOf(memory, await reader.take(end)));
    }
    const [oldest, newest] = [lines[0]?.seq, lines.at(-1)?.seq];
    if (lines.length > 0) parts.push({ name: `${thread_id}: #${oldest} to #${newest}`, lines });
  }
  return parts;
}

function linesOf(memory: SummaryMemory, said: readonly Utterance[]): readonly SourceTextLine[] {
  const chosen = new Map<number, string[]>();
  for (const { seq, text } of said.length === 0 ? [] : summarizerOf(memory).extract(said))
    chosen.set(seq, [...(chosen.get(seq) ?? []), text.slice(0, 40)]);
  return said.flatMap(({ seq, role, text }) => {
    const beginnings = chosen.get(seq) ?? [];
    return tellableLines([{ text: redact(text).text, refs: [], seq }])
      .filter((line) => line.text.trim() !== "")
      .map((line) => ({ ...line, text: `${role}: ${line.text.trim().slice(0, longestText)}`.toWellFormed() }))
      .map((line) => ({ ...line, weight: weightOf(line.text, beginnings) }));
  });
}

function weightOf(text: string, chosen: readonly string[]): number {
  if (chosen.length === 0) return 0;
  return chosen.some((beginning) => text.includes(beginning)) ? 2 : 1;
}
