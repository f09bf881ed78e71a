import { MemoryError } from "../../base/errors.ts";
import type { Cut } from "../plan/cut-points.ts";
import { cumulativeCheckpoint, type Created, type SummarizerDetails } from "../model/jobs.ts";
import { cumulativeSummary } from "../model/summary-of.ts";
import { printSummary } from "../model/summary-format.ts";
import type { FrameDraft } from "../model/frame.ts";
import type { Place } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import { cumulativeLines, readBase, type Base } from "../compile/delta.ts";
import { stamp } from "./decision.ts";
import { summarizerOf } from "./summarizer.ts";
import { finishJob, pulseOf, type Ended, type Job, type Made } from "./work.ts";

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
