import { redact } from "../../text/redact/redact.ts";
import { CUMULATIVE_KIND, type Cut, type Policy } from "../plan/cut-points.ts";
import { type FrameDraft, type FrameType, recordOf } from "./frame.ts";
import { LADDER_RULE } from "../plan/ladder.ts";

/** Job kinds: cumulative summaries at cuts, and the rungs of the ladder. */
export const SUMMARIZER_JOB = "compaction_summarizer_v1";
export const LADDER_JOB = "compaction_ladder_v1";

/** Who lets a frame be appended. */
export interface Actor {
  readonly actor_id: string;
  readonly origin: string;
}

/** The id and the time of a frame that is about to be appended. */
export interface Stamp {
  readonly id: string;
  readonly timestamp_ms: number;
}

/** Everything that shapes the summaries of a job. */
export interface SummarizerDetails {
  readonly cut_rule_id: string;
  readonly stride_messages: number;
  /** The latest first. */
  readonly planned: readonly Cut[];
  readonly base_summary_artifact_id: string | null;
  /** The id of the summarizer. */
  readonly summarizer: string;
}

/** Everything that shapes the rungs of a job: those that a thread of this weight needs. */
export interface LadderDetails {
  readonly weight: number;
  readonly summarizer: string;
}

/** A checkpoint as a job reports it. */
export interface Created {
  readonly checkpoint_id: string;
  readonly summary_artifact_id: string;
  readonly to_seq: number;
  readonly to_message_id: string;
  readonly cut_rule_id: string;
}

export interface JobRef {
  readonly job_id: string;
  readonly job_kind: string;
}

/** A job that makes cumulative summaries, as it is spawned. */
export function spawnedSummarizer(stamp: Stamp, job_id: string, details: SummarizerDetails & { readonly by: Actor }) {
  const { cut_rule_id, stride_messages, planned, base_summary_artifact_id, summarizer, by } = details;
  const schema = "rip.job.compaction_summarizer.v1";
  const recorded = { schema, cut_rule_id, stride_messages, planned, base_summary_artifact_id, summarizer };
  return draft("continuity_job_spawned", stamp, { job_id, job_kind: SUMMARIZER_JOB, details: recorded, ...of(by) });
}

/** A job that makes rungs, as it is spawned. */
export function spawnedLadder(stamp: Stamp, job_id: string, { weight, summarizer, by }: LadderDetails & By) {
  const details = { schema: "heartwood.job.compaction_ladder.v1", ladder: LADDER_RULE, weight, summarizer };
  return draft("continuity_job_spawned", stamp, { job_id, job_kind: LADDER_JOB, details, ...of(by) });
}

/** What `details` of a spawned job records; `undefined` when it is not in the form that this program runs. */
export function summarizerDetails(details: unknown): SummarizerDetails | undefined {
  const fields = recordOf(details);
  const { cut_rule_id, stride_messages, summarizer } = fields;
  const base = fields["base_summary_artifact_id"] ?? null;
  const planned = fields["planned"];
  if (typeof cut_rule_id !== "string" || typeof stride_messages !== "number" || typeof summarizer !== "string")
    return undefined;
  if (!Array.isArray(planned) || !planned.every(isCut)) return undefined;
  if (base !== null && typeof base !== "string") return undefined;
  return { cut_rule_id, stride_messages, planned, base_summary_artifact_id: base, summarizer };
}

export function ladderDetails(details: unknown): LadderDetails | undefined {
  const { ladder, weight, summarizer } = recordOf(details);
  const isOurs = ladder === LADDER_RULE && Number.isSafeInteger(weight) && typeof summarizer === "string";
  return isOurs ? { weight: weight as number, summarizer } : undefined;
}

/** How a job ended. `created`: the checkpoints that it made, also of a job that failed. */
export interface Ending extends JobRef, By {
  readonly status: "completed" | "failed" | "cancelled";
  readonly created?: readonly Created[];
  readonly error?: string;
}

export function endedJob(stamp: Stamp, { job_id, job_kind, status, created, error, by }: Ending): FrameDraft {
  const result = created === undefined ? undefined : resultOf(job_kind, created);
  return draft("continuity_job_ended", stamp, { job_id, job_kind, status, result, error, ...of(by) });
}

/** A ladder reports only a count: its rungs are checkpoints of their own, and there may be many. */
function resultOf(kind: string, created: readonly Created[]): Readonly<Record<string, unknown>> {
  return kind === LADDER_JOB
    ? { schema: "heartwood.job_result.compaction_ladder.v1", created: created.length }
    : { schema: "rip.job_result.compaction_summarizer.v1", created };
}

/** The error of a job whose runner was silent for longer than it said. */
export const LEASE_ERROR = "lease: its runner was silent for longer than it may be, so the job counts as failed";

/** The sentence that a failed job records, without secrets. */
export function errorSentence(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error)).text;
}

/** The range of a checkpoint, and what it names. */
interface CheckpointFacts extends By {
  readonly cut_rule_id: string;
  readonly summary_kind: string;
  readonly summary_artifact_id: string;
  readonly from_seq: number;
  readonly from_message_id?: string;
  readonly to_seq: number;
  readonly to_message_id: string;
}

export function checkpointFrame(stamp: Stamp, facts: CheckpointFacts): FrameDraft {
  const { cut_rule_id, summary_kind, summary_artifact_id, from_seq, from_message_id, to_seq, to_message_id, by } =
    facts;
  return draft("continuity_compaction_checkpoint_created", stamp, {
    checkpoint_id: stamp.id,
    cut_rule_id,
    summary_kind,
    summary_artifact_id,
    from_seq,
    from_message_id,
    to_seq,
    to_message_id,
    ...of(by),
  });
}

/** The checkpoint of a cumulative summary: it covers everything from the first frame to its cut. */
export function cumulativeCheckpoint(
  stamp: Stamp,
  cut: Pick<Cut, "to_seq" | "to_message_id"> & Pick<CheckpointFacts, "cut_rule_id" | "summary_artifact_id" | "by">,
): FrameDraft {
  return checkpointFrame(stamp, { ...cut, summary_kind: CUMULATIVE_KIND, from_seq: 0 });
}

/** What a scheduler decided. */
interface ScheduleFacts extends Policy, By {
  readonly policy_id: string;
  readonly outcome:
    | { readonly decision: "scheduled"; readonly execute: boolean; readonly job: JobRef }
    | { readonly decision: "skipped_inflight"; readonly execute: boolean; readonly inflight_job_id: string };
  readonly message_count: number;
  readonly cut_rule_id: string;
  readonly planned: readonly Cut[];
}

export function decidedFrame(stamp: Stamp, facts: ScheduleFacts): FrameDraft {
  const { outcome, by } = facts;
  return draft("continuity_compaction_auto_schedule_decided", stamp, {
    decision_id: stamp.id,
    policy_id: facts.policy_id,
    decision: outcome.decision,
    execute: outcome.execute,
    stride_messages: facts.stride_messages,
    max_new_checkpoints: facts.max_new_checkpoints,
    block_on_inflight: facts.block_on_inflight,
    message_count: facts.message_count,
    cut_rule_id: facts.cut_rule_id,
    planned: facts.planned,
    ...(outcome.decision === "scheduled"
      ? { job_id: outcome.job.job_id, job_kind: outcome.job.job_kind }
      : { reason: { kind: "inflight_job", job_id: outcome.inflight_job_id } }),
    ...of(by),
  });
}

interface By {
  readonly by: Actor;
}

/** Fields that are `undefined` are left out by the printer. */
function draft(type: FrameType, { id, timestamp_ms }: Stamp, payload: FrameDraft["payload"]): FrameDraft {
  return { id, timestamp_ms, type, payload };
}

/** In the order in which frames name them. */
function of({ actor_id, origin }: Actor): Actor {
  return { actor_id, origin };
}

function isCut(value: unknown): value is Cut {
  const { target_message_ordinal, to_seq, to_message_id } = recordOf(value);
  return (
    Number.isSafeInteger(target_message_ordinal) && Number.isSafeInteger(to_seq) && typeof to_message_id === "string"
  );
}
