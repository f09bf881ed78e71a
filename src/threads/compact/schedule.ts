import { MemoryError } from "../../base/errors.ts";
import { cutRuleId, policyId, type Cut, type Policy } from "../plan/cut-points.ts";
import { type Frame, frameOf, recordOf } from "../model/frame.ts";
import {
  decidedFrame,
  errorSentence,
  SUMMARIZER_JOB,
  ladderDetails,
  LADDER_JOB,
  LEASE_ERROR,
  summarizerDetails,
} from "../model/job-frames.ts";
import type { Actor } from "../model/job-frames.ts";
import type { OpenJob, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { spawn, type Spawned, runSummarizerJob } from "./summarizer-job.ts";
import { decide, yieldTurn, leaseOf, abandoned, tryAppend, LEASE_MS } from "./jobs.ts";
import type { Decided, DecisionView, Ended, Job } from "./jobs.ts";
import type * as I from "../run/inputs.ts";
import { buildLadder, isRungMissing, runLadderJob } from "./ladder-job.ts";
import { planOf, mostCheckpointsOf, strideOf } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { checkProvenance, threadHead, frameAt, allHeads, stamp } from "../run/threads.ts";

/**
 * Decides whether a thread is to be summarised, records the decision, and does it; with `all` for every thread. Errors: `usage` (not one of the two),
 * `thread_not_found`, `invalid_stride`, `invalid_number`, `busy`, and those of the store; what fails in a job is in the result.
 */
export async function runSchedule(
  memory: ThreadMemory,
  input: I.ScheduleInput,
  call: Call = {},
): Promise<R.ScheduleResult | R.ScheduleAllResult> {
  const order = orderOf(input, call);
  checkProvenance(input);
  if ((input.thread_id === undefined) === (input.all === undefined))
    throw new MemoryError("usage", "Give a thread_id or all, and not both.");
  if (input.thread_id !== undefined) return scheduleThread(memory, await threadHead(memory, input.thread_id), order);
  return scheduleAll(memory, order);
}

/** What is asked for, whatever the thread. */
interface Order extends Policy {
  readonly by: Actor;
  readonly call: Call;
  readonly mode: "dry_run" | "spawn" | "execute";
  /** As it was asked for, which a dry run repeats. */
  readonly execute: boolean;
}

function orderOf(input: I.ScheduleInput, call: Call): Order {
  const execute = input.execute ?? true;
  return {
    stride_messages: strideOf(input.stride_messages),
    max_new_checkpoints: mostCheckpointsOf(input.max_new_checkpoints),
    block_on_inflight: input.block_on_inflight ?? true,
    by: { actor_id: input.actor_id, origin: input.origin },
    call,
    mode: input.dry_run === true ? "dry_run" : execute ? "execute" : "spawn",
    execute,
  };
}

/** Every thread gets a cheap look from its head; only one with something to do is gone into. */
async function scheduleAll(memory: ThreadMemory, order: Order): Promise<R.ScheduleAllResult> {
  const heads = await allHeads(memory);
  const threads: R.ScheduleResult[] = [];
  for (const [done, head] of heads.entries()) {
    if (done % 64 === 0) await yieldTurn();
    order.call.signal?.throwIfAborted();
    order.call.progress?.({ phase: "thread", done, total: heads.length });
    if (!(await isDue(memory, head, order))) continue;
    const result = await scheduleOrFail(memory, head, order);
    if (result.planned.length > 0 || result.ladder !== null || result.decision !== "noop") threads.push(result);
  }
  return { threads, checked: heads.length };
}

async function isDue(memory: ThreadMemory, head: ThreadHead, { stride_messages, mode }: Order): Promise<boolean> {
  if ((await planOf(memory, head, { stride_messages, most: 1 })).length > 0) return true;
  return mode === "execute" && isRungMissing(memory, head);
}

/** One thread that others keep busy does not hold up the rest. */
async function scheduleOrFail(memory: ThreadMemory, head: ThreadHead, order: Order): Promise<R.ScheduleResult> {
  try {
    return await scheduleThread(memory, head, order);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "busy") throw error;
    return { ...undecided(head, order, []), decision: "failed", error: errorSentence(error) };
  }
}

async function scheduleThread(memory: ThreadMemory, head: ThreadHead, order: Order): Promise<R.ScheduleResult> {
  if (order.mode === "dry_run") return undecided(head, order, await planOf(memory, head, mostOf(order)));
  const { thread_id } = head;
  const { by, call, mode } = order;
  // The rungs come first, since a summary is made from them: so messages are read once for both.
  const ladder = mode === "execute" ? await buildLadder(memory, { thread_id, ...by }, call) : null;
  const { result, spawned } = await decide(memory, { thread_id, by, call }, (view) => choose(memory, view, order));
  return { ...(spawned === undefined ? result : await runSpawned(memory, result, spawned)), ladder };
}

interface Choice {
  readonly result: R.ScheduleResult;
  /** What is to be run now. */
  readonly spawned?: Spawned;
}

async function choose(memory: ThreadMemory, view: DecisionView, order: Order): Promise<Decided<Choice>> {
  const { head, inflight } = view;
  const planned = await planOf(memory, head, mostOf(order));
  const result = undecided(head, order, planned);
  if (planned.length === 0) return { answer: { result }, frames: [] };
  const blocking = order.block_on_inflight ? inflight.find(({ kind }) => kind === SUMMARIZER_JOB) : undefined;
  if (blocking !== undefined) return skip(memory, blocking, result);
  const { by, call, stride_messages, execute } = order;
  const spawned = await spawn(memory, { thread_id: head.thread_id, by, call, stride_messages, planned });
  const { job_id, job_kind } = spawned.job;
  const outcome = { decision: "scheduled", execute, job: { job_id, job_kind } } as const;
  const decided = decidedFrame(stamp(memory), { ...result, outcome, by });
  const scheduled = { ...result, decision_id: decided.id, decision: "scheduled", job_id, job_kind } as const;
  const frames = [spawned.frame, decided];
  return execute
    ? { answer: { result: scheduled, spawned }, frames, leases: [leaseOf(spawned.job)] }
    : { answer: { result: scheduled }, frames };

  /** That a job is in flight is said once, however often it is asked. */
  async function skip(from: ThreadMemory, job: OpenJob, planning: R.ScheduleResult): Promise<Decided<Choice>> {
    const skipped = { ...planning, decision: "skipped_inflight" } as const;
    if (await isSkipRecorded(from, job)) return { answer: { result: skipped }, frames: [] };
    const inflightOutcome = {
      decision: "skipped_inflight",
      execute: order.execute,
      inflight_job_id: job.job_id,
    } as const;
    const frame = decidedFrame(stamp(from), { ...planning, outcome: inflightOutcome, by: order.by });
    return { answer: { result: { ...skipped, decision_id: frame.id } }, frames: [frame] };
  }
}

async function isSkipRecorded(memory: ThreadMemory, { thread_id, job_id, seq }: OpenJob): Promise<boolean> {
  const types = ["continuity_compaction_auto_schedule_decided"];
  for (let from_seq = seq + 1; ;) {
    const found = await memory.threads.frames({ thread_id, from_seq, types, limit: 100 });
    if (found.some((stored) => recordOf(frameOf(stored)?.fields["reason"])["job_id"] === job_id)) return true;
    if (found.length < 100) return false;
    from_seq = (found.at(-1)?.seq ?? from_seq) + 1;
  }
}

async function runSpawned(
  memory: ThreadMemory,
  result: R.ScheduleResult,
  { job, details }: Spawned,
): Promise<R.ScheduleResult> {
  const { status, created, error } = await runSummarizerJob(memory, job, details);
  return { ...result, decision: status, result: created, error };
}

function mostOf({ stride_messages, max_new_checkpoints }: Policy) {
  return { stride_messages, most: max_new_checkpoints };
}

/** The answer before anything is decided: `noop`, with the plan. */
function undecided(head: ThreadHead, order: Order, planned: readonly Cut[]): R.ScheduleResult {
  const { stride_messages, max_new_checkpoints, block_on_inflight, execute } = order;
  return {
    thread_id: head.thread_id,
    decision_id: null,
    policy_id: policyId({ stride_messages, max_new_checkpoints, block_on_inflight }),
    decision: "noop",
    execute,
    stride_messages,
    max_new_checkpoints,
    block_on_inflight,
    message_count: head.message_count,
    cut_rule_id: cutRuleId(stride_messages),
    job_id: null,
    job_kind: null,
    planned,
    result: [],
    error: null,
    ladder: null,
  };
}

/**
 * Runs jobs that were spawned and left, each by one runner, with the actor and origin of their frames; and ends jobs whose runner died. Jobs of kinds
 * that this program does not know are left alone. Errors: `thread_not_found`, and those of the store.
 */
export async function runPendingJobs(
  memory: ThreadMemory,
  input: I.RunPendingInput,
  call: Call = {},
): Promise<R.RunPendingResult> {
  const { thread_id } = input;
  if (thread_id !== undefined) await threadHead(memory, thread_id);
  const open = await memory.threads.openJobs(thread_id === undefined ? {} : { thread_id });
  const jobs: R.RanJob[] = [];
  const dead: R.RanJob[] = [];
  for (const [done, job] of open.entries()) {
    call.signal?.throwIfAborted();
    call.progress?.({ phase: "job", done, total: open.length });
    if (job.lease === "over" && (await endDead(memory, job)))
      dead.push(ranJob(job, { status: "failed", created: [], error: LEASE_ERROR }));
    const ended = job.lease === "none" && KINDS.has(job.kind) ? await runLeft(memory, job, call) : undefined;
    if (ended !== undefined) jobs.push(ranJob(job, ended));
  }
  return { jobs, abandoned: dead };
}

const KINDS: ReadonlySet<string> = new Set([SUMMARIZER_JOB, LADDER_JOB]);

function ranJob({ thread_id, job_id, kind }: OpenJob, { status, created, error }: Ended): R.RanJob {
  return { thread_id, job_id, job_kind: kind, status, result: created, error };
}

/** `undefined` when another runner has taken it. */
async function runLeft(memory: ThreadMemory, open: OpenJob, call: Call): Promise<Ended | undefined> {
  const { thread_id, job_id, kind } = open;
  const runner = memory.ids.next();
  if (!(await memory.threads.claim({ job_id, runner, lease_ms: LEASE_MS, action: "take" }))) return undefined;
  const spawned = await frameAt(memory, thread_id, open.seq);
  const job: Job = { thread_id, job_id, job_kind: kind, runner, by: actorOf(spawned), call };
  const details = spawned?.fields["details"];
  return kind === LADDER_JOB
    ? runLadderJob(memory, job, ladderDetails(details))
    : runSummarizerJob(memory, job, summarizerDetails(details));
}

/** Ends a job whose lease is over, unless another process did or its runner is back. */
async function endDead(memory: ThreadMemory, job: OpenJob): Promise<boolean> {
  const by = actorOf(await frameAt(memory, job.thread_id, job.seq));
  for (;;) {
    const head = await threadHead(memory, job.thread_id);
    const open = await memory.threads.openJobs({ thread_id: job.thread_id, kind: job.kind });
    if (open.find(({ job_id }) => job_id === job.job_id)?.lease !== "over") return false;
    if ((await tryAppend(memory, { head, frames: [abandoned(memory, job, by)], leases: [] })) === "appended")
      return true;
  }
}

function actorOf(frame: Frame | undefined): { readonly actor_id: string; readonly origin: string } {
  const { actor_id, origin } = frame?.fields ?? {};
  return {
    actor_id: typeof actor_id === "string" ? actor_id : "heartwood",
    origin: typeof origin === "string" ? origin : "run_pending",
  };
}
