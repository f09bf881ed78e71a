import { closeSync, constants, copyFileSync, openSync, readSync, truncateSync, unlinkSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { dirname } from "node:path";
import { MemoryError, attempt, sqliteResultOf, systemCodeOf } from "../base/errors.ts";
import { isObject, parseJson } from "../base/json.ts";
import type { Clock } from "./clock.ts";
import type { SqliteDriver, SqliteDatabase } from "./sqlite.ts";
import {
  databaseFailure,
  fileIdOf,
  isBusy,
  isRegular,
  makeDatabaseFile,
  makeInside,
  whenFree,
} from "./database-file.ts";

/**
 * Mutual exclusion between processes on one project folder. A lease belongs to the process: the kernel releases it when the
 * process ends in any way. It does not expire while the holder is suspended.
 */
export interface Locks {
  readonly id: string;

  /**
   * Waits up to `waitMs` (default 0) for the named lock. If it stays taken, throws `busy` with the holder (command, process id) and since when in the
   * message and details. `signal` ends the wait with `aborted`.
   */
  acquire(name: LockName, options: LockOptions): Promise<Lease>;
}

/** `tree`: the compaction run. `append`: adding an entry to a raw log and counting it in the state file. `summaries`: asking a model. `search`: writing the index. `upkeep`: background work of hooks. */
export type LockName = "tree" | "append" | "summaries" | "search" | "upkeep";

export interface LockOptions {
  /** The command that takes the lock; shown in other processes' `busy` errors. */
  readonly holder: string;
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

export interface Lease {
  release(): Promise<void>;
}

interface SqliteLocksOptions {
  /** Absolute path of `<project>/.heartwood`; created if missing. The project folder must exist. */
  readonly folder: string;
  /** Only for showing since when a lock is held; waiting does not depend on it. */
  readonly clock: Clock;
  readonly driver: SqliteDriver;
}

/**
 * Locks that the kernel releases: a write transaction of SQLite on `<folder>/lock-<name>.sqlite`, an empty database that is never written to.
 *
 * - Not re-entrant: a second `acquire` in the same process waits and is `busy` like any other.
 * - `<folder>/lock-<name>.json` names the holder for other processes' errors, and is never trusted: if it is missing or its process is gone, the
 *   message says "another process". `busy` has the details `lock`, `waited_ms` and, if known, `holder`, `pid` and `since` (ISO 8601, UTC).
 * - A lock file with foreign bytes is copied to `lock-<name>.sqlite.damaged-…` and emptied in place. It is not renamed, because two processes could
 *   then hold the lock on two files.
 * - Deleting the lock file while it is held lets a second process in; no file lock can prevent that.
 *
 * Errors of `acquire`: `busy`, `aborted`, `link_outside`, `not_a_file`, `disk_full`, `io`.
 */
export function createSqliteLocks({ folder, clock, driver }: SqliteLocksOptions): Locks {
  return {
    id: "sqlite-locks-1",
    acquire: async (name, { holder, waitMs = 0, signal }) => {
      let path = `${folder}/lock-${name}.sqlite`;
      try {
        path = `${makeInside(folder, dirname(folder))}/lock-${name}.sqlite`;
        const lease = await whenFree({ waitMs, signal, failure: (error) => error }, () => takeLock(driver, path));
        writeHolder(path, { holder, pid: process.pid, since: new Date(clock.now()).toISOString() });
        return lease;
      } catch (error) {
        if (isBusy(error)) throw await busyError(path, name, waitMs);
        if (signal?.aborted !== true) throw databaseFailure(error, path, "check that the folder is writable.");
        const message = `${holder} was stopped while waiting for the lock "${name}".`;
        throw new MemoryError("aborted", message, { lock: name });
      }
    },
  };
}

async function busyError(database: string, name: LockName, waitMs: number): Promise<MemoryError> {
  let known = readHolder(database);
  if (known === undefined) {
    // The holder writes the file shortly after taking the lock.
    await sleep(20);
    known = readHolder(database);
  }
  const waited = waitMs >= 1000 ? `, and was not released within ${Math.round(waitMs / 1000)} s` : "";
  const who =
    known === undefined
      ? "is held by another process"
      : `has been held by ${known.holder} (process ${known.pid}) since ${known.since}`;
  const sentence = `The lock "${name}" ${who}${waited}; wait until it is released, or end that process, then try again.`;
  return new MemoryError("busy", sentence, { lock: name, waited_ms: waitMs, ...known });
}

/** Who holds a lock, for other processes' errors. */
interface Holder {
  /** The command. */
  readonly holder: string;
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly since: string;
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;

function holderFile(database: string): string {
  return database.replace(/sqlite$/u, "json");
}

/** Records who holds the lock, if possible. The lock itself does not depend on this. */
function writeHolder(database: string, holder: Holder): void {
  attempt(() => {
    const fd = openSync(holderFile(database), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      writeSync(fd, `${JSON.stringify(holder)}\n`);
    } finally {
      closeSync(fd);
    }
  });
}

/** Who holds the lock; `undefined` if unknown, or if the recorded process is gone and the file is an earlier holder's. */
function readHolder(database: string): Holder | undefined {
  const value = parseJson(attempt(() => readStart(holderFile(database))) ?? "");
  const { holder, pid, since } = isObject(value) ? value : {};
  if (typeof holder !== "string" || typeof pid !== "number" || typeof since !== "string") return undefined;
  return isAlive(pid) ? { holder: printable(holder), pid, since: printable(since) } : undefined;
}

function readStart(path: string): string {
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const bytes = Buffer.alloc(4096);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(fd);
  }
}

/** The file may contain anything, so remove control characters and limit the length. */
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
 * The locks of this process. Shared by all instances, because POSIX locks belong to the process: opening and closing
 * a lock file other than through SQLite would release another instance's lock. It also keeps the database
 * from being garbage-collected, which would release the lock too.
 */
const held = new Map<string, SqliteDatabase>();

/** Takes the lock without waiting. If it is already taken, throws SQLite's error (`isBusy`). */
function takeLock(driver: SqliteDriver, path: string): Lease {
  for (let isRepaired = false; ;) {
    if (held.has(path)) throw Object.assign(new Error("This process holds the lock."), { errcode: 5 });
    if (!isRegular(path)) makeDatabaseFile(path);
    const before = fileIdOf(path);
    const database = openAndBegin(driver, path);
    if (database === "damaged") {
      if (isRepaired)
        throw new MemoryError("io", `${path} is damaged. Delete it when no heartwood process is running.`);
      emptyDamaged(path);
      isRepaired = true;
    } else if (before === fileIdOf(path)) {
      return leaseOn(path, database);
    } else {
      // The file was deleted before it was locked, so no other process would see this lock. Try again.
      database.close();
    }
  }
}

function leaseOn(path: string, database: SqliteDatabase): Lease {
  held.set(path, database);
  return {
    release: async () => {
      if (held.get(path) !== database) return;
      // Remove the file while the lock is still held; afterwards it may be the next holder's.
      attempt(() => unlinkSync(holderFile(path)));
      held.delete(path);
      database.close();
    },
  };
}

/**
 * Copies a lock file with foreign bytes, then empties it in place, which keeps the inode and thus the current holder's lock. Never call this while
 * this process holds the lock: closing the file would release it.
 */
function emptyDamaged(path: string): void {
  copyFileSync(path, `${path}.damaged-${process.pid}-${process.hrtime.bigint()}`);
  truncateSync(path, 0);
}

function openAndBegin(driver: SqliteDriver, path: string): SqliteDatabase | "damaged" {
  const database = driver.open(path);
  try {
    // Journal in memory: otherwise SQLite would create a journal file for the empty database.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database.close();
    // SQLITE_CORRUPT, SQLITE_NOTADB.
    if ([11, 26].includes(sqliteResultOf(error) ?? 0)) return "damaged";
    throw error;
  }
}
