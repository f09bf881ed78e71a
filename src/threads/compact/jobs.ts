import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft } from "../model/frame.ts";
import { endedJob, LEASE_ERROR, type Actor, errorSentence, type Created, type JobRef } from "../model/job-frames.ts";
import type { Lease, OpenJob, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { threadHead, stamp } from "../run/threads.ts";

/** What a decision is made from, besides what it reads for itself. */
export interface DecisionView {
  readonly head: ThreadHead;
  /** Spawned, not ended, and its runner has not been silent for too long. */
  readonly inflight: readonly OpenJob[];
}

/** An answer, and the frames to append for it; without frames nothing is appended. */
export interface Decided<Answer> {
  readonly answer: Answer;
  readonly frames: readonly FrameDraft[];
  readonly leases?: readonly Lease[];
}

/**
 * Makes a decision for the frames of a thread and appends it, unless another decision came in between; then it decides again. Jobs whose lease is over
 * are ended in the same transaction. Error: `busy` when others were faster fifty times.
 */
export async function decide<Answer>(
  memory: ThreadMemory,
  thread: { readonly thread_id: string; readonly by: Actor; readonly call: Call },
  choose: (view: DecisionView) => Promise<Decided<Answer>>,
): Promise<Answer> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    thread.call.signal?.throwIfAborted();
    const head = await threadHead(memory, thread.thread_id);
    const open = await memory.threads.openJobs({ thread_id: thread.thread_id });
    const { answer, frames, leases } = await choose({ head, inflight: open.filter((job) => job.lease !== "over") });
    if (frames.length === 0) return answer;
    const dead = open.filter((job) => job.lease === "over").map((job) => abandoned(memory, job, thread.by));
    const outcome = await tryAppend(memory, { head, frames: [...dead, ...frames], leases: leases ?? [] });
    if (outcome === "appended") return answer;
    await pause(Math.min(2 ** attempt, LONGEST_PAUSE_MS));
  }
  throw new MemoryError(
    "busy",
    `Others decided about thread ${thread.thread_id} ${MOST_ATTEMPTS} times while this was decided: try again.`,
    { thread_id: thread.thread_id },
  );
}

const MOST_ATTEMPTS = 50;
const LONGEST_PAUSE_MS = 32;

/** The frame that ends a job whose runner died. */
export function abandoned(memory: ThreadMemory, job: OpenJob, by: Actor): FrameDraft {
  const { job_id, kind } = job;
  return endedJob(stamp(memory), { job_id, job_kind: kind, status: "failed", error: LEASE_ERROR, by });
}

/** Appends frames that follow from what was read of a thread; `overtaken` when another decision was appended since. */
export async function tryAppend(
  memory: ThreadMemory,
  decided: { readonly head: ThreadHead; readonly frames: readonly FrameDraft[]; readonly leases: readonly Lease[] },
): Promise<"appended" | "overtaken"> {
  const { head, frames, leases } = decided;
  try {
    await memory.threads.append({
      thread_id: head.thread_id,
      frames,
      expected_decision_seq: head.decision_seq,
      ...(leases.length === 0 ? {} : { leases }),
    });
    return "appended";
  } catch (error) {
    if (error instanceof MemoryError && error.code === "decision_conflict") return "overtaken";
    throw error;
  }
}

/** Lets others have their turn: signals, timers and sockets are heard in between. */
export async function yieldTurn(): Promise<void> {
  await nextTurn();
}

/** How long a runner may be silent. */
export const LEASE_MS = 60_000;
const RENEW_MS = 20_000;

/** A job that this call runs, under its lease. */
export interface Job extends JobRef {
  readonly thread_id: string;
  readonly runner: string;
  readonly by: Actor;
  readonly call: Call;
}

/** What a job made: checkpoints that are not appended yet, and how it ended. */
export interface Made {
  readonly frames: readonly FrameDraft[];
  readonly created: readonly Created[];
  /** What stopped it. What was made before is kept. */
  readonly failure?: unknown;
}

/** How a job ended, as its frames record it. */
export interface Ended {
  readonly status: "completed" | "failed";
  readonly created: readonly Created[];
  readonly error: string | null;
}

export function leaseOf({ job_id, runner }: Pick<Job, "job_id" | "runner">): Lease {
  return { job_id, runner, lease_ms: LEASE_MS };
}

/** To be called while a job goes on: stops it when the caller says so, and prolongs its lease every 20 seconds. Errors: `lease_lost`, the signal's reason. */
export function pulseOf(memory: ThreadMemory, { job_id, runner, call }: Job): () => Promise<void> {
  let last = performance.now();
  return async () => {
    await yieldTurn();
    call.signal?.throwIfAborted();
    if (performance.now() - last < RENEW_MS) return;
    if (!(await memory.threads.claim({ job_id, runner, lease_ms: LEASE_MS, action: "renew" })))
      throw new MemoryError("lease_lost", LEASE_ERROR, { job_id });
    last = performance.now();
  };
}

/**
 * Appends what a job made and its end in one transaction. When that fails, the end alone is tried; when even that fails, the lease ends the job later.
 * A call that was stopped ends its job as `cancelled`, and then throws what stopped it.
 */
export async function finishJob(memory: ThreadMemory, job: Job, made: Made): Promise<Ended> {
  const isStopped = job.call.signal?.aborted === true && made.failure !== undefined;
  const failure = await appendEnd(memory, job, { ...made, isStopped });
  if (isStopped) job.call.signal.throwIfAborted();
  if (failure === undefined && made.failure === undefined)
    return { status: "completed", created: made.created, error: null };
  if (failure === undefined) return { status: "failed", created: made.created, error: errorSentence(made.failure) };
  await appendEnd(memory, job, { frames: [], created: [], failure, isStopped });
  return { status: "failed", created: [], error: errorSentence(failure) };
}

/** What kept the end from being appended. */
async function appendEnd(
  memory: ThreadMemory,
  job: Job,
  made: Made & { readonly isStopped: boolean },
): Promise<unknown> {
  const { thread_id, job_id, job_kind, runner, by } = job;
  const { frames, created, failure, isStopped } = made;
  const how =
    failure === undefined
      ? ({ status: "completed", created } as const)
      : ({
          status: isStopped ? "cancelled" : "failed",
          error: errorSentence(failure),
          ...(created.length === 0 ? {} : { created }),
        } as const);
  const end = endedJob(stamp(memory), { job_id, job_kind, by, ...how });
  try {
    await memory.threads.append({ thread_id, frames: [...frames, end], held_lease: { job_id, runner } });
    return undefined;
  } catch (error) {
    return error;
  }
}
