import { dealtOut } from "../plan/ladder.ts";
import { cumulativeSummary, MOST_CHARACTERS, spaceFor, type SummaryArtifact } from "../model/summary.ts";
import type { SummaryLine } from "../../base/summary-line.ts";
import { CUMULATIVE_KIND } from "../plan/cut-points.ts";
import type { Place } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import { type BlockLines, summarizerOf } from "./block-lines.ts";
import { readSummary, linesOfMarkdown } from "./read-summary.ts";

export interface Base {
  readonly artifact_id: string;
  readonly to_seq: number;
  readonly markdown: string;
}

const MOST_BASES = 1_000;

/** A thread's readable cumulative summary with the greatest `to_seq` up to `to_seq_at_most`, among the newest 1,000; null if there is none. */
export async function findBase(memory: ThreadMemory, thread_id: string, to_seq_at_most: number): Promise<Base | null> {
  const query = { thread_id, kind: CUMULATIVE_KIND, to_seq_at_most, limit: MOST_BASES };
  for (const { artifact_id, to_seq } of await memory.threads.checkpoints(query)) {
    const base = await readBase(memory, thread_id, artifact_id);
    if (base?.to_seq === to_seq) return base;
  }
  return null;
}

/** The cumulative summary with this id, if it belongs to this thread. */
export async function readBase(memory: ThreadMemory, threadId: string, artifactId: string): Promise<Base | undefined> {
  const summary = await readSummary(memory, artifactId);
  if (summary?.kind !== CUMULATIVE_KIND || summary.coverage.thread_id !== threadId) return undefined;
  return { artifact_id: artifactId, to_seq: summary.coverage.to_seq, markdown: summary.summary_markdown };
}

interface Work {
  readonly thread_id: string;
  readonly to: Place;
  readonly base: Base | null;
  /** Must provide lines at least up to `to`. */
  readonly source: BlockLines;
  /** Maximum characters of the printed lines. Default: the limit of a cumulative summary. */
  readonly space?: number;
}

/** The lines in a cumulative summary up to a message, made from a base and the messages since. Reads those messages in one pass, in bounded memory. */
export async function cumulativeLines(memory: ThreadMemory, work: Work): Promise<readonly SummaryLine[]> {
  const { thread_id, to, base, source, space = MOST_CHARACTERS } = work;
  const [covered] = base === null ? [] : await memory.threads.places(thread_id, [{ seq: base.to_seq }]);
  return summarizerOf(memory).cumulate({
    base: base === null ? [] : linesOfMarkdown(base.markdown, base.to_seq),
    delta: dealtOut(await source.ofRange(covered?.weight ?? 0, to.weight)),
    base_to_seq: base?.to_seq ?? 0,
    to_seq: to.seq,
    space: Math.min(space, spaceFor(to.ordinal)),
  });
}

export async function summaryUpTo(
  memory: ThreadMemory,
  work: Work & Pick<SummaryArtifact, "provenance">,
): Promise<SummaryArtifact> {
  const lines = await cumulativeLines(memory, work);
  const base_summary_artifact_id = work.base?.artifact_id ?? null;
  return cumulativeSummary({ ...work, lines, base_summary_artifact_id, summarizer: summarizerOf(memory).id });
}
