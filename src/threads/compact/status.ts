import { textOf, CUMULATIVE_KIND, type Cut } from "../plan/thread-state.ts";
import { type Frame, frameOf, recordOf } from "../model/frame.ts";
import { SUMMARIZER_JOB, type Created } from "../model/job-frames.ts";
import type { ThreadMemory } from "../memory.ts";
import type * as I from "../run/inputs.ts";
import { planOf, strideOf } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { threadHead } from "../run/threads.ts";

/** The state of a thread's summaries; the work is bounded, however long the thread is. Errors: `thread_not_found`, `invalid_stride`. */
export async function readCompactionStatus(
  memory: ThreadMemory,
  input: I.StatusInput,
): Promise<R.CompactionStatusResult> {
  const stride_messages = strideOf(input.stride_messages);
  const head = await threadHead(memory, input.thread_id);
  const { thread_id, message_count } = head;
  // A store across a network answers them at once.
  const [open, [next], latest, decision, outcome] = await Promise.all([
    memory.threads.openJobs({ thread_id, kind: SUMMARIZER_JOB }),
    planOf(memory, head, { stride_messages, max_new_checkpoints: 1 }),
    latestCheckpoint(memory, thread_id),
    lastDecision(memory, thread_id),
    lastOutcome(memory, thread_id),
  ]);
  return {
    thread_id,
    stride_messages,
    message_count,
    latest_checkpoint: latest,
    next_cut_point: next ?? null,
    inflight_job_id: open.at(-1)?.job_id ?? null,
    last_schedule_decision: decision,
    last_job_outcome: outcome,
  };
}

async function latestCheckpoint(
  memory: ThreadMemory,
  thread_id: string,
): Promise<R.CompactionStatusResult["latest_checkpoint"]> {
  const [latest] = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, limit: 1 });
  if (latest === undefined) return null;
  const { checkpoint_id, cut_rule_id, kind, artifact_id, to_seq, to_message_id } = latest;
  return { checkpoint_id, cut_rule_id, summary_kind: kind, summary_artifact_id: artifact_id, to_seq, to_message_id };
}

async function lastDecision({ threads }: ThreadMemory, thread_id: string): Promise<R.ScheduleDecision | null> {
  const types = ["continuity_compaction_auto_schedule_decided"] as const;
  const frame = frameOf((await threads.frames({ thread_id, types, order: "descending", limit: 1 }))[0]);
  if (frame === undefined) return null;
  const { fields } = frame;
  return {
    decision_id: textOf(frame, "decision_id") ?? frame.id,
    policy_id: textOf(frame, "policy_id") ?? "",
    decision: textOf(frame, "decision") ?? "",
    execute: fields["execute"] === true,
    stride_messages: countOf(fields["stride_messages"]),
    max_new_checkpoints: countOf(fields["max_new_checkpoints"]),
    block_on_inflight: fields["block_on_inflight"] === true,
    message_count: countOf(fields["message_count"]),
    cut_rule_id: textOf(frame, "cut_rule_id") ?? "",
    planned: listOf(fields["planned"]) as readonly Cut[],
    job_id: textOf(frame, "job_id"),
    job_kind: textOf(frame, "job_kind"),
    ...recordedIn(frame),
  };
}

/** To bound the work, only this many of the newest ended jobs are considered: ladder jobs end far more often than summarizer jobs. */
const MOST_ENDED = 2_000;

async function lastOutcome({ threads }: ThreadMemory, thread_id: string): Promise<R.JobOutcome | null> {
  const types = ["continuity_job_ended"] as const;
  const ended = await threads.frames({ thread_id, types, order: "descending", limit: MOST_ENDED });
  const frame = frameOf(ended.find((stored) => frameOf(stored)?.fields["job_kind"] === SUMMARIZER_JOB));
  if (frame === undefined) return null;
  return {
    job_id: textOf(frame, "job_id") ?? "",
    job_kind: SUMMARIZER_JOB,
    status: textOf(frame, "status") ?? "",
    error: textOf(frame, "error"),
    created: listOf(recordOf(frame.fields["result"])["created"]) as readonly Created[],
    ...recordedIn(frame),
  };
}

function recordedIn(frame: Frame) {
  const { seq, timestamp_ms } = frame;
  return { actor_id: textOf(frame, "actor_id") ?? "", origin: textOf(frame, "origin") ?? "", seq, timestamp_ms };
}

function countOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
