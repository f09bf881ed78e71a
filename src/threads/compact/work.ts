import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft } from "../model/frame.ts";
import { endedJob, errorSentence, LEASE_ERROR, type Actor, type Created, type JobRef } from "../model/jobs.ts";
import type { Lease } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { stamp, yieldTurn } from "./decision.ts";

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

/** How a job ended, as frames tell it. */
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
