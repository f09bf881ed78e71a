import { MemoryError } from "../../base/errors.ts";
import { textOf, cutRuleId, policyId, type Cut, type Policy } from "../plan/thread-state.ts";
import { type Frame, frameOf, recordOf } from "../model/frame.ts";
import { errorSentence, LADDER_JOB, LEASE_ERROR, SUMMARIZER_JOB, type Actor } from "../model/job-frames.ts";
import type { OpenJob, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { makeCheckpoints, spawnSummarizer } from "./summarizer-job.ts";
import { decide, yieldTurn, abandoned, runJob, tryAppend, LEASE_MS } from "./jobs.ts";
import type { Decided, Task } from "./jobs.ts";
import type * as I from "../run/inputs.ts";
import { buildLadder, isRungMissing, makeRungs } from "./ladder-job.ts";
import { planOf, strideOf } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { checkProvenance, threadHead, frameAt, draftOf } from "../run/threads.ts";

/**
 * Decides whether to summarize a thread, records the decision and carries it out; with `all`, does so for every thread. Errors: `usage` (neither or
 * both of `thread_id` and `all`), `thread_not_found`, `invalid_stride`, `busy`, and store errors; job failures are in the result.
 */
export async function runSchedule(
  memory: ThreadMemory,
  input: I.ScheduleInput,
  call: Call = {},
): Promise<R.ScheduleResult | R.ScheduleAllResult> {
  const { actor_id, origin, stride_messages, max_new_checkpoints = 1, block_on_inflight = true } = input;
  const policy = { stride_messages: strideOf(stride_messages), max_new_checkpoints, block_on_inflight };
  const { execute = true, dry_run = false } = input;
  const order = { ...policy, by: { actor_id, origin }, call, execute, dry_run };
  checkProvenance(input);
  if ((input.thread_id === undefined) === (input.all === undefined))
    throw new MemoryError("usage", "Pass either thread_id or all.");
  if (input.thread_id !== undefined) return scheduleThread(memory, await threadHead(memory, input.thread_id), order);
  return scheduleAll(memory, order);
}

interface Order extends Policy {
  readonly by: Actor;
  readonly call: Call;
  readonly execute: boolean;
  readonly dry_run: boolean;
}

/** Checks every thread cheaply from its head, and processes only those with something to do. */
async function scheduleAll(memory: ThreadMemory, order: Order): Promise<R.ScheduleAllResult> {
  const { heads } = await memory.threads.heads({ limit: Number.MAX_SAFE_INTEGER });
  const threads: R.ScheduleResult[] = [];
  for (const [done, head] of heads.entries()) {
    if (done % 64 === 0) await yieldTurn();
    order.call.signal?.throwIfAborted();
    order.call.progress?.({ phase: "thread", done, total: heads.length });
    if (!(await isDue(memory, head, order))) continue;
    const result = await scheduleThread(memory, head, order).catch((error: unknown): R.ScheduleResult => {
      // A busy thread does not delay the others.
      if (!(error instanceof MemoryError) || error.code !== "busy") throw error;
      return { ...undecided(head, order, []), decision: "failed", error: errorSentence(error) };
    });
    if (result.planned.length > 0 || result.ladder !== null || result.decision !== "noop") threads.push(result);
  }
  return { threads, checked: heads.length };
}

async function isDue(memory: ThreadMemory, head: ThreadHead, order: Order): Promise<boolean> {
  if ((await planOf(memory, head, { ...order, max_new_checkpoints: 1 })).length > 0) return true;
  return order.execute && !order.dry_run && isRungMissing(memory, head);
}

async function scheduleThread(memory: ThreadMemory, head: ThreadHead, order: Order): Promise<R.ScheduleResult> {
  if (order.dry_run) return undecided(head, order, await planOf(memory, head, order));
  const { by, call, execute } = order;
  const task = { thread_id: head.thread_id, by, call };
  if (execute && call.spawn !== undefined) return spawnThread(memory, head, { order, task, spawn: call.spawn });
  // Rungs first: summaries are made from them, so messages are read only once for both.
  const ladder = execute ? await buildLadder(memory, task) : null;
  const { answer, job } = await decide(memory, task, (now, inflight) => choose(memory, now, { order, inflight }));
  if (!execute || job === undefined) return { ...answer, ladder };
  const { status, ...ended } = await runJob(memory, job, makeCheckpoints);
  return { ...answer, decision: status, ...ended, ladder };
}

/** Decides now and leaves the work to the caller's background. The job comes first, because its lease has begun. */
async function spawnThread(
  memory: ThreadMemory,
  head: ThreadHead,
  {
    order,
    task,
    spawn,
  }: { readonly order: Order; readonly task: Task; readonly spawn: Exclude<Call["spawn"], undefined> },
): Promise<R.ScheduleResult> {
  const { answer, job } = await decide(memory, task, (now, inflight) => choose(memory, now, { order, inflight }));
  if (job !== undefined || (await isRungMissing(memory, head)))
    spawn(async (signal) => {
      const call = { signal };
      if (job !== undefined) await runJob(memory, { ...job, call }, makeCheckpoints);
      await buildLadder(memory, { ...task, call });
    });
  return answer;
}

async function choose(
  memory: ThreadMemory,
  head: ThreadHead,
  { order, inflight }: { readonly order: Order; readonly inflight: readonly OpenJob[] },
): Promise<Decided<R.ScheduleResult>> {
  const { by, call, stride_messages, execute } = order;
  const planned = await planOf(memory, head, order);
  const result = undecided(head, order, planned);
  if (planned.length === 0) return { answer: result, frames: [] };
  const blocking = order.block_on_inflight ? inflight.find(({ kind }) => kind === SUMMARIZER_JOB) : undefined;
  if (blocking !== undefined) {
    const skipped = { ...result, decision: "skipped_inflight" } as const;
    // A blocking job is recorded only once, however often the schedule runs.
    if (await isSkipRecorded(memory, blocking)) return { answer: skipped, frames: [] };
    const reason = { kind: "inflight_job", job_id: blocking.job_id };
    const frame = decidedDraft(memory, skipped, { reason, ...by });
    return { answer: { ...skipped, decision_id: frame.id }, frames: [frame] };
  }
  const spawned = await spawnSummarizer(memory, { thread_id: head.thread_id, by, call }, { stride_messages, planned });
  const { job_id, job_kind } = spawned.job;
  const scheduled = { ...result, decision: "scheduled", job_id, job_kind } as const;
  const decided = decidedDraft(memory, scheduled, { job_id, job_kind, ...by });
  const answer = { ...scheduled, decision_id: decided.id };
  // A job left to `run_pending` has no lease.
  return { ...spawned, answer, frames: [...spawned.frames, decided], leases: execute ? spawned.leases : [] };
}

function decidedDraft(memory: ThreadMemory, result: R.ScheduleResult, more: object) {
  const { policy_id, decision, execute, stride_messages, max_new_checkpoints, block_on_inflight } = result;
  const { message_count, cut_rule_id, planned } = result;
  const policy = { stride_messages, max_new_checkpoints, block_on_inflight };
  const named = { policy_id, decision, execute, ...policy, message_count, cut_rule_id, planned, ...more };
  return draftOf(memory, "continuity_compaction_auto_schedule_decided", named, "decision_id");
}

async function isSkipRecorded(memory: ThreadMemory, { thread_id, job_id, seq }: OpenJob): Promise<boolean> {
  const types = ["continuity_compaction_auto_schedule_decided"] as const;
  const since = await memory.threads.frames({ thread_id, from_seq: seq + 1, types, limit: 10_000 });
  return since.some((stored) => recordOf(frameOf(stored)?.fields["reason"])["job_id"] === job_id);
}

function undecided(head: ThreadHead, order: Order, planned: readonly Cut[]): R.ScheduleResult {
  const { stride_messages, max_new_checkpoints, block_on_inflight, execute } = order;
  return {
    thread_id: head.thread_id,
    decision_id: null,
    policy_id: policyId(order),
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
 * Runs jobs that were spawned but not started, each with one runner and the actor and origin from its frame, and ends jobs whose runner died. Does
 * not run kinds of jobs that this program does not know. Errors: `thread_not_found`, store errors.
 */
export async function runPendingJobs(
  memory: ThreadMemory,
  { thread_id }: I.RunPendingInput,
  call: Call = {},
): Promise<R.RunPendingResult> {
  if (thread_id !== undefined) await threadHead(memory, thread_id);
  const open = await memory.threads.openJobs(thread_id === undefined ? {} : { thread_id });
  const jobs: R.RanJob[] = [];
  const dead: R.RanJob[] = [];
  for (const [done, job] of open.entries()) {
    call.signal?.throwIfAborted();
    call.progress?.({ phase: "job", done, total: open.length });
    const named = { thread_id: job.thread_id, job_id: job.job_id, job_kind: job.kind };
    if (job.lease === "over" && (await endDead(memory, job)))
      dead.push({ ...named, status: "failed", result: [], error: LEASE_ERROR });
    const isOurs = job.kind === SUMMARIZER_JOB || job.kind === LADDER_JOB;
    const ended = job.lease === "none" && isOurs ? await runLeft(memory, job, call) : undefined;
    if (ended !== undefined) jobs.push({ ...named, ...ended });
  }
  return { jobs, abandoned: dead };
}

/** `undefined` if another runner has taken the job. */
async function runLeft(memory: ThreadMemory, open: OpenJob, call: Call): Promise<R.Ended | undefined> {
  const { thread_id, job_id, kind } = open;
  const runner = memory.ids.next();
  if (!(await memory.threads.claim({ job_id, runner, lease_ms: LEASE_MS, action: "take" }))) return undefined;
  const spawned = await frameAt(memory, thread_id, open.seq);
  const details = spawned?.fields["details"];
  const job = { thread_id, job_id, job_kind: kind, details, runner, by: actorOf(spawned), call };
  return runJob(memory, job, kind === LADDER_JOB ? makeRungs : makeCheckpoints);
}

/** Ends a job whose lease expired, unless another process ended it or its runner is back. */
async function endDead(memory: ThreadMemory, job: OpenJob): Promise<boolean> {
  const by = actorOf(await frameAt(memory, job.thread_id, job.seq));
  for (;;) {
    const head = await threadHead(memory, job.thread_id);
    const open = await memory.threads.openJobs({ thread_id: job.thread_id, kind: job.kind });
    if (open.find(({ job_id }) => job_id === job.job_id)?.lease !== "over") return false;
    if ((await tryAppend(memory, head, [abandoned(memory, job, by)])) === "appended") return true;
  }
}

function actorOf(frame: Frame | undefined): Actor {
  const [actor_id, origin] = frame === undefined ? [] : [textOf(frame, "actor_id"), textOf(frame, "origin")];
  return { actor_id: actor_id ?? "heartwood", origin: origin ?? "run_pending" };
}
