import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft } from "../model/frame.ts";
import { LADDER_JOB, LEASE_ERROR, type Actor, errorSentence, type Created } from "../model/job-frames.ts";
import type { Lease, OpenJob, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { summarizerOf } from "../run/block-lines.ts";
import type { Ended } from "../run/results.ts";
import { threadHead, draftOf } from "../run/threads.ts";

export interface Task {
  readonly thread_id: string;
  readonly by: Actor;
  readonly call: Call;
}

/** An answer and the frames to append for it, if any. */
export interface Decided<Answer> {
  readonly answer: Answer;
  readonly frames: readonly FrameDraft[];
  readonly leases?: readonly Lease[];
  /** The job spawned by the frames. */
  readonly job?: Job;
}

const MOST_ATTEMPTS = 50;
const LONGEST_PAUSE_MS = 32;

/**
 * Makes a decision about a thread and appends its frames; decides again if another decision was appended in between. The same transaction ends jobs
 * whose lease has expired. `choose` gets the other open jobs. Error: `busy` after losing to other processes fifty times.
 */
export async function decide<Answer>(
  memory: ThreadMemory,
  task: Task,
  choose: (head: ThreadHead, inflight: readonly OpenJob[]) => Promise<Decided<Answer>>,
): Promise<Pick<Decided<Answer>, "answer" | "job">> {
  const { thread_id, by, call } = task;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    call.signal?.throwIfAborted();
    const head = await threadHead(memory, thread_id);
    const open = await memory.threads.openJobs({ thread_id });
    const decided = await choose(
      head,
      open.filter((job) => job.lease !== "over"),
    );
    const { frames, leases } = decided;
    if (frames.length === 0) return decided;
    const dead = open.filter((job) => job.lease === "over").map((job) => abandoned(memory, job, by));
    const outcome = await tryAppend(memory, head, [...dead, ...frames], leases);
    if (outcome === "appended") return decided;
    await pause(Math.min(2 ** attempt, LONGEST_PAUSE_MS));
  }
  throw new MemoryError(
    "busy",
    `Gave up after ${MOST_ATTEMPTS} attempts because other processes kept changing the decision about thread ${thread_id}; try again.`,
    { thread_id },
  );
}

/** The frame that ends a job whose runner died. */
export function abandoned(memory: ThreadMemory, { job_id, kind }: OpenJob, by: Actor): FrameDraft {
  const payload = { job_id, job_kind: kind, status: "failed", error: LEASE_ERROR, ...by };
  return draftOf(memory, "continuity_job_ended", payload);
}

/** Appends frames that were decided at this head; `overtaken` if another decision has been appended since. */
export async function tryAppend(
  memory: ThreadMemory,
  { thread_id, decision_seq }: ThreadHead,
  frames: readonly FrameDraft[],
  leases: readonly Lease[] = [],
): Promise<"appended" | "overtaken"> {
  try {
    await memory.threads.append({ thread_id, frames, expected_decision_seq: decision_seq, leases });
    return "appended";
  } catch (error) {
    if (error instanceof MemoryError && error.code === "decision_conflict") return "overtaken";
    throw error;
  }
}

/** Lets the event loop handle signals, timers and sockets. */
export async function yieldTurn(): Promise<void> {
  await nextTurn();
}

export const LEASE_MS = 60_000;
const RENEW_MS = 20_000;

/** A job that this call runs under its own lease. */
export interface Job extends Task {
  readonly job_id: string;
  readonly job_kind: string;
  /** As recorded in its frame. */
  readonly details: unknown;
  readonly runner: string;
}

/** A decision that spawns a job, without its answer. */
export type Spawned = Omit<Required<Decided<unknown>>, "answer">;

export function spawnJob(memory: ThreadMemory, task: Task, named: Pick<Job, "job_kind" | "details">): Spawned {
  const { thread_id, by, call } = task;
  const { job_kind, details } = named;
  const [job_id, runner] = [memory.ids.next(), memory.ids.next()];
  const frame = draftOf(memory, "continuity_job_spawned", { job_id, job_kind, details, ...by });
  const job = { thread_id, by, call, job_id, job_kind, details, runner };
  return { job, frames: [frame], leases: [{ job_id, runner, lease_ms: LEASE_MS }] };
}

/** The details of a job. Errors: `invalid_frame` if they do not match this program and its summarizer. */
export function runnable<Details extends { readonly summarizer: string }>(
  memory: ThreadMemory,
  { job_id, details }: Job,
  parse: (details: unknown) => Details | undefined,
): Details {
  const { id } = summarizerOf(memory);
  const parsed = parse(details);
  if (parsed?.summarizer === id) return parsed;
  const sentence = `The details of job ${job_id} do not match this program and its summarizer ${id}; the next schedule plans again.`;
  throw new MemoryError("invalid_frame", sentence);
}

/** The output of a job: checkpoints not yet appended, and how it ended. */
export interface Made {
  readonly frames: readonly FrameDraft[];
  readonly created: readonly Created[];
  /** The error that stopped the job. Checkpoints made before it are kept. */
  readonly failure?: unknown;
}

/**
 * Returns a function to call regularly during a job: it stops the job when the signal aborts, and renews the lease every 20 seconds. Errors:
 * `lease_lost`, or the signal's reason.
 */
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
 * Runs a job, then appends its checkpoints and its end in one transaction. If that fails, it tries to append the end alone; if that fails too, the
 * job ends when its lease expires. An aborted call ends its job as `cancelled` and throws the abort reason; other failures are in the result.
 */
export async function runJob(
  memory: ThreadMemory,
  job: Job,
  make: (memory: ThreadMemory, job: Job) => Promise<Made>,
): Promise<Ended> {
  memory.onWork?.();
  const made = await make(memory, job).catch((failure: unknown): Made => ({ frames: [], created: [], failure }));
  const isStopped = job.call.signal?.aborted === true && made.failure !== undefined;
  const status = isStopped ? "cancelled" : "failed";
  const failure = await appendEnd(memory, job, made, status);
  if (isStopped) job.call.signal.throwIfAborted();
  if (failure !== undefined) {
    await appendEnd(memory, job, { frames: [], created: [], failure }, status);
    return { status: "failed", result: [], error: errorSentence(failure) };
  }
  if (made.failure === undefined) return { status: "completed", result: made.created, error: null };
  return { status: "failed", result: made.created, error: errorSentence(made.failure) };
}

/** Returns the error if the end could not be appended. */
async function appendEnd(
  memory: ThreadMemory,
  { thread_id, job_id, job_kind, runner, by }: Job,
  { frames, created, failure }: Made,
  status: "cancelled" | "failed",
): Promise<unknown> {
  // A ladder job reports only a count: each rung has its own checkpoint, and there may be many.
  const made =
    job_kind === LADDER_JOB
      ? { schema: "heartwood.job_result.compaction_ladder.v1", created: created.length }
      : { schema: "rip.job_result.compaction_summarizer.v1", created };
  const result = failure === undefined || created.length > 0 ? made : undefined;
  const outcome =
    failure === undefined ? { status: "completed", result } : { status, result, error: errorSentence(failure) };
  const end = draftOf(memory, "continuity_job_ended", { job_id, job_kind, ...outcome, ...by });
  try {
    await memory.threads.append({ thread_id, frames: [...frames, end], held_lease: { job_id, runner } });
    return undefined;
  } catch (error) {
    return error;
  }
}
