/** All error codes. `error-statuses.ts` says what each means to other programs. */
export type ErrorCode =
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
  | "unauthorized"
  | "invalid_host"
  | "foreign_origin"
  | "method_not_allowed"
  | "unsupported_content"
  | "too_large"
  | "too_many_requests"
  | "busy"
  | "io"
  | "disk_full"
  | "link_outside"
  | "not_a_file"
  | "newer_store"
  | "older_store"
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

/** Machine-readable values of an error, next to its message; never a secret. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * heartwood's only error type. `message` says what is wrong, which value was given, what is allowed and what to do.
 * It is already redacted.
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

/** Whether the error means that the path is not a regular file, or that one of its parents is not a folder. */
export function isInTheWay(error: unknown): error is MemoryError {
  if (!(error instanceof MemoryError)) return false;
  return error.code === "link_outside" || error.code === "not_a_file" || error.details["cause"] === "ENOTDIR";
}

/** For `catch`: returns `give(error)` for a `MemoryError`; rethrows any other error. */
export function ifMemoryError<T>(give: (error: MemoryError) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof MemoryError) return give(error);
    throw error;
  };
}

/** For `catch`: returns `give(error)` if `isInTheWay(error)`; rethrows any other error. */
export function ifInTheWay<T>(give: (error: MemoryError) => T): (error: unknown) => T {
  return ifMemoryError((error) => {
    if (isInTheWay(error)) return give(error);
    throw error;
  });
}

/** The `code` of a failed system call, e.g. `ENOENT`; `undefined` for other errors. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof MemoryError || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The result of `act`; `undefined` if a system call in it fails. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** A tolerated failure: the operation continued and reports it in its result. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
}

/** Throws `aborted` if the signal is aborted, with the message of its reason if that is a `MemoryError`. */
export function stopIfAborted(signal: AbortSignal | undefined, details: ErrorDetails): void {
  if (signal?.aborted !== true) return;
  const reason: unknown = signal.reason;
  const message = reason instanceof MemoryError ? reason.message : "The request to the model was stopped.";
  throw new MemoryError("aborted", message, details);
}

/** Certificate errors occur before the first byte of the request is sent. */
const certificate = /CERT|SELF_SIGNED/u;

/** Whether a `fetch` error proves that no part of the request was sent: unresolved host, no connection or invalid certificate. False if in doubt. */
export function wasNeverSent(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    // The host has several addresses, and all of them failed.
    if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.every(wasNeverSent);
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT") return true;
    if (typeof code === "string" && certificate.test(code)) return true;
    cause = cause.cause;
  }
  return false;
}

/** The primary result code of a failed SQLite call, without the extended bits; `undefined` for other errors. */
export function sqliteResultOf(error: unknown): number | undefined {
  const code = extendedResultOf(error);
  return code === undefined ? undefined : code & 0xff;
}

/** The extended result code of a failed SQLite call; `undefined` for other errors. */
export function extendedResultOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}
