import type { Role } from "../../base/summary-line.ts";

export type { Role } from "../../base/summary-line.ts";

/** The types of frames that heartwood reads; others are kept as they are. */
export type FrameType =
  | "continuity_created"
  | "continuity_message_appended"
  | "continuity_run_spawned"
  | "continuity_run_ended"
  | "continuity_context_selection_decided"
  | "continuity_context_compiled"
  | "continuity_compaction_checkpoint_created"
  | "continuity_compaction_auto_schedule_decided"
  | "continuity_job_spawned"
  | "continuity_job_ended"
  | "continuity_tool_side_effects"
  | "continuity_branched"
  | "continuity_handoff_created"
  | "continuity_provider_cursor_updated";

/** A frame before it has its place: the store gives it a seq in the transaction that appends it. */
export interface FrameDraft {
  /** UUID in lower case. */
  readonly id: string;
  readonly timestamp_ms: number;
  readonly type: FrameType;
  /** The fields after the envelope, in the order in which they are printed. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A frame as it was read from a line. Unknown fields are in `fields`, and the line itself is kept by the store. */
export interface Frame {
  readonly id: string;
  readonly thread_id: string;
  readonly timestamp_ms: number;
  readonly seq: number;
  /** One of `FrameType`, or a type that this program does not know. */
  readonly type: string;
  /** All fields of the line, the envelope included. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly id: string;
  readonly seq: number;
  readonly actor_id: string;
  readonly origin: string;
  readonly content: string;
  readonly timestamp_ms: number;
}

/** The role that an `actor_id` says. */
export function roleOf(actorId: string): Role {
  if (actorId === "assistant" || actorId.startsWith("assistant:")) return "assistant";
  if (actorId === "system") return "system";
  return actorId.startsWith("tool:") ? "tool" : "user";
}
