import type { Warning } from "../../base/errors.ts";
import type { Checkpoint, Parent, CheckedCut, Cut, Policy } from "../plan/thread-state.ts";
import type { Actor, Created } from "../model/job-frames.ts";
import type { AnthropicContext, Bundle, CountedPart, OpenaiMessage } from "../model/context-renderings.ts";
import type { Fault } from "../plan/judge-frame.ts";
import type { ThreadHead, ThreadImport } from "../store/thread-store.ts";

/** Results of the thread operations, as printed in JSON: names and nulls follow `docs/formats/threads.md`. */

export interface ThreadResult extends Omit<ThreadHead, "weight" | "decision_seq"> {
  readonly parent: Parent | null;
}

export type { Parent as ThreadParent } from "../plan/thread-state.ts";

export interface ThreadListResult {
  readonly threads: readonly ThreadResult[];
  readonly total: number;
}

export interface ThreadAppendResult extends Pick<ThreadHead, "thread_id" | "head_seq" | "message_count"> {
  readonly appended: number;
  /** Messages whose id already existed with the same content. */
  readonly known: number;
  /** The id of the last message given. */
  readonly message_id: string | null;
  readonly seq: number | null;
  readonly message_ordinal: number | null;
}

export interface ThreadImportResult extends Pick<ThreadImport, "imported" | "known"> {
  readonly threads: readonly (Omit<ThreadImport, "error"> & {
    readonly error: NonNullable<ThreadImport["error"]> | null;
  })[];
  readonly torn_line: number | null;
  readonly warnings: readonly Warning[];
}

export interface HandoffResult extends ThreadResult {
  readonly summary_artifact_id: string;
}

export type { Cut as PlannedCut } from "../plan/thread-state.ts";
export type { Created as CreatedCheckpoint } from "../model/job-frames.ts";

/** The cut points of a thread at a stride. */
interface Strided {
  readonly thread_id: string;
  readonly stride_messages: number;
  readonly message_count: number;
  readonly cut_rule_id: string;
}

export interface CutPointsResult extends Strided {
  readonly cut_points: readonly CheckedCut[];
}

/** The plan and its outcome. */
interface Planned extends Strided {
  readonly job_id: string | null;
  readonly job_kind: string | null;
  readonly planned: readonly Cut[];
  readonly result: readonly Created[];
  readonly error: string | null;
}

export interface AutoResult extends Planned {
  readonly status: "noop" | "spawned" | "completed" | "failed";
}

export interface ScheduleResult extends Planned, Policy {
  readonly decision_id: string | null;
  readonly policy_id: string;
  readonly decision: "noop" | "skipped_inflight" | "scheduled" | "completed" | "failed";
  readonly execute: boolean;
  /** The rungs made first; null if none were missing or none were to be made. */
  readonly ladder: LadderResult | null;
}

export interface LadderResult extends Pick<Ended, "status" | "error"> {
  readonly job_id: string;
  readonly created: number;
}

export interface ScheduleAllResult {
  /** Threads with something to do, and the outcome. */
  readonly threads: readonly ScheduleResult[];
  /** How many threads were checked. */
  readonly checked: number;
}

export interface ManualResult extends Created {
  readonly thread_id: string;
}

export interface CompactionStatusResult {
  readonly thread_id: string;
  readonly stride_messages: number;
  readonly message_count: number;
  readonly latest_checkpoint:
    | (Pick<Checkpoint, "checkpoint_id" | "cut_rule_id" | "to_seq" | "to_message_id"> & NamedArtifact)
    | null;
  readonly next_cut_point: Cut | null;
  readonly inflight_job_id: string | null;
  readonly last_schedule_decision: ScheduleDecision | null;
  readonly last_job_outcome: JobOutcome | null;
}

interface NamedArtifact {
  readonly summary_kind: string;
  readonly summary_artifact_id: string;
}

/** The common fields of a recorded frame. */
interface Recorded extends Actor {
  readonly seq: number;
  readonly timestamp_ms: number;
}

export interface ScheduleDecision
  extends
    Recorded,
    Policy,
    Pick<Planned, "message_count" | "cut_rule_id" | "planned" | "job_id" | "job_kind">,
    Pick<ScheduleResult, "policy_id" | "execute"> {
  readonly decision_id: string;
  readonly decision: string;
}

export interface JobOutcome extends Recorded {
  readonly job_id: string;
  readonly job_kind: string;
  readonly status: string;
  readonly error: string | null;
  readonly created: readonly Created[];
}

export interface RunPendingResult {
  readonly jobs: readonly RanJob[];
  /** Jobs whose runner died; they were ended as failed. */
  readonly abandoned: readonly RanJob[];
}

export interface RanJob extends Ended {
  readonly thread_id: string;
  readonly job_id: string;
  readonly job_kind: string;
}

/** How a job ended, as recorded in its frames. */
export interface Ended {
  readonly status: "completed" | "failed";
  readonly result: readonly Created[];
  readonly error: string | null;
}

export interface CompileResult extends Bundle {
  readonly bundle_artifact_id: string;
  /** o200k tokens in the text rendering. */
  readonly tokens: number;
  readonly budget: number;
  /** Messages up to the anchor, parents included. */
  readonly message_count: number;
  readonly raw_messages: number;
  readonly summarized_messages: number;
  readonly uncovered_messages: number;
  readonly compaction_checkpoints: readonly (Pick<Checkpoint, "checkpoint_id" | "to_seq"> & NamedArtifact)[];
  /** Depends on `render`: a text, the messages for a chat API, or null for `json`. */
  readonly rendered: unknown;
  readonly warnings: readonly Warning[];
}

/** The type of `rendered`, by the requested rendering. */
export interface Rendered {
  readonly json: null;
  readonly text: string;
  readonly openai: readonly OpenaiMessage[];
  readonly anthropic: AnthropicContext;
  readonly parts: readonly CountedPart[];
}

export interface VerifyThreadsResult {
  readonly ok: boolean;
  readonly threads: number;
  readonly frames: number;
  readonly findings: readonly (Fault & { readonly thread_id: string; readonly seq: number | null })[];
}
