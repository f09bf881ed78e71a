/**
 * Every way in which a call can be refused or fail, as one closed union.
 *
 * The first group is bad input (exit status 2), the second is "could not do it" (exit status 3);
 * the surfaces map the codes in one table.
 */
export type ErrorCode =
  // bad input
  | "usage"
  | "invalid_date"
  | "invalid_period"
  | "invalid_time_zone"
  | "invalid_type"
  | "invalid_topic"
  | "invalid_id"
  | "invalid_origin"
  | "invalid_number"
  | "invalid_path"
  | "invalid_config"
  | "invalid_platform"
  | "invalid_body"
  | "no_memory"
  | "untrusted"
  | "other_owner"
  | "not_found"
  | "not_traceable"
  | "node_too_old"
  | "invalid_thread_id"
  | "thread_not_found"
  | "thread_exists"
  | "message_not_found"
  | "not_a_message"
  | "invalid_stride"
  | "invalid_limit"
  | "limit_too_large"
  | "invalid_frame"
  | "invalid_artifact"
  | "artifact_not_found"
  | "audit_not_found"
  | "job_not_found"
  | "job_stale"
  | "invalid_query"
  // could not
  | "busy"
  | "io"
  | "disk_full"
  | "link_outside"
  | "not_a_file"
  | "newer_store"
  | "foreign_state"
  | "changed_by_other"
  | "nothing_to_undo"
  | "seq_conflict"
  | "decision_conflict"
  | "frame_conflict"
  | "seq_gap"
  | "lease_lost"
  | "damaged_store"
  | "artifact_damaged"
  | "archive_damaged"
  | "model_unavailable"
  | "model_refused"
  | "model_answer"
  | "aborted"
  | "internal";

/** What an error carries besides its sentence: values a program can use, never a secret. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * The one error type of heartwood. `message` is one sentence: what is wrong, the value seen, what is
 * allowed, what to do. It is already redacted and has no stack for a person to see.
 */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

/** Whether the error says that something else than a file stands at the path, or something else than a folder above it. */
export function isInTheWay(error: unknown): error is MemoryError {
  if (!(error instanceof MemoryError)) return false;
  return error.code === "link_outside" || error.code === "not_a_file" || error.details["cause"] === "ENOTDIR";
}

/** A failure that was tolerated: the work went on, the result says so. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
}
