/** Codes of failures that are not the caller's fault: exit status 3. */
export const couldNot = [
  "busy",
  "io",
  "disk_full",
  "link_outside",
  "not_a_file",
  "newer_store",
  "foreign_state",
  "changed_by_other",
  "nothing_to_undo",
  "seq_conflict",
  "decision_conflict",
  "frame_conflict",
  "seq_gap",
  "lease_lost",
  "damaged_store",
  "artifact_damaged",
  "archive_damaged",
  "model_unavailable",
  "model_refused",
  "model_answer",
  "aborted",
  "internal",
] as const;

/** Every way in which a call can be refused or fail, as one closed union. Those that are not in `couldNot` are bad input: exit status 2. */
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
  | (typeof couldNot)[number];

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

/** Whether the error says that the path is not a file, or that a part above it is not a folder. */
export function isInTheWay(error: unknown): error is MemoryError {
  if (!(error instanceof MemoryError)) return false;
  return error.code === "link_outside" || error.code === "not_a_file" || error.details["cause"] === "ENOTDIR";
}

/** For `catch`: what `give` says of an error of ours; any other error is thrown again. */
export function ifMemoryError<T>(give: (error: MemoryError) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof MemoryError) return give(error);
    throw error;
  };
}

/** For `catch`: what `give` says when something else than a file is in its place; any other error is thrown again. */
export function ifInTheWay<T>(give: (error: MemoryError) => T): (error: unknown) => T {
  return ifMemoryError((error) => {
    if (isInTheWay(error)) return give(error);
    throw error;
  });
}

/** The `code` of a failed system call, such as `ENOENT`; `undefined` for any other error. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof MemoryError || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** What `act` returns; `undefined` when a system call in it fails. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** A failure that was tolerated: the work went on, the result says so. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
}

/** Throws `aborted`, with the message of the reason, when the signal is aborted. */
export function stopIfAborted(signal: AbortSignal | undefined, details: ErrorDetails): void {
  if (signal?.aborted !== true) return;
  const reason: unknown = signal.reason;
  const message = reason instanceof MemoryError ? reason.message : "The request to the model was stopped.";
  throw new MemoryError("aborted", message, details);
}

/** Certificates are looked at before the first byte of a request goes out. */
const certificate = /CERT|SELF_SIGNED/u;

/** Whether an error of `fetch` says that nothing left the machine: no address, no connection, or an invalid certificate. In doubt it does not. */
export function wasNeverSent(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    // Of a name with several addresses each was tried.
    if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.every(wasNeverSent);
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT") return true;
    if (typeof code === "string" && certificate.test(code)) return true;
    cause = cause.cause;
  }
  return false;
}

/** The primary result code of a failed SQLite call (the details are in its higher bits); `undefined` for another error. */
export function sqliteResultOf(error: unknown): number | undefined {
  const code = extendedResultOf(error);
  return code === undefined ? undefined : code & 0xff;
}

/** The extended result code of a failed SQLite call; `undefined` for another error. */
export function extendedResultOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}
