import { setTimeout as sleep } from "node:timers/promises";
import { MemoryError, sqliteResultOf } from "../base/errors.ts";
import type { Clock } from "./clock.ts";
import type { SqliteDriver } from "./sqlite.ts";
import {
  readHolder,
  removeHolder,
  writeHolder,
  prepareLock,
  beginTransaction,
  type LockFiles,
  type Transaction,
} from "./lock-files.ts";

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
