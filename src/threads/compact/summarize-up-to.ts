import { CUMULATIVE_KIND } from "../plan/cut-points.ts";
import type { SummaryLine } from "../model/summarizer.ts";
import { cumulativeSummary, MOST_CHARACTERS } from "../model/summary-of.ts";
import { printLine, printSummary, type SummaryArtifact } from "../model/summary-format.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { readSummary } from "../run/block-lines.ts";
import { readChain, type Beginning, type Chain, type Segment } from "../compile/context-chain.ts";
import { yieldTurn } from "./decision.ts";
import { cumulativeLines, findBase, linesToBuildOn, type Base } from "../compile/delta.ts";
import type { Provenance } from "../run/inputs.ts";
import { summarizerOf } from "./summarizer.ts";
import { threadHead } from "../run/thread-head.ts";

export interface SummaryPoint extends Provenance {
  readonly thread_id: string;
  readonly to_seq: number;
  readonly to_message_id: string | null;
}

/**
 * Makes a cumulative summary of a thread up to a frame, stores it, and returns its id; no frame names it yet. It builds on the newest cumulative
 * checkpoint before that frame, and is that checkpoint's own artifact when it ends at the last message. What stands before the thread, in the
 * parents of a branch or in the summary of a handoff, is told after it. Errors: `thread_not_found`, and those of the stores.
 */
export async function summarizeUpTo(memory: ThreadMemory, point: SummaryPoint, call: Call): Promise<string> {
  const head = await threadHead(memory, point.thread_id);
  const chain = await readChain(memory, { head, seq: point.to_seq });
  const own = chain.segments.at(-1);
  const base = await findBase(memory, point.thread_id, point.to_seq);
  const isAlone = chain.segments.length === 1 && chain.beginning === null;
  if (isAlone && base !== null && base.to_seq >= (own?.last?.seq ?? 0)) return base.artifact_id;
  memory.onWork?.();
  const before = await linesBefore(memory, chain, call);
  // The newest gets half of the space, and what stands before it the other.
  const space = before.length === 0 ? MOST_CHARACTERS : MOST_CHARACTERS / 2;
  const lines = own === undefined ? [] : await segmentLines(memory, own, { base, space, call });
  const summary = summaryOf(memory, point, { own, base, lines });
  const summary_markdown = summary.summary_markdown + before;
  return memory.artifacts.put(printSummary({ ...summary, summary_markdown }));
}

/** The parents and what was handed over, the newest first, each with half of the space that is left; empty without any. */
async function linesBefore(memory: ThreadMemory, chain: Chain, call: Call): Promise<string> {
  let told = "";
  const tell = (thread: string, lines: readonly SummaryLine[]): void => {
    if (lines.length === 0) return;
    told += `\n# Before, in the thread ${thread}\n\n${lines.map((line) => `${printLine(line)}\n`).join("")}`;
  };
  for (const segment of chain.segments.slice(0, -1).toReversed()) {
    const base = await findBase(memory, segment.thread_id, segment.to_seq);
    const space = shareOf(told);
    if (space < LEAST_SHARE) return told;
    tell(segment.thread_id, await segmentLines(memory, segment, { base, space, call }));
  }
  const { beginning } = chain;
  if (beginning?.kind === "handoff" && shareOf(told) >= LEAST_SHARE)
    tell(beginning.thread_id, await handedOver(memory, beginning, shareOf(told)));
  return told;
}

const LEAST_SHARE = 300;

/** Half of what is left of the older half, without the heading. */
function shareOf(told: string): number {
  return Math.floor((MOST_CHARACTERS / 2 - told.length) / 2) - 150;
}

async function segmentLines(
  memory: ThreadMemory,
  { thread_id, last }: Segment,
  { base, space, call }: { readonly base: Base | null; readonly space: number; readonly call: Call },
): Promise<readonly SummaryLine[]> {
  if (last === undefined) return [];
  const onPage = async (): Promise<void> => {
    await yieldTurn();
    call.signal?.throwIfAborted();
  };
  return cumulativeLines(memory, { thread_id, to: last, base, space, onPage });
}

async function handedOver(
  memory: ThreadMemory,
  { artifact_id, markdown, to_seq }: Extract<Beginning, { readonly kind: "handoff" }>,
  space: number,
): Promise<readonly SummaryLine[]> {
  const text = artifact_id === null ? markdown : (await readSummary(memory, artifact_id))?.summary_markdown;
  const lines = linesToBuildOn(text ?? "", to_seq);
  // They may be of several threads, whose seqs cannot be compared: so age is told by their order, the newest first.
  const to = lines.length;
  const base = lines.map((line, age) => ({ ...line, seq: to - age }));
  const chosen = summarizerOf(memory).cumulate({ base, delta: [], base_to_seq: to, to_seq: to, space });
  return chosen.map((line) => lines[to - line.seq] ?? line);
}

function summaryOf(
  memory: ThreadMemory,
  { thread_id, to_seq, actor_id, origin }: SummaryPoint,
  made: {
    readonly own: Segment | undefined;
    readonly base: Base | null;
    readonly lines: readonly SummaryLine[];
  },
): SummaryArtifact {
  const { own, base, lines } = made;
  const summarizer = summarizerOf(memory).id;
  const provenance = { actor_id, origin, produced_by: { type: "summarizer", id: summarizer } };
  if (own?.last !== undefined) {
    const base_summary_artifact_id = base?.artifact_id ?? null;
    return cumulativeSummary({ thread_id, to: own.last, lines, provenance, base_summary_artifact_id, summarizer });
  }
  return {
    schema: "rip.compaction_summary.v1",
    kind: CUMULATIVE_KIND,
    coverage: { thread_id, from_seq: 0, to_seq },
    provenance,
    summary_markdown: "# No messages\n",
  };
}
