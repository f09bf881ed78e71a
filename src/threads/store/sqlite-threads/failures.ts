import { MemoryError, extendedResultOf, sqliteResultOf } from "../../../base/errors.ts";

/** Whether another connection holds what was asked for: worth trying again. */
export function isBusy(error: unknown): boolean {
  const result = sqliteResultOf(error);
  // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL.
  return result === 5 || result === 6 || result === 15;
}

/** What a failure of SQLite or of the system means for the caller. */
export function failureOf(error: unknown, path: string): unknown {
  if (error instanceof MemoryError) return error;
  const cause = causeOf(error);
  if (cause === undefined) return error;
  const details = { path, cause };
  if (isBusy(error))
    return new MemoryError(
      "busy",
      `${path} is in use by another process; wait until it is done, then run it again.`,
      details,
      error,
    );
  if (isFull(error, cause))
    return new MemoryError(
      "disk_full",
      `Could not write ${path}: the disk is full (${cause}); free some space, then run it again.`,
      details,
      error,
    );
  if (cause === "SQLITE_11" || cause === "SQLITE_26") return damaged(path, `SQLite says: ${messageOf(error)}`, error);
  const sentence = `Could not use ${path}: the system says ${cause} (${messageOf(error)}); check that the file and its folder are readable and writable.`;
  return new MemoryError("io", sentence, details, error);
}

/** The file is no store of threads, or not a whole one. */
export function damaged(path: string, reason: string, error?: unknown): MemoryError {
  const sentence = `${path} is damaged or is no store of threads (${reason}). Nothing was changed. Move it and the files beside it away, keep them, and put back a copy or import an export.`;
  return new MemoryError("damaged_store", sentence, { path }, error);
}

function isFull(error: unknown, cause: string): boolean {
  // SQLITE_IOERR_SHMSIZE: the shared memory beside the file could not grow.
  return ["SQLITE_13", "ENOSPC", "EDQUOT"].includes(cause) || extendedResultOf(error) === 4874;
}

function causeOf(error: unknown): string | undefined {
  const result = sqliteResultOf(error);
  if (result !== undefined) return `SQLITE_${result}`;
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  return "syscall" in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
