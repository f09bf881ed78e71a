import { cutRuleId, type Cut } from "../plan/cut-points.ts";
import { spawnedSummarizer, SUMMARIZER_JOB, cumulativeCheckpoint } from "../model/job-frames.ts";
import type { Actor, SummarizerDetails, Created } from "../model/job-frames.ts";
import type { FrameDraft } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { decide, type Decided, leaseOf, type Job, finishJob, pulseOf, type Ended, type Made } from "./jobs.ts";
import { stamp, checkProvenance, threadHead } from "../run/threads.ts";
import { findBase, summarizerOf, cumulativeLines, readBase, type Base } from "../run/cumulative-lines.ts";
import type * as I from "../run/inputs.ts";
import { planOf, mostCheckpointsOf, strideOf } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { MemoryError } from "../../base/errors.ts";
import { cumulativeSummary, printSummary } from "../model/summary.ts";
import type { Place } from "../store/thread-store.ts";

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

/**
 * Runs a summarizer job from what its frame records, and ends it. Cuts are taken in ascending order, and each summary is the base of the next; an
 * artifact is stored before the frame that names it. Throws only what stopped the call.
 */
export async function runSummarizerJob(
  memory: ThreadMemory,
  job: Job,
  details: SummarizerDetails | undefined,
): Promise<Ended> {
  memory.onWork?.();
  return finishJob(memory, job, await makeCheckpoints(memory, job, details));
}

async function makeCheckpoints(memory: ThreadMemory, job: Job, details: SummarizerDetails | undefined): Promise<Made> {
  const frames: FrameDraft[] = [];
  const created: Created[] = [];
  try {
    if (details === undefined) throw unknownDetails(job);
    refuseOthersSummarizer(memory, details);
    const onPage = pulseOf(memory, job);
    let base = await recordedBase(memory, job.thread_id, details);
    const cuts = details.planned.toSorted((a, b) => a.to_seq - b.to_seq);
    for (const [done, cut] of cuts.entries()) {
      job.call.progress?.({ phase: "checkpoint", done, total: cuts.length });
      await onPage();
      base = await summarizeCut(memory, job, { cut, base, onPage });
      const { cut_rule_id } = details;
      const { to_seq, to_message_id } = cut;
      const named = { cut_rule_id, summary_artifact_id: base.artifact_id, to_seq, to_message_id };
      const frame = cumulativeCheckpoint(stamp(memory), { ...named, by: job.by });
      frames.push(frame);
      const { summary_artifact_id } = named;
      created.push({ checkpoint_id: frame.id, summary_artifact_id, to_seq, to_message_id, cut_rule_id });
    }
    return { frames, created };
  } catch (failure) {
    return { frames, created, failure };
  }
}

/** Makes and stores the summary of one cut, which is the base of the next. */
async function summarizeCut(
  memory: ThreadMemory,
  { thread_id, job_id, by }: Job,
  { cut, base, onPage }: { readonly cut: Cut; readonly base: Base | null; readonly onPage: () => Promise<void> },
): Promise<Base> {
  const to = await placeOf(memory, thread_id, cut);
  const lines = await cumulativeLines(memory, { thread_id, to, base, onPage });
  const summary = cumulativeSummary({
    thread_id,
    to,
    lines,
    provenance: { actor_id: by.actor_id, origin: by.origin, produced_by: { type: "job", id: job_id } },
    base_summary_artifact_id: base?.artifact_id ?? null,
    summarizer: summarizerOf(memory).id,
  });
  const artifact_id = await memory.artifacts.put(printSummary(summary));
  return { artifact_id, to_seq: to.seq, markdown: summary.summary_markdown };
}

/** A job may have come from elsewhere, so its cuts are looked up. */
async function placeOf(memory: ThreadMemory, thread_id: string, cut: Cut): Promise<Place> {
  const [place] = await memory.threads.places(thread_id, [{ seq: cut.to_seq }]);
  if (place?.seq === cut.to_seq && place.id === cut.to_message_id) return place;
  throw new MemoryError(
    "not_a_message",
    `The job plans a cut at seq ${cut.to_seq} with the message ${cut.to_message_id.slice(0, 64)}, which is not there.`,
  );
}

async function recordedBase(memory: ThreadMemory, threadId: string, details: SummarizerDetails): Promise<Base | null> {
  const id = details.base_summary_artifact_id;
  if (id === null) return null;
  const base = await readBase(memory, threadId, id);
  if (base !== undefined) return base;
  throw new MemoryError(
    "artifact_not_found",
    `The summary ${id.slice(0, 64)} that the job builds on cannot be read: the next schedule chooses another.`,
  );
}

function refuseOthersSummarizer(memory: ThreadMemory, { summarizer }: SummarizerDetails): void {
  const { id } = summarizerOf(memory);
  if (summarizer === id) return;
  throw new MemoryError(
    "not_found",
    `The job was planned for the summarizer ${summarizer.slice(0, 64)}, and this program has ${id}: the next schedule plans anew.`,
  );
}

function unknownDetails({ job_id }: Job): MemoryError {
  return new MemoryError(
    "invalid_frame",
    `The details of job ${job_id} are not of rip.job.compaction_summarizer.v1 with all its fields.`,
  );
}
