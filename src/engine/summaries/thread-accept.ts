import { MemoryError } from "../../base/errors.ts";
import type { AnswerRecord } from "../../summarize/answers/record.ts";
import type { StoredCheckpoint } from "../../ports/thread-store.ts";
import { answeredSummary } from "../../thread/answered-summary.ts";
import { CUMULATIVE_KIND } from "../../thread/cut-points.ts";
import { cumulativeCheckpoint } from "../../thread/jobs.ts";
import { printSummary, type SummaryArtifact } from "../../thread/summary-format.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { decide, stamp } from "../threads/decision.ts";

/** Who lets the checkpoints of recorded answers be appended. */
const by = { actor_id: "heartwood", origin: "summaries" } as const;

/**
 * Stores the summary that an accepted answer gives and appends a further checkpoint at the cut of the built-in one, by the same rule: the later of two
 * counts. Appends nothing where that checkpoint is there already. Errors: `not_a_message`, `thread_not_found`, `busy`, and those of the stores.
 */
export async function appendAnswered(
  memory: Memory,
  answered: {
    readonly record: AnswerRecord;
    readonly builtIn: { readonly artifact_id: string; readonly summary: SummaryArtifact };
    /** That of the built-in summary. */
    readonly checkpoint: StoredCheckpoint;
  },
  call: Call,
): Promise<void> {
  const { record, builtIn, checkpoint } = answered;
  const { thread_id } = builtIn.summary.coverage;
  const { to_seq, cut_rule_id } = checkpoint;
  const [to] = await memory.threads.places(thread_id, [{ seq: to_seq }]);
  if (to?.seq !== to_seq)
    throw new MemoryError("not_a_message", `The frame ${to_seq} of thread ${thread_id} is no message.`, { thread_id });
  const summary = answeredSummary({ to, answer: record.summary, model: record.model, builtIn });
  const summary_artifact_id = await memory.artifacts.put(printSummary(summary));
  await decide(memory, { thread_id, by, call }, async () => {
    if (await isThere(memory, { thread_id, to_seq, artifact_id: summary_artifact_id }))
      return { answer: undefined, frames: [] };
    const named = { cut_rule_id, summary_artifact_id, to_seq, to_message_id: to.id };
    return { answer: undefined, frames: [cumulativeCheckpoint(stamp(memory), { ...named, by })] };
  });
}

async function isThere(
  memory: Memory,
  of: { readonly thread_id: string; readonly to_seq: number; readonly artifact_id: string },
): Promise<boolean> {
  const { thread_id, to_seq, artifact_id } = of;
  const at = { to_seq_at_least: to_seq, to_seq_at_most: to_seq, limit: mostCopies };
  const found = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, ...at });
  return found.some((checkpoint) => checkpoint.artifact_id === artifact_id);
}

const mostCopies = 1000;
