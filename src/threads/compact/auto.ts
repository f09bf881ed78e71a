import { cutRuleId, type Cut } from "../plan/cut-points.ts";
import { spawnedSummarizer, SUMMARIZER_JOB, type Actor, type SummarizerDetails } from "../model/jobs.ts";
import type { FrameDraft } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { decide, stamp, type Decided } from "./decision.ts";
import { findBase } from "../compile/delta.ts";
import type * as I from "../run/inputs.ts";
import { runSummarizerJob } from "./job-run.ts";
import { planOf } from "./plan.ts";
import { mostCheckpointsOf, strideOf } from "./policy.ts";
import type * as R from "../run/results.ts";
import { summarizerOf } from "./summarizer.ts";
import { leaseOf, type Job } from "./work.ts";
import { checkProvenance, threadHead } from "../run/thread-head.ts";

/**
 * Makes cumulative summaries at the newest cuts that have none. Errors: `thread_not_found`, `invalid_stride`, `invalid_number`, `usage` (actor or origin), `busy`, and those
 * of the store before the job is spawned; afterwards a failure is the `error` of the result.
 */
export async function runAuto(memory: ThreadMemory, input: I.AutoInput, call: Call = {}): Promise<R.AutoResult> {
  const { thread_id } = input;
  const stride_messages = strideOf(input.stride_messages);
  const most = mostCheckpointsOf(input.max_new_checkpoints);
  checkProvenance(input);
  const by = { actor_id: input.actor_id, origin: input.origin };
  const noop = (message_count: number, planned: readonly Cut[]): R.AutoResult => ({
    thread_id,
    job_id: null,
    job_kind: null,
    status: "noop",
    stride_messages,
    message_count,
    cut_rule_id: cutRuleId(stride_messages),
    planned,
    result: [],
    error: null,
  });
  if (input.dry_run === true) {
    const head = await threadHead(memory, thread_id);
    return noop(head.message_count, await planOf(memory, head, { stride_messages, most }));
  }
  const decided = await decide(memory, { thread_id, by, call }, async ({ head }): Promise<Decided<Choice>> => {
    const planned = await planOf(memory, head, { stride_messages, most });
    const answer = noop(head.message_count, planned);
    if (planned.length === 0) return { answer: { answer }, frames: [] };
    const spawned = await spawn(memory, { thread_id, by, call, stride_messages, planned });
    return { answer: { answer, spawned }, frames: [spawned.frame], leases: [leaseOf(spawned.job)] };
  });
  if (decided.spawned === undefined) return decided.answer;
  const { job, details } = decided.spawned;
  const ended = await runSummarizerJob(memory, job, details);
  const { status, created, error } = ended;
  return { ...decided.answer, job_id: job.job_id, job_kind: job.job_kind, status, result: created, error };
}

interface Choice {
  readonly answer: R.AutoResult;
  readonly spawned?: Spawned;
}

/** A job that is about to be spawned: its frame, and what runs it. */
export interface Spawned {
  readonly frame: FrameDraft;
  readonly job: Job;
  readonly details: SummarizerDetails;
}

export async function spawn(
  memory: ThreadMemory,
  plan: {
    readonly thread_id: string;
    readonly by: Actor;
    readonly call: Call;
    readonly stride_messages: number;
    /** The latest first, and not empty. */
    readonly planned: readonly Cut[];
  },
): Promise<Spawned> {
  const { thread_id, by, call, stride_messages, planned } = plan;
  const first = planned.at(-1)?.to_seq ?? 0;
  const base = await findBase(memory, thread_id, first - 1);
  const details = {
    cut_rule_id: cutRuleId(stride_messages),
    stride_messages,
    planned,
    base_summary_artifact_id: base?.artifact_id ?? null,
    summarizer: summarizerOf(memory).id,
  };
  const job = { thread_id, job_id: memory.ids.next(), job_kind: SUMMARIZER_JOB, runner: memory.ids.next(), by, call };
  return { frame: spawnedSummarizer(stamp(memory), job.job_id, { ...details, by }), job, details };
}
