import * as fs from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MemoryError, extendedResultOf, sqliteResultOf } from "../base/errors.ts";
import { makePrivateFolder, unless } from "./local-state/disk.ts";
import type { SqliteDatabase, SqliteStatement } from "./sqlite.ts";

/** The real path of a database in `<project>/.heartwood/…` when there is one; nothing is made. Errors: `link_outside`, `not_a_file`; others as the system calls fail. */
export function findDatabase(folder: string, name: string): string | undefined {
  if (fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined;
  const path = `${realInside(folder, dirname(dirname(folder)))}/${name}`;
  return isRegular(path) ? path : undefined;
}

/** The real path where the database is or will be; what is missing of its folders is made. Errors: as of `findDatabase`. */
export function placeOfDatabase(folder: string, name: string): string {
  const project = dirname(dirname(folder));
  // Each is checked before anything is made in it.
  makeInside(dirname(folder), project);
  const path = `${makeInside(folder, project)}/${name}`;
  isRegular(path);
  return path;
}

/** The real path of a folder, which is made when absent. Errors: `link_outside` when it leaves the folder `above`. */
export function makeInside(folder: string, above: string): string {
  makePrivateFolder(folder);
  return realInside(folder, above);
}

/** Makes an empty file for its owner alone, unless there is one: it is not opened, since closing it would release the locks that this process has on it. */
export function makeDatabaseFile(path: string): void {
  unless("EEXIST", () => fs.writeFileSync(path, "", { flag: "wx", mode: 0o600 }));
}

/** Device and inode of a file; `undefined` when there is none. */
export function fileIdOf(path: string): string | undefined {
  const stat = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}-${stat.ino}`;
}

function realInside(folder: string, above: string): string {
  const project = fs.realpathSync(above);
  const real = fs.realpathSync(folder);
  if (real.startsWith(project.endsWith("/") ? project : `${project}/`)) return real;
  const sentence = `${folder} is a link that leaves the project, to ${real}. Put a folder there.`;
  throw new MemoryError("link_outside", sentence, { path: folder });
}

/** SQLite would wait for a FIFO or a device, and follow a link. The files that it writes beside the database are checked as well. */
export function isRegular(database: string): boolean {
  const [found = false] = ["", "-wal", "-shm", "-journal"].map((ending) => {
    const path = `${database}${ending}`;
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isFile()) return stat !== undefined;
    const code = stat.isSymbolicLink() ? "link_outside" : "not_a_file";
    throw new MemoryError(code, `${path} is not a regular file. Move it away.`, { path });
  });
  return found;
}

/** Whether another connection has a lock (SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL): worth trying again. */
export function isBusy(error: unknown): boolean {
  return [5, 6, 15].includes(sqliteResultOf(error) ?? 0);
}

/** What a failure of SQLite or of the system means for the caller. `help`: what to do when it is not a full disk. */
export function databaseFailure(error: unknown, path: string, help: string): unknown {
  const cause = causeOf(error);
  if (error instanceof MemoryError || cause === undefined) return error;
  const details = { path, cause };
  if (isBusy(error)) {
    const sentence = `${path} is in use by another process; wait until it is done, then run it again.`;
    return new MemoryError("busy", sentence, details, error);
  }
  // SQLITE_IOERR_SHMSIZE: the shared memory beside the file could not grow.
  if (["SQLITE_13", "ENOSPC", "EDQUOT"].includes(cause) || extendedResultOf(error) === 4874) {
    const sentence = `Could not write ${path}: the disk is full (${cause}); free some space, then run it again.`;
    return new MemoryError("disk_full", sentence, details, error);
  }
  const said = error instanceof Error ? error.message : String(error);
  return new MemoryError("io", `Could not use ${path}: the system says ${cause} (${said}); ${help}`, details, error);
}

function causeOf(error: unknown): string | undefined {
  const result = sqliteResultOf(error);
  if (result !== undefined) return `SQLITE_${result}`;
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  return "syscall" in error ? error.code : undefined;
}

const longestPauseMs = 20;

/** Repeats an attempt while another process has a lock, for at most `waitMs`. `failure`: what an error means for the caller. */
export async function whenFree<T>(
  how: { readonly waitMs: number; readonly signal?: AbortSignal | undefined; failure(error: unknown): unknown },
  act: () => T,
): Promise<T> {
  // The clock is looked at only when it has to wait: loading it takes milliseconds.
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
