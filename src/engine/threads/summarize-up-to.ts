import { cumulativeSummary } from "../../thread/summary-of.ts";
import { printSummary, type SummaryArtifact } from "../../thread/summary-format.ts";
import { CUMULATIVE_KIND } from "../../thread/cut-points.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { yieldTurn } from "./decision.ts";
import { cumulativeLines, findBase } from "./delta.ts";
import type { Provenance } from "./inputs.ts";
import { summarizerOf } from "./summarizer.ts";

export interface SummaryPoint extends Provenance {
  readonly thread_id: string;
  readonly to_seq: number;
  readonly to_message_id: string | null;
}

/**
 * Makes a cumulative summary of a thread up to a frame, stores it, and returns its id; no frame names it yet. It builds on the newest cumulative
 * checkpoint before that frame, and is that checkpoint's own artifact when it ends at the last message. Errors: those of the stores.
 */
export async function summarizeUpTo(memory: Memory, point: SummaryPoint, call: Call): Promise<string> {
  const { thread_id, to_seq } = point;
  const [to] = await memory.threads.places(thread_id, [{ seq: to_seq }]);
  if (to === undefined) return memory.artifacts.put(printSummary(emptySummary(point)));
  const base = await findBase(memory, thread_id, to_seq);
  if (base !== null && base.to_seq >= to.seq) return base.artifact_id;
  memory.onWork?.();
  const onPage = async (): Promise<void> => {
    await yieldTurn();
    call.signal?.throwIfAborted();
  };
  const summarizer = summarizerOf(memory).id;
  const summary = cumulativeSummary({
    thread_id,
    to,
    lines: await cumulativeLines(memory, { thread_id, to, base, onPage }),
    provenance: provenanceOf(point, summarizer),
    base_summary_artifact_id: base?.artifact_id ?? null,
    summarizer,
  });
  return memory.artifacts.put(printSummary(summary));
}

function emptySummary(point: SummaryPoint): SummaryArtifact {
  const { thread_id, to_seq } = point;
  return {
    schema: "rip.compaction_summary.v1",
    kind: CUMULATIVE_KIND,
    coverage: { thread_id, from_seq: 0, to_seq },
    provenance: { actor_id: point.actor_id, origin: point.origin },
    summary_markdown: "# No messages\n",
  };
}

function provenanceOf({ actor_id, origin }: Provenance, summarizer: string): SummaryArtifact["provenance"] {
  return { actor_id, origin, produced_by: { type: "summarizer", id: summarizer } };
}
