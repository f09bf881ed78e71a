import { MemoryError, sqliteResultOf } from "../../../base/errors.ts";

/** Whether another connection holds what was asked for: worth trying again. */
export function isBusy(error: unknown): boolean {
  const result = sqliteResultOf(error);
  // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL.
  return result === 5 || result === 6 || result === 15;
}

/** Whether the file is not what SQLite wrote. A table or column that is missing, or a value that cannot be, says the same (SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT). */
export function isDamage(error: unknown): boolean {
  const result = sqliteResultOf(error);
  if (result === 1 || result === 11 || result === 26 || result === 19 || result === 20) return true;
  // What a damaged row makes of a value: SQLite itself does not look.
  return error instanceof RangeError || error instanceof TypeError;
}

/** Causes by which a file or folder is another user's, or read-only: SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN and those of the system. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: "used",
  EPERM: "used",
  EROFS: "written",
  SQLITE_3: "used",
  SQLITE_8: "written",
  SQLITE_14: "opened",
};

/** What a failure of SQLite or of the system means for the caller. */
export function failureOf(error: unknown, path: string): unknown {
  if (error instanceof MemoryError) return error;
  const cause = causeOf(error);
  if (cause === undefined) return error;
  const details = { path, cause };
  if (isBusy(error)) {
    const sentence = `${path} is in use by another process; wait until it is done, then run it again.`;
    return new MemoryError("busy", sentence, details, error);
  }
  if (["SQLITE_13", "ENOSPC", "EDQUOT"].includes(cause)) {
    const sentence = `Could not write ${path}: the disk is full (${cause}); free some space, then run it again.`;
    return new MemoryError("disk_full", sentence, details, error);
  }
  const refused = refusals[cause];
  if (refused !== undefined) {
    const sentence = `The search index in ${path} cannot be ${refused} by this user (${cause}); give this user the folder and its files to read and write.`;
    return new MemoryError("io", sentence, details, error);
  }
  const sentence = `Could not use ${path}: the system says ${cause} (${messageOf(error)}); check that the file and its folder are readable and writable, or delete the folder: the index is made anew.`;
  return new MemoryError("io", sentence, details, error);
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
