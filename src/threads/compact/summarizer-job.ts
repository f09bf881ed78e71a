import { cutRuleId, type Cut } from "../plan/thread-state.ts";
import { SUMMARIZER_JOB, type Created, summarizerDetails, type SummarizerDetails } from "../model/job-frames.ts";
import type { FrameDraft } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { decide, type Decided, pulseOf, runJob, runnable, spawnJob } from "./jobs.ts";
import type { Job, Made, Spawned, Task } from "./jobs.ts";
import { checkpointDraft, checkProvenance } from "../run/threads.ts";
import { BlockLines, summarizerOf, findBase, readBase, summaryUpTo, type Base } from "../run/block-lines.ts";
import type * as I from "../run/inputs.ts";
import { planOf, strideOf } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { MemoryError } from "../../base/errors.ts";
import { printSummary } from "../model/summary.ts";

/**
 * Makes cumulative summaries at the newest cut points that have none. Errors: `thread_not_found`, `invalid_stride`, `usage` (actor or origin),
 * `busy`, and store errors until the job is spawned; later failures are in the result's `error`.
 */
export async function runAuto(memory: ThreadMemory, input: I.AutoInput, call: Call = {}): Promise<R.AutoResult> {
  const { thread_id, actor_id, origin, max_new_checkpoints = 1 } = input;
  const stride_messages = strideOf(input.stride_messages);
  checkProvenance(input);
  const task = { thread_id, by: { actor_id, origin }, call };
  const { answer, job } = await decide(memory, task, async (head): Promise<Decided<R.AutoResult>> => {
    const planned = await planOf(memory, head, { stride_messages, max_new_checkpoints });
    const noop: R.AutoResult = {
      thread_id,
      job_id: null,
      job_kind: null,
      status: "noop",
      stride_messages,
      message_count: head.message_count,
      cut_rule_id: cutRuleId(stride_messages),
      planned,
      result: [],
      error: null,
    };
    if (input.dry_run === true || planned.length === 0) return { answer: noop, frames: [] };
    return { ...(await spawnSummarizer(memory, task, { stride_messages, planned })), answer: noop };
  });
  if (job === undefined) return answer;
  const { job_id, job_kind } = job;
  const spawned = { ...answer, job_id, job_kind, status: "spawned" } as const;
  if (call.spawn === undefined) return { ...spawned, ...(await runJob(memory, job, makeCheckpoints)) };
  call.spawn((signal) => runJob(memory, { ...job, call: { signal } }, makeCheckpoints));
  return spawned;
}

/** `planned`: newest first, not empty. */
export async function spawnSummarizer(
  memory: ThreadMemory,
  task: Task,
  { stride_messages, planned }: { readonly stride_messages: number; readonly planned: readonly Cut[] },
): Promise<Spawned> {
  const base = await findBase(memory, task.thread_id, (planned.at(-1)?.to_seq ?? 0) - 1);
  const details: SummarizerDetails = {
    schema: "rip.job.compaction_summarizer.v1",
    cut_rule_id: cutRuleId(stride_messages),
    stride_messages,
    planned,
    base_summary_artifact_id: base?.artifact_id ?? null,
    summarizer: summarizerOf(memory).id,
  };
  return spawnJob(memory, task, { job_kind: SUMMARIZER_JOB, details });
}

/**
 * Makes the summaries of a job from the details in its frame. Processes cut points in ascending order, using each summary as the base of the next;
 * an artifact is stored before the frame that names it.
 */
export async function makeCheckpoints(memory: ThreadMemory, job: Job): Promise<Made> {
  const frames: FrameDraft[] = [];
  const created: Created[] = [];
  try {
    const { planned, cut_rule_id, base_summary_artifact_id } = runnable(memory, job, summarizerDetails);
    const onPage = pulseOf(memory, job);
    let base = await recordedBase(memory, job.thread_id, base_summary_artifact_id);
    const cuts = planned.toSorted((a, b) => a.to_seq - b.to_seq);
    for (const [done, cut] of cuts.entries()) {
      job.call.progress?.({ phase: "checkpoint", done, total: cuts.length });
      await onPage();
      base = await summarizeCut(memory, job, { cut, base, onPage });
      const { to_seq, to_message_id } = cut;
      const summary_artifact_id = base.artifact_id;
      const frame = checkpointDraft(memory, { cut_rule_id, summary_artifact_id, to_seq, to_message_id }, job.by);
      frames.push(frame);
      created.push({ checkpoint_id: frame.id, summary_artifact_id, to_seq, to_message_id, cut_rule_id });
    }
    return { frames, created };
  } catch (failure) {
    return { frames, created, failure };
  }
}

/** Makes and stores the summary of one cut point; it becomes the base of the next. */
async function summarizeCut(
  memory: ThreadMemory,
  { thread_id, job_id, by }: Job,
  { cut, base, onPage }: { readonly cut: Cut; readonly base: Base | null; readonly onPage: () => Promise<void> },
): Promise<Base> {
  // A job may come from another program, so its cut points are checked.
  const [to] = await memory.threads.places(thread_id, [{ seq: cut.to_seq }]);
  if (to?.seq !== cut.to_seq || to.id !== cut.to_message_id)
    throw new MemoryError(
      "not_a_message",
      `The job plans a cut at seq ${cut.to_seq} with message ${cut.to_message_id.slice(0, 64)}, which does not exist.`,
    );
  const source = new BlockLines(memory, { thread_id, end: to, onPage });
  const provenance = { ...by, produced_by: { type: "job", id: job_id } };
  const summary = await summaryUpTo(memory, { thread_id, to, base, source, provenance });
  const artifact_id = await memory.artifacts.put(printSummary(summary));
  return { artifact_id, to_seq: to.seq, markdown: summary.summary_markdown };
}

async function recordedBase(memory: ThreadMemory, threadId: string, id: string | null): Promise<Base | null> {
  if (id === null) return null;
  const base = await readBase(memory, threadId, id);
  if (base !== undefined) return base;
  throw new MemoryError(
    "artifact_not_found",
    `The summary ${id.slice(0, 64)} that the job builds on cannot be read; the next schedule chooses another.`,
  );
}
