import * as fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { basename, dirname } from "node:path";
import { MemoryError, sqliteResultOf } from "../base/errors.ts";
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
export type LockName = "tree" | "append" | "summaries" | "search" | "choices" | "upkeep";

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
 * - `<folder>/lock-<name>.json` tells others who holds it. It is told, never trusted: without it, or when its process
 *   is gone, `busy` says "another process". `busy` has the details `lock`, `waited_ms` and, where known, `holder`,
 *   `pid` and `since` (ISO 8601, UTC).
 * - A lock file with foreign bytes is copied to `lock-<name>.sqlite.damaged-…` and emptied in place. It is not renamed:
 *   two processes could then hold the lock on two files.
 * - Who deletes the lock file while it is held lets a second process in; no lock on a file can prevent that.
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
    refuseAborted(name, how);
    const transaction = beginTransaction(options.driver, lock);
    if (transaction !== undefined) {
      const since = new Date(options.clock.now()).toISOString();
      writeHolder(lock, { holder: how.holder, pid: process.pid, since });
      return leaseOn(lock, transaction);
    }
    const left = until - performance.now();
    if (left <= 0) throw await busyError(lock, waitMs);
    await pauseFor(Math.min(pause, left), how.signal);
  }
}

function leaseOn(lock: LockFiles, transaction: Transaction): Lease {
  let state: "held" | "released" = "held";
  return {
    release: async () => {
      if (state === "released") return;
      state = "released";
      removeHolder(lock);
      transaction.end();
    },
  };
}

function refuseAborted(name: LockName, how: LockOptions): void {
  if (how.signal?.aborted !== true) return;
  throw new MemoryError("aborted", `${how.holder} was stopped while it waited for the lock "${name}".`, { lock: name });
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
  const known = await readHolder(lock);
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
  const cause = causeOf(error);
  const isFull = ["ENOSPC", "EDQUOT", "SQLITE_13"].includes(cause);
  const sentence = isFull
    ? `Could not take the lock "${name}" in ${options.folder}: the disk is full (${cause}); free some space, then run it again.`
    : `Could not take the lock "${name}" in ${options.folder}: the system says ${cause}; check that the folder is writable.`;
  return new MemoryError(isFull ? "disk_full" : "io", sentence, { lock: name, path: options.folder, cause }, error);
}

function causeOf(error: unknown): string {
  const result = sqliteResultOf(error);
  if (result !== undefined) return `SQLITE_${result}`;
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown cause";
}

/** The files of one lock, by real absolute path. */
export interface LockFiles {
  readonly name: string;
  /** The empty SQLite database on which the lock is taken. */
  readonly database: string;
  /** Who holds it, as JSON, for others to tell. */
  readonly holder: string;
}

/** Finds the files of a lock and makes their folder. Errors: `link_outside`; others as the system calls fail. */
export function prepareLock(folder: string, name: string): LockFiles {
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
 * whoever holds it now. Never call this while this process holds the lock: closing the file would free it.
 */
function emptyDamaged(lock: LockFiles): void {
  fs.copyFileSync(lock.database, `${lock.database}.damaged-${process.pid}-${process.hrtime.bigint()}`);
  fs.truncateSync(lock.database, 0);
}

/** Who holds a lock, for the message to others. */
interface Holder {
  /** The command. */
  readonly holder: string;
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** Says who holds the lock, if that can be written: the lock itself does not depend on it. */
export function writeHolder(lock: LockFiles, holder: Holder): void {
  bestEffort(() => {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const fd = fs.openSync(lock.holder, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
    bestEffort(() => fs.writeSync(fd, printHolder(holder)));
    fs.closeSync(fd);
  });
}

/** Takes the file away. To be called while the lock is still held: afterwards it is the next holder's file. */
export function removeHolder(lock: LockFiles): void {
  bestEffort(() => fs.unlinkSync(lock.holder));
}

/** Who holds the lock; `undefined` when that is not known. */
export async function readHolder(lock: LockFiles): Promise<Holder | undefined> {
  const holder = bestEffort(() => parseHolder(readStart(lock.holder)));
  if (holder !== undefined) return holder;
  // A holder writes the file a moment after it got the lock.
  await sleep(20);
  return bestEffort(() => parseHolder(readStart(lock.holder)));
}

function printHolder(holder: Holder): string {
  return `${JSON.stringify(holder)}\n`;
}

/** `undefined` as well when the process is gone: then the file is that of an earlier holder. */
function parseHolder(text: string): Holder | undefined {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return undefined;
  if (!("holder" in value && "pid" in value && "since" in value)) return undefined;
  const { holder, pid, since } = value;
  if (typeof holder !== "string" || typeof pid !== "number" || typeof since !== "string") return undefined;
  return isAlive(pid) ? { holder: printable(holder), pid, since: printable(since) } : undefined;
}

function readStart(path: string): string {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(4096);
    return bytes.toString("utf8", 0, fs.readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    fs.closeSync(fd);
  }
}

/** The file is text that anyone may have written: no control characters, no novel. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, " ").slice(0, 120);
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function bestEffort<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** A held lock. It is free after `end`, which can be called again without harm. */
export interface Transaction {
  end(): void;
}

/** Takes the lock if it is free, without waiting. */
export function beginTransaction(driver: SqliteDriver, lock: LockFiles): Transaction | undefined {
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
      return holdUntilEnd(lock, database);
    } else {
      // The file was deleted before it was locked: then no other process would see this lock. Look again.
      database.close();
    }
  }
  return undefined;
}

/**
 * What this process holds. Shared by all instances, because the kernel counts POSIX locks by process: to open and close
 * a lock file by other means than SQLite would free the lock that another instance holds. It also keeps the database
 * from being collected as garbage, which would free the lock as well.
 */
const held = new Map<string, SqliteDatabase>();

function holdUntilEnd(lock: LockFiles, database: SqliteDatabase): Transaction {
  held.set(lock.database, database);
  return {
    end: () => {
      if (held.get(lock.database) !== database) return;
      held.delete(lock.database);
      database.close();
    },
  };
}

function openAndBegin(driver: SqliteDriver, lock: LockFiles): SqliteDatabase | "busy" | "damaged" {
  const database = driver.open(lock.database);
  try {
    // In memory, since SQLite would otherwise make a journal file for the empty database.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database.close();
    const result = sqliteResultOf(error);
    if (result === undefined || meanings[result] === undefined) throw error;
    return meanings[result];
  }
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_CORRUPT, SQLITE_NOTADB. */
const meanings: Readonly<Record<number, "busy" | "damaged">> = { 5: "busy", 6: "busy", 11: "damaged", 26: "damaged" };
