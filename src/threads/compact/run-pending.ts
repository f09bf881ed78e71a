import { isFrame, parseFrame } from "../model/frame-format.ts";
import { ladderDetails, LADDER_JOB, LEASE_ERROR, summarizerDetails, SUMMARIZER_JOB } from "../model/jobs.ts";
import type { Frame } from "../model/frame.ts";
import type { OpenJob } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { abandoned, tryAppend } from "./decision.ts";
import type * as I from "../run/inputs.ts";
import { runSummarizerJob } from "./job-run.ts";
import { runLadderJob } from "../compile/ladder.ts";
import type * as R from "../run/results.ts";
import { LEASE_MS, type Ended, type Job } from "./work.ts";
import { threadHead } from "../run/thread-head.ts";

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

/** `undefined` when somebody else has taken it. */
async function runLeft(memory: ThreadMemory, open: OpenJob, call: Call): Promise<Ended | undefined> {
  const { thread_id, job_id, kind } = open;
  const runner = memory.ids.next();
  if (!(await memory.threads.claim({ job_id, runner, lease_ms: LEASE_MS, action: "take" }))) return undefined;
  const spawned = await spawnedFrame(memory, open);
  const job: Job = { thread_id, job_id, job_kind: kind, runner, by: actorOf(spawned), call };
  const details = spawned?.fields["details"];
  return kind === LADDER_JOB
    ? runLadderJob(memory, job, ladderDetails(details))
    : runSummarizerJob(memory, job, summarizerDetails(details));
}

/** Ends a job whose lease is over, unless somebody else did or its runner is back. */
async function endDead(memory: ThreadMemory, job: OpenJob): Promise<boolean> {
  const by = actorOf(await spawnedFrame(memory, job));
  for (;;) {
    const head = await threadHead(memory, job.thread_id);
    const open = await memory.threads.openJobs({ thread_id: job.thread_id, kind: job.kind });
    if (open.find(({ job_id }) => job_id === job.job_id)?.lease !== "over") return false;
    if ((await tryAppend(memory, { head, frames: [abandoned(memory, job, by)], leases: [] })) === "appended")
      return true;
  }
}

async function spawnedFrame(memory: ThreadMemory, { thread_id, seq }: OpenJob): Promise<Frame | undefined> {
  const [stored] = await memory.threads.frames({ thread_id, from_seq: seq, to_seq: seq, limit: 1 });
  const frame = stored === undefined ? undefined : parseFrame(stored.line);
  return frame !== undefined && isFrame(frame) ? frame : undefined;
}

function actorOf(frame: Frame | undefined): { readonly actor_id: string; readonly origin: string } {
  const { actor_id, origin } = frame?.fields ?? {};
  return {
    actor_id: typeof actor_id === "string" ? actor_id : "heartwood",
    origin: typeof origin === "string" ? origin : "run_pending",
  };
}
