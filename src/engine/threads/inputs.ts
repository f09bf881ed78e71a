import type { InputFile } from "../operation.ts";

/** Inputs of the operations on threads. The names are those of `docs/formats/threads.md`. */

export interface Provenance {
  readonly actor_id: string;
  readonly origin: string;
}

export interface CreateInput {
  readonly thread_id?: string;
  readonly title?: string;
  readonly workspace?: string;
}

export interface ListInput {
  readonly limit?: number;
}

export interface ThreadInput {
  readonly thread_id: string;
}

/** A message needs both of `actor_id` and `origin`; in a batch they are those of lines that have none. */
export interface AppendInput extends Partial<Provenance> {
  readonly thread_id: string;
  /** The message; with `batch` JSON lines, each `{content, actor_id?, origin?, id?, timestamp_ms?}` or a frame's `{type, …payload}`, as a text or as a file that is read as it comes. */
  readonly content: string | InputFile;
  readonly id?: string;
  readonly expected_seq?: number;
  readonly batch?: boolean;
}

export interface ImportInput {
  readonly file: InputFile;
}

export interface EventsInput extends ThreadInput {
  readonly from_seq?: number;
  readonly follow?: boolean;
}

export interface BranchInput extends ThreadInput, Provenance {
  readonly at?: string;
  readonly title?: string;
}

export interface HandoffInput extends BranchInput {
  readonly summary_file?: InputFile;
  readonly artifact?: string;
}

export interface CutPointsInput extends ThreadInput {
  readonly stride_messages?: number;
  readonly limit?: number;
}

export interface AutoInput extends ThreadInput, Provenance {
  readonly stride_messages?: number;
  readonly max_new_checkpoints?: number;
  readonly dry_run?: boolean;
}

export interface ScheduleInput extends Provenance {
  /** One of the two. */
  readonly thread_id?: string;
  readonly all?: boolean;
  readonly stride_messages?: number;
  readonly max_new_checkpoints?: number;
  readonly dry_run?: boolean;
  /** Default `true`. */
  readonly block_on_inflight?: boolean;
  /** Default `true`. */
  readonly execute?: boolean;
}

export interface CheckpointInput extends ThreadInput, Provenance {
  readonly to_message_id?: string;
  readonly to_seq?: number;
  readonly stride_messages?: number;
  readonly summary_file?: InputFile;
  readonly artifact?: string;
}

export interface StatusInput extends ThreadInput {
  readonly stride_messages?: number;
}

export interface RunPendingInput {
  readonly thread_id?: string;
}

export type Strategy =
  | "covering_summaries_v1"
  | "recent_messages_v1"
  | "summaries_recent_messages_v1"
  | "hierarchical_summaries_recent_messages_v1";

export type Rendering = "json" | "text" | "openai" | "anthropic";

export interface CompileInput extends ThreadInput, Partial<Provenance> {
  readonly at?: string;
  readonly strategy?: Strategy;
  /** o200k tokens. Default 8,000. */
  readonly budget?: number;
  readonly render?: Rendering;
  /** Make the missing rungs first. Needs `actor_id` and `origin`. */
  readonly build?: boolean;
  /** Store the bundle and append the frames that say so. Needs `actor_id` and `origin`. */
  readonly record?: boolean;
  readonly run_session_id?: string;
}

export interface VerifyThreadsInput {
  readonly thread_id?: string;
}
