import type { Warning } from "../../base/errors.ts";
import type { Cut } from "../plan/cut-points.ts";
import type { Created } from "../model/job-frames.ts";

/** Results of the operations on threads, as JSON prints them: names and nulls of `docs/formats/threads.md`. */

export interface ThreadResult {
  readonly thread_id: string;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly title: string | null;
  readonly workspace: string;
  readonly message_count: number;
  readonly head_seq: number;
  readonly parent: ThreadParent | null;
}

export interface ThreadParent {
  readonly kind: "branch" | "handoff";
  readonly thread_id: string;
  readonly seq: number;
  readonly message_id: string | null;
}

export interface ThreadListResult {
  readonly threads: readonly Omit<ThreadResult, "parent">[];
  readonly total: number;
}

export interface ThreadAppendResult {
  readonly thread_id: string;
  readonly appended: number;
  /** Messages whose id was there already with the same content. */
  readonly known: number;
  readonly head_seq: number;
  readonly message_count: number;
  /** Of the last message given. */
  readonly message_id: string | null;
  readonly seq: number | null;
  readonly message_ordinal: number | null;
}

export interface ThreadImportResult {
  readonly threads: readonly {
    readonly thread_id: string;
    readonly imported: number;
    readonly known: number;
    readonly head_seq: number;
    readonly error: { readonly code: string; readonly message: string; readonly line: number } | null;
  }[];
  readonly imported: number;
  readonly known: number;
  readonly torn_line: number | null;
  readonly warnings: readonly Warning[];
}

export interface HandoffResult extends ThreadResult {
  readonly summary_artifact_id: string;
}

export type PlannedCut = Cut;

export interface CutPointsResult {
  readonly thread_id: string;
  readonly stride_messages: number;
  readonly message_count: number;
  readonly cut_rule_id: string;
  readonly cut_points: readonly (PlannedCut & {
    readonly already_checkpointed: boolean;
    readonly latest_checkpoint_id: string | null;
  })[];
}

export type CreatedCheckpoint = Created;

export interface AutoResult {
  readonly thread_id: string;
  readonly job_id: string | null;
  readonly job_kind: string | null;
  readonly status: "noop" | "spawned" | "completed" | "failed";
  readonly stride_messages: number;
  readonly message_count: number;
  readonly cut_rule_id: string;
  readonly planned: readonly PlannedCut[];
  readonly result: readonly CreatedCheckpoint[];
  readonly error: string | null;
}

export interface ScheduleResult {
  readonly thread_id: string;
  readonly decision_id: string | null;
  readonly policy_id: string;
  readonly decision: "noop" | "skipped_inflight" | "scheduled" | "completed" | "failed";
  readonly execute: boolean;
  readonly stride_messages: number;
  readonly max_new_checkpoints: number;
  readonly block_on_inflight: boolean;
  readonly message_count: number;
  readonly cut_rule_id: string;
  readonly job_id: string | null;
  readonly job_kind: string | null;
  readonly planned: readonly PlannedCut[];
  readonly result: readonly CreatedCheckpoint[];
  readonly error: string | null;
  /** The rungs made before it; null when none was missing, or none was to be made. */
  readonly ladder: LadderResult | null;
}

export interface LadderResult {
  readonly job_id: string;
  readonly status: "completed" | "failed";
  readonly created: number;
  readonly error: string | null;
}

export interface ScheduleAllResult {
  /** Threads with something to do, and what came of it. */
  readonly threads: readonly ScheduleResult[];
  /** How many threads were looked at. */
  readonly checked: number;
}

export interface ManualResult extends CreatedCheckpoint {
  readonly thread_id: string;
}

export interface CompactionStatusResult {
  readonly thread_id: string;
  readonly stride_messages: number;
  readonly message_count: number;
  readonly latest_checkpoint: {
    readonly checkpoint_id: string;
    readonly cut_rule_id: string;
    readonly summary_kind: string;
    readonly summary_artifact_id: string;
    readonly to_seq: number;
    readonly to_message_id: string | null;
  } | null;
  readonly next_cut_point: PlannedCut | null;
  readonly inflight_job_id: string | null;
  readonly last_schedule_decision: ScheduleDecision | null;
  readonly last_job_outcome: JobOutcome | null;
}

export interface ScheduleDecision {
  readonly decision_id: string;
  readonly policy_id: string;
  readonly decision: string;
  readonly execute: boolean;
  readonly stride_messages: number;
  readonly max_new_checkpoints: number;
  readonly block_on_inflight: boolean;
  readonly message_count: number;
  readonly cut_rule_id: string;
  readonly planned: readonly PlannedCut[];
  readonly job_id: string | null;
  readonly job_kind: string | null;
  readonly actor_id: string;
  readonly origin: string;
  readonly seq: number;
  readonly timestamp_ms: number;
}

export interface JobOutcome {
  readonly job_id: string;
  readonly job_kind: string;
  readonly status: string;
  readonly error: string | null;
  readonly created: readonly CreatedCheckpoint[];
  readonly actor_id: string;
  readonly origin: string;
  readonly seq: number;
  readonly timestamp_ms: number;
}

export interface RunPendingResult {
  readonly jobs: readonly RanJob[];
  /** Jobs whose runner died: they were ended as failed. */
  readonly abandoned: readonly RanJob[];
}

export interface RanJob {
  readonly thread_id: string;
  readonly job_id: string;
  readonly job_kind: string;
  readonly status: "completed" | "failed";
  readonly result: readonly CreatedCheckpoint[];
  readonly error: string | null;
}

export interface CompileResult {
  readonly schema: "rip.context_bundle.v1";
  readonly compiler: { readonly id: string; readonly strategy: string };
  readonly source: { readonly thread_id: string; readonly from_seq: number; readonly from_message_id: string | null };
  readonly provenance: { readonly run_session_id: string; readonly actor_id: string; readonly origin: string };
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly bundle_artifact_id: string;
  /** o200k tokens of the text rendering. */
  readonly tokens: number;
  readonly budget: number;
  /** Messages up to the anchor, parents included. */
  readonly message_count: number;
  readonly raw_messages: number;
  readonly summarized_messages: number;
  readonly uncovered_messages: number;
  readonly compaction_checkpoints: readonly {
    readonly checkpoint_id: string;
    readonly summary_kind: string;
    readonly summary_artifact_id: string;
    readonly to_seq: number;
  }[];
  /** As `render` says: a text, the messages of a chat API, or null for `json`. */
  readonly rendered: unknown;
  readonly warnings: readonly Warning[];
}

/** What `rendered` is, by the rendering that was asked for. */
export interface Rendered {
  readonly json: null;
  readonly text: string;
  readonly openai: readonly { readonly role: "system" | "user" | "assistant"; readonly content: string }[];
  readonly anthropic: {
    readonly system: string;
    readonly messages: readonly {
      readonly role: "user" | "assistant";
      readonly content: readonly { readonly type: "text"; readonly text: string }[];
    }[];
  };
}

export interface VerifyThreadsResult {
  readonly ok: boolean;
  readonly threads: number;
  readonly frames: number;
  readonly findings: readonly {
    readonly thread_id: string;
    readonly seq: number | null;
    readonly code: string;
    readonly severity: "info" | "warning" | "error";
    readonly message: string;
  }[];
}
