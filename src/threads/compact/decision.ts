import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft } from "../model/frame.ts";
import { endedJob, LEASE_ERROR, type Actor, type Stamp } from "../model/jobs.ts";
import type { Lease, OpenJob, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { threadHead } from "../run/thread-head.ts";

/** What a decision is made from, besides what it reads for itself. */
export interface DecisionView {
  readonly head: ThreadHead;
  /** Spawned, not ended, and whoever runs it has not been silent for too long. */
  readonly inflight: readonly OpenJob[];
}

/** An answer, and the frames to append for it; without frames nothing is appended. */
export interface Decided<Answer> {
  readonly answer: Answer;
  readonly frames: readonly FrameDraft[];
  readonly leases?: readonly Lease[];
}

/**
 * Makes a decision for the frames of a thread and appends it, unless another decision came in between; then it is made anew. Jobs whose lease is over
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

/** A new id, and the time. */
export function stamp(memory: ThreadMemory): Stamp {
  return { id: memory.ids.next(), timestamp_ms: memory.clock.now() };
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

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Lets others have their turn: signals, timers and sockets are heard in between. */
export function yieldTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
