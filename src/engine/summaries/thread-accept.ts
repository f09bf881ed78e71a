import { MemoryError } from "../../base/errors.ts";
import type { AnswerRecord } from "../../summarize/answers/record.ts";
import type { StoredCheckpoint } from "../../ports/thread-store.ts";
import { ANSWER_NOTE, answeredSummary } from "../../thread/answered-summary.ts";
import { CUMULATIVE_KIND } from "../../thread/cut-points.ts";
import { cumulativeCheckpoint } from "../../thread/jobs.ts";
import { printSummary, type SummaryArtifact } from "../../thread/summary-format.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import { readSummary } from "../threads/block-lines.ts";
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
    const copies = await copiesAt(memory, thread_id, to_seq);
    // After it was dropped the built-in one is the newest again.
    if (copies[0] !== builtIn.artifact_id && copies.includes(summary_artifact_id))
      return { answer: undefined, frames: [] };
    const named = { cut_rule_id, summary_artifact_id, to_seq, to_message_id: to.id };
    return { answer: undefined, frames: [cumulativeCheckpoint(stamp(memory), { ...named, by })] };
  });
}

/**
 * Puts the built-in summary back where the one of an answer that was dropped is the newest at its cut: by a further checkpoint that names it, since a log is
 * only appended to. Does nothing where another one is. Errors: `busy`, those of the stores.
 */
export async function appendBuiltIn(memory: Memory, record: AnswerRecord, call: Call): Promise<void> {
  const [thread_id = "", seq = ""] = /^(.*)\.(\d+)$/u.exec(record.label)?.slice(1) ?? [];
  const to_seq = Number(seq);
  if ((await memory.files.list(".heartwood/threads")).length === 0) return;
  if ((await memory.threads.head(thread_id)) === undefined) return;
  await decide(memory, { thread_id, by, call }, async () => {
    const at = { to_seq_at_least: to_seq, to_seq_at_most: to_seq, limit: 1 };
    const [newest] = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, ...at });
    const summary = newest === undefined ? undefined : await readSummary(memory, newest.artifact_id);
    const builtIn = summary?.basis?.base_summary_artifact_id;
    const isOfAnswer = summary?.basis?.note === ANSWER_NOTE && summary.provenance.produced_by?.id === record.model;
    if (newest === undefined || newest.to_message_id === null || builtIn === undefined || !isOfAnswer)
      return { answer: undefined, frames: [] };
    const { cut_rule_id, to_message_id } = newest;
    const named = { cut_rule_id, summary_artifact_id: builtIn, to_seq, to_message_id };
    return { answer: undefined, frames: [cumulativeCheckpoint(stamp(memory), { ...named, by })] };
  });
}

/** The artifacts of the checkpoints at a cut, the latest frame first. */
async function copiesAt(memory: Memory, thread_id: string, to_seq: number): Promise<readonly string[]> {
  const at = { to_seq_at_least: to_seq, to_seq_at_most: to_seq, limit: mostCopies };
  const found = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, ...at });
  return found.map(({ artifact_id }) => artifact_id);
}

const mostCopies = 1000;
