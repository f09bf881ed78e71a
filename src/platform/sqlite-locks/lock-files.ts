import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import type { LockName } from "../locks.ts";

/** The files of one lock, by real absolute path. */
export interface LockFiles {
  readonly name: LockName;
  /** The empty SQLite database on which the lock is taken. */
  readonly database: string;
  /** Who holds it, as JSON, for others to tell. */
  readonly holder: string;
}

/** Finds the files of a lock and makes their folder. Errors: `link_outside`; others as the system calls fail. */
export function prepareLock(folder: string, name: LockName): LockFiles {
  const project = fs.realpathSync(dirname(folder));
  const wanted = `${project}/${basename(folder)}`;
  makeFolder(wanted);
  const real = fs.realpathSync(wanted);
  if (!real.startsWith(`${project}/`)) {
    const sentence = `${folder} is a link that leaves the project, to ${real}. Put a folder there.`;
    throw new MemoryError("link_outside", sentence, { path: folder });
  }
  return { name, database: `${real}/lock-${name}.sqlite`, holder: `${real}/lock-${name}.json` };
}

/** Makes the empty lock file for its owner alone, unless there is one: it is not opened, since closing it would free a lock on it. */
export function makeLockFile(lock: LockFiles): void {
  if (fs.lstatSync(lock.database, { throwIfNoEntry: false }) !== undefined) return;
  unlessThere(() => fs.closeSync(fs.openSync(lock.database, "wx", 0o600)));
}

/** Device and inode of the lock file; `undefined` when absent. Errors: `link_outside`, `not_a_file`. */
export function lockFileId(lock: LockFiles): string | undefined {
  const stat = fs.lstatSync(lock.database, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isFile()) return `${stat.dev}-${stat.ino}`;
  const code = stat.isSymbolicLink() ? "link_outside" : "not_a_file";
  throw new MemoryError(code, `${lock.database} is not a regular file. Move it away.`, { path: lock.database });
}

/**
 * Keeps a copy of a lock file with foreign bytes, then empties it in place: the inode stays, and with it the lock of
 * whoever holds it now. Never call this while this process holds the lock: closing the file would free it.
 */
export function emptyDamaged(lock: LockFiles): void {
  fs.copyFileSync(lock.database, `${lock.database}.damaged-${process.pid}-${process.hrtime.bigint()}`);
  fs.truncateSync(lock.database, 0);
}

function makeFolder(path: string): void {
  unlessThere(() => fs.mkdirSync(path, { mode: 0o700 }));
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
