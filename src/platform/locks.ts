import * as fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { basename, dirname } from "node:path";
import { MemoryError, attempt, sqliteResultOf, systemCodeOf } from "../base/errors.ts";
import { isObject, parseJson } from "../base/json.ts";
import type { Clock } from "./clock.ts";
import type { SqliteDriver, SqliteDatabase } from "./sqlite.ts";
import { makePrivateFolder, unless } from "./local-state/disk.ts";

/**
 * Mutual exclusion between processes on one project folder. A lease belongs to the process: the kernel frees it when the
 * process ends, however it ends; it does not expire while the holder is stopped.
 */
export interface Locks {
  readonly id: string;

  /**
   * Waits up to `waitMs` (default 0) for the named lock. When it stays taken: `MemoryError` `busy` whose sentence and
   * details say who holds it (command, process id) and since when. `signal` ends the wait with `aborted`.
   */
  acquire(name: LockName, options: LockOptions): Promise<Lease>;
}

/** `tree`: the compaction run. `append`: one entry into a raw log and its count in the state file. `summaries`: asking a model. `search`: writing the index. `choices`: asking a model for recall. `upkeep`: what a hook has done in the background. */
export type LockName = "tree" | "append" | "summaries" | "search" | "upkeep";

export interface LockOptions {
  /** The command that takes it, for the sentence that others see. */
  readonly holder: string;
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

export interface Lease {
  release(): Promise<void>;
}

/** Where the locks of a project live. */
interface SqliteLocksOptions {
  /** Absolute path of `<project>/.heartwood`. It is made when absent; the project folder is not. */
  readonly folder: string;
  /** Shows others since when a lock is held; waiting does not depend on it. */
  readonly clock: Clock;
  readonly driver: SqliteDriver;
}

/**
 * Locks that the kernel frees: a write transaction of SQLite on `<folder>/lock-<name>.sqlite`, an empty database into
 * which nothing is ever written. A stopped holder keeps its lock; that of a killed one is free at once. Nothing expires.
 *
 * - Not re-entrant: a second `acquire` in the same process waits and is `busy` like any other.
 * - `<folder>/lock-<name>.json` shows others who holds it, and is never trusted: without it, or when its process
 *   is gone, `busy` says "another process". `busy` has the details `lock`, `waited_ms` and, where known, `holder`,
 *   `pid` and `since` (ISO 8601, UTC).
 * - A lock file with foreign bytes is copied to `lock-<name>.sqlite.damaged-…` and emptied in place. It is not renamed:
 *   two processes could then hold the lock on two files.
 * - Deleting the lock file while it is held lets a second process in; no lock on a file can prevent that.
 *
 * Errors of `acquire`: `busy`, `aborted`, `link_outside`, `not_a_file`, `disk_full`, `io`.
 */
export function createSqliteLocks(options: SqliteLocksOptions): Locks {
  return {
    id: "sqlite-locks-1",
    acquire: async (name, how) => {
      try {
        return await acquireLock(options, name, how);
      } catch (error) {
        throw failureOf(options, name, error);
      }
    },
  };
}

const shortestPauseMs = 5;
const longestPauseMs = 50;

async function acquireLock(options: SqliteLocksOptions, name: LockName, how: LockOptions): Promise<Lease> {
  const lock = prepareLock(options.folder, name);
  const waitMs = how.waitMs ?? 0;
  const until = performance.now() + waitMs;
  for (let pause = shortestPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    if (how.signal?.aborted === true) {
      const message = `${how.holder} was stopped while it waited for the lock "${name}".`;
      throw new MemoryError("aborted", message, { lock: name });
    }
    const lease = takeLock(options.driver, lock);
    if (lease !== undefined) {
      const since = new Date(options.clock.now()).toISOString();
      writeHolder(lock, { holder: how.holder, pid: process.pid, since });
      return lease;
    }
    const left = until - performance.now();
    if (left <= 0) throw await busyError(lock, waitMs);
    await pauseFor(Math.min(pause, left), how.signal);
  }
}

/** An abort only ends the pause; the next look at the signal reports it. */
async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

async function busyError(lock: LockFiles, waitMs: number): Promise<MemoryError> {
  let known = readHolder(lock);
  if (known === undefined) {
    // A holder writes the file a moment after it got the lock.
    await sleep(20);
    known = readHolder(lock);
  }
  const waited = waitMs >= 1000 ? `, also after ${Math.round(waitMs / 1000)} s of waiting` : "";
  const who = known === undefined ? "another process" : `${known.holder} (process ${known.pid}) since ${known.since}`;
  return new MemoryError(
    "busy",
    `The lock "${lock.name}" is held by ${who}${waited}; wait until it is done, or end that process, then run it again.`,
    { lock: lock.name, waited_ms: waitMs, ...known },
  );
}

function failureOf(options: SqliteLocksOptions, name: LockName, error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  const result = sqliteResultOf(error);
  const cause = result === undefined ? (systemCodeOf(error) ?? "unknown cause") : `SQLITE_${result}`;
  const isFull = ["ENOSPC", "EDQUOT", "SQLITE_13"].includes(cause);
  const why = isFull
    ? `the disk is full (${cause}); free some space, then run it again`
    : `the system says ${cause}; check that the folder is writable`;
  const message = `Could not take the lock "${name}" in ${options.folder}: ${why}.`;
  return new MemoryError(isFull ? "disk_full" : "io", message, { lock: name, path: options.folder, cause }, error);
}

/** The files of one lock, by real absolute path. */
interface LockFiles {
  readonly name: string;
  /** The empty SQLite database on which the lock is taken. */
  readonly database: string;
  /** Who holds it, as JSON, for others to read. */
  readonly holder: string;
}

/** Finds the files of a lock and makes their folder. Errors: `link_outside`; others as the system calls fail. */
function prepareLock(folder: string, name: string): LockFiles {
  const project = fs.realpathSync(dirname(folder));
  const wanted = `${project}/${basename(folder)}`;
  makePrivateFolder(wanted);
  const real = fs.realpathSync(wanted);
  if (!real.startsWith(`${project}/`)) {
    const sentence = `${folder} is a link that leaves the project, to ${real}. Put a folder there.`;
    throw new MemoryError("link_outside", sentence, { path: folder });
  }
  return { name, database: `${real}/lock-${name}.sqlite`, holder: `${real}/lock-${name}.json` };
}

/** Who holds a lock, for the message to others. */
interface Holder {
  /** The command. */
  readonly holder: string;
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly since: string;
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** Says who holds the lock, if that can be written: the lock itself does not depend on it. */
function writeHolder(lock: LockFiles, holder: Holder): void {
  attempt(() => {
    const fd = fs.openSync(lock.holder, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      fs.writeSync(fd, `${JSON.stringify(holder)}\n`);
    } finally {
      fs.closeSync(fd);
    }
  });
}

/** Who holds the lock; `undefined` when that is not known, or its process is gone: then the file is that of an earlier holder. */
function readHolder(lock: LockFiles): Holder | undefined {
  const value = parseJson(attempt(() => readStart(lock.holder)) ?? "");
  const { holder, pid, since } = isObject(value) ? value : {};
  if (typeof holder !== "string" || typeof pid !== "number" || typeof since !== "string") return undefined;
  return isAlive(pid) ? { holder: printable(holder), pid, since: printable(since) } : undefined;
}

function readStart(path: string): string {
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(4096);
    return bytes.toString("utf8", 0, fs.readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    fs.closeSync(fd);
  }
}

/** Anyone may have written the file: no control characters, no novel. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, " ").slice(0, 120);
}

export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === "EPERM";
  }
}

/**
 * What this process holds. Shared by all instances, because the kernel counts POSIX locks by process: to open and close
 * a lock file by other means than SQLite would free the lock that another instance holds. It also keeps the database
 * from being collected as garbage, which would free the lock as well.
 */
const held = new Map<string, SqliteDatabase>();

/** Takes the lock if it is free, without waiting. */
function takeLock(driver: SqliteDriver, lock: LockFiles): Lease | undefined {
  let isRepaired = false;
  while (!held.has(lock.database)) {
    makeLockFile(lock);
    const before = lockFileId(lock);
    const database = openAndBegin(driver, lock);
    if (database === "busy") return undefined;
    if (database === "damaged") {
      if (isRepaired) throw new MemoryError("io", `${lock.database} is damaged. Delete it when nothing runs.`);
      emptyDamaged(lock);
      isRepaired = true;
    } else if (before === lockFileId(lock)) {
      return leaseOn(lock, database);
    } else {
      // The file was deleted before it was locked: then no other process would see this lock. Look again.
      database.close();
    }
  }
  return undefined;
}

function leaseOn(lock: LockFiles, database: SqliteDatabase): Lease {
  held.set(lock.database, database);
  return {
    release: async () => {
      if (held.get(lock.database) !== database) return;
      // While the lock is still held: afterwards it is the next holder's file.
      attempt(() => fs.unlinkSync(lock.holder));
      held.delete(lock.database);
      database.close();
    },
  };
}

/** Makes the empty lock file for its owner alone, unless there is one: it is not opened, since closing it would free a lock on it. */
function makeLockFile(lock: LockFiles): void {
  if (fs.lstatSync(lock.database, { throwIfNoEntry: false }) !== undefined) return;
  unless("EEXIST", () => fs.closeSync(fs.openSync(lock.database, "wx", 0o600)));
}

/** Device and inode of the lock file; `undefined` when absent. Errors: `link_outside`, `not_a_file`. */
function lockFileId(lock: LockFiles): string | undefined {
  const stat = fs.lstatSync(lock.database, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isFile()) return `${stat.dev}-${stat.ino}`;
  const code = stat.isSymbolicLink() ? "link_outside" : "not_a_file";
  throw new MemoryError(code, `${lock.database} is not a regular file. Move it away.`, { path: lock.database });
}

/**
 * Keeps a copy of a lock file with foreign bytes, then empties it in place: the inode stays, and with it the lock of
 * its present holder. Never call this while this process holds the lock: closing the file would free it.
 */
function emptyDamaged(lock: LockFiles): void {
  fs.copyFileSync(lock.database, `${lock.database}.damaged-${process.pid}-${process.hrtime.bigint()}`);
  fs.truncateSync(lock.database, 0);
}

function openAndBegin(driver: SqliteDriver, lock: LockFiles): SqliteDatabase | "busy" | "damaged" {
  const database = driver.open(lock.database);
  try {
    // In memory, since SQLite would otherwise make a journal file for the empty database.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database.close();
    const meaning = meanings[sqliteResultOf(error) ?? 0];
    if (meaning === undefined) throw error;
    return meaning;
  }
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_CORRUPT, SQLITE_NOTADB. */
const meanings: Readonly<Record<number, "busy" | "damaged">> = { 5: "busy", 6: "busy", 11: "damaged", 26: "damaged" };
