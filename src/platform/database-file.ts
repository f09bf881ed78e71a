import { lstatSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MemoryError, extendedResultOf, sqliteResultOf } from "../base/errors.ts";
import { makePrivateFolder, unless } from "./local-state/disk.ts";
import type { SqliteDatabase, SqliteStatement } from "./sqlite.ts";

/** The real path of a database in `<project>/.heartwood/…`, if it exists. Creates nothing. Errors: `link_outside`, `not_a_file`, and system errors. */
export function findDatabase(folder: string, name: string): string | undefined {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined;
  const path = `${realInside(folder, dirname(dirname(folder)))}/${name}`;
  return isRegular(path) ? path : undefined;
}

/** The real path where the database is or will be. Creates missing folders. Errors: same as `findDatabase`. */
export function placeOfDatabase(folder: string, name: string): string {
  const project = dirname(dirname(folder));
  // Check each folder before creating anything in it.
  makeInside(dirname(folder), project);
  const path = `${makeInside(folder, project)}/${name}`;
  isRegular(path);
  return path;
}

/** Creates a folder if missing and returns its real path. Errors: `link_outside` if that is not inside `above`. */
export function makeInside(folder: string, above: string): string {
  makePrivateFolder(folder);
  return realInside(folder, above);
}

/** Creates an empty file that only its owner can access. Does not open an existing file, since closing it would release this process's locks on it. */
export function makeDatabaseFile(path: string): void {
  unless("EEXIST", () => writeFileSync(path, "", { flag: "wx", mode: 0o600 }));
}

/** Device and inode of a file; `undefined` if it does not exist. */
export function fileIdOf(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}-${stat.ino}`;
}

function realInside(folder: string, above: string): string {
  const project = realpathSync(above);
  const real = realpathSync(folder);
  if (real.startsWith(project.endsWith("/") ? project : `${project}/`)) return real;
  const sentence = `${folder} is a link to ${real}, outside the project. Replace it with a folder.`;
  throw new MemoryError("link_outside", sentence, { path: folder });
}

/** Whether the database exists as a regular file: SQLite would block on a FIFO or device, and follow a link. Also checks the files SQLite writes next to it. */
export function isRegular(database: string): boolean {
  const [found = false] = ["", "-wal", "-shm", "-journal"].map((ending) => {
    const path = `${database}${ending}`;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isFile()) return stat !== undefined;
    const code = stat.isSymbolicLink() ? "link_outside" : "not_a_file";
    throw new MemoryError(code, `${path} is not a regular file. Move it away.`, { path });
  });
  return found;
}

/** Whether another connection holds a lock (SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL), so a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return [5, 6, 15].includes(sqliteResultOf(error) ?? 0);
}

/** Translates a SQLite or system error for the caller. `help`: advice for errors other than a busy database or a full disk. */
export function databaseFailure(error: unknown, path: string, help: string): unknown {
  const cause = causeOf(error);
  if (error instanceof MemoryError || cause === undefined) return error;
  const details = { path, cause };
  if (isBusy(error)) {
    const sentence = `${path} is in use by another process; wait until it finishes, then try again.`;
    return new MemoryError("busy", sentence, details, error);
  }
  // SQLITE_IOERR_SHMSIZE: the shared-memory file could not grow.
  if (["SQLITE_13", "ENOSPC", "EDQUOT"].includes(cause) || extendedResultOf(error) === 4874) {
    const sentence = `Could not write ${path}: the disk is full (${cause}); free some space, then try again.`;
    return new MemoryError("disk_full", sentence, details, error);
  }
  const said = error instanceof Error ? error.message : String(error);
  return new MemoryError("io", `Could not use ${path}: the system reports ${cause} (${said}); ${help}`, details, error);
}

function causeOf(error: unknown): string | undefined {
  const result = sqliteResultOf(error);
  if (result !== undefined) return `SQLITE_${result}`;
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  return "syscall" in error ? error.code : undefined;
}

const longestPauseMs = 20;

/** Retries while another process holds a lock, for at most `waitMs`. `failure` translates an error for the caller. */
export async function whenFree<T>(
  how: { readonly waitMs: number; readonly signal?: AbortSignal | undefined; failure(error: unknown): unknown },
  act: () => T,
): Promise<T> {
  // Read the clock only when waiting, because loading it takes milliseconds.
  let until: number | undefined;
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPauseMs)) {
    how.signal?.throwIfAborted();
    try {
      return act();
    } catch (error) {
      if (!isBusy(error) || performance.now() > (until ??= performance.now() + how.waitMs)) throw how.failure(error);
    }
    await sleep(pause);
  }
}

/** Prepares each statement once. */
export function prepareOnce(database: SqliteDatabase): (sql: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>();
  return (sql) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}
