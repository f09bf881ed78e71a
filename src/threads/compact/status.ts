import { CUMULATIVE_KIND, type Cut } from "../plan/cut-points.ts";
import { type Frame, frameOf, recordOf } from "../model/frame.ts";
import { SUMMARIZER_JOB, type Created } from "../model/job-frames.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type * as I from "../run/inputs.ts";
import { planOf, strideOf } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { threadHead } from "../run/threads.ts";

/** The state of a thread's summaries; bounded work at any length. Errors: `thread_not_found`, `invalid_stride`. */
export async function readCompactionStatus(
  memory: ThreadMemory,
  input: I.StatusInput,
  _call: Call = {},
): Promise<R.CompactionStatusResult> {
  const stride_messages = strideOf(input.stride_messages);
  const head = await threadHead(memory, input.thread_id);
  const { thread_id, message_count } = head;
  const open = await memory.threads.openJobs({ thread_id, kind: SUMMARIZER_JOB });
  const [next] = await planOf(memory, head, { stride_messages, most: 1 });
  return {
    thread_id,
    stride_messages,
    message_count,
    latest_checkpoint: await latestCheckpoint(memory, thread_id),
    next_cut_point: next ?? null,
    inflight_job_id: open.at(-1)?.job_id ?? null,
    last_schedule_decision: await lastDecision(memory, thread_id),
    last_job_outcome: await lastOutcome(memory, thread_id),
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

async function lastDecision(memory: ThreadMemory, thread_id: string): Promise<R.ScheduleDecision | null> {
  const types = ["continuity_compaction_auto_schedule_decided"];
  const [last] = await memory.threads.frames({ thread_id, types, order: "descending", limit: 1 });
  const frame = frameOf(last);
  if (frame === undefined) return null;
  const { fields, id, seq, timestamp_ms } = frame;
  return {
    decision_id: textOf(fields["decision_id"]) ?? id,
    policy_id: textOf(fields["policy_id"]) ?? "",
    decision: textOf(fields["decision"]) ?? "",
    execute: fields["execute"] === true,
    stride_messages: countOf(fields["stride_messages"]),
    max_new_checkpoints: countOf(fields["max_new_checkpoints"]),
    block_on_inflight: fields["block_on_inflight"] === true,
    message_count: countOf(fields["message_count"]),
    cut_rule_id: textOf(fields["cut_rule_id"]) ?? "",
    planned: listOf(fields["planned"]) as readonly Cut[],
    job_id: textOf(fields["job_id"]),
    job_kind: textOf(fields["job_kind"]),
    ...actorOf(frame),
    seq,
    timestamp_ms,
  };
}

/** Ladder jobs end far more often than summarizer jobs, and the work here stays bounded: of ended jobs the newest so many are looked at. */
const MOST_ENDED = 2_000;
const PAGE = 100;

async function lastOutcome(memory: ThreadMemory, thread_id: string): Promise<R.JobOutcome | null> {
  const types = ["continuity_job_ended"];
  let to_seq = Number.MAX_SAFE_INTEGER;
  for (let seen = 0; seen < MOST_ENDED; seen += PAGE) {
    const page = await memory.threads.frames({ thread_id, types, to_seq, order: "descending", limit: PAGE });
    const ended = page.map(frameOf).find((frame) => frame?.fields["job_kind"] === SUMMARIZER_JOB);
    if (ended !== undefined) return outcomeOf(ended);
    if (page.length < PAGE) return null;
    to_seq = (page.at(-1)?.seq ?? 0) - 1;
  }
  return null;
}

function outcomeOf(frame: Frame): R.JobOutcome {
  const { fields, seq, timestamp_ms } = frame;
  return {
    job_id: textOf(fields["job_id"]) ?? "",
    job_kind: textOf(fields["job_kind"]) ?? "",
    status: textOf(fields["status"]) ?? "",
    error: textOf(fields["error"]),
    created: listOf(recordOf(fields["result"])["created"]) as readonly Created[],
    ...actorOf(frame),
    seq,
    timestamp_ms,
  };
}

function actorOf({ fields }: Frame): { readonly actor_id: string; readonly origin: string } {
  return { actor_id: textOf(fields["actor_id"]) ?? "", origin: textOf(fields["origin"]) ?? "" };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function countOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
