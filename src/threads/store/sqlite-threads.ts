import type { Clock } from "../../platform/clock.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import { threadNotFound, type ThreadStore } from "./thread-store.ts";
import { appendFrames, appendPieces } from "./sqlite-threads/append.ts";
import { findCheckpoints, findFrames, findPlaces } from "./sqlite-threads/read-frames.ts";
import { createConnection, type Connection } from "./sqlite-threads/connection.ts";
import { findHead, listHeads, publicHead } from "./sqlite-threads/rows.ts";
import { importLines } from "./sqlite-threads/import.ts";
import { claimJob, openJobs } from "./sqlite-threads/jobs.ts";
import { setTimeout as sleep } from "node:timers/promises";

interface SqliteThreadsOptions {
  /** Absolute path of `<project>/.heartwood/threads`. Made with the first thread. */
  readonly folder: string;
  /** Tells when a lease is over. */
  readonly clock: Pick<Clock, "now">;
  readonly driver: SqliteDriver;
}

/**
 * Threads in `<folder>/threads.sqlite` (WAL, every transaction synced). Opened by the first call that needs it; files and folders are made by the first
 * write, and reads where there is nothing answer as of an empty store. After `close` the store can be used again.
 *
 * - Waiting for another process takes at most ten seconds (`busy`) and does not block. An import of more than 500 lines, or pieces after the first, hold the store until their source ends; calls of this process wait for its end.
 * - Errors beside those of the port: `link_outside` and `not_a_file` for anything else in the place of the folder or of a file.
 */
export function createSqliteThreads(options: SqliteThreadsOptions): ThreadStore {
  const { folder, clock, driver } = options;
  const connection = createConnection({ folder, driver });
  const changes = createChanges(connection);
  let longRun: Promise<unknown> = Promise.resolve();
  const whenAlone = async (): Promise<void> => {
    await longRun.catch(() => undefined);
  };
  /** What reads a source within a transaction has a connection of its own, one after the other. */
  const onItsOwn = async <T>(work: (own: Connection) => Promise<T>): Promise<T> => {
    const before = longRun;
    const own = createConnection({ folder, driver });
    const run = before
      .catch(() => undefined)
      .then(() => work(own))
      .finally(() => own.close());
    longRun = run;
    return await run;
  };
  const refuseUnknown = async (threadId: string): Promise<void> => {
    const found = await connection.read((session) => findHead(session, threadId));
    if (found === undefined) throw threadNotFound(threadId);
  };
  return {
    id: "sqlite-threads-1",
    append: async (request) => {
      await whenAlone();
      if (request.frames[0]?.type !== "continuity_created") await refuseUnknown(request.thread_id);
      const result = await connection.write((session) => appendFrames(session, request, clock.now()));
      changes.noteOwn();
      return result;
    },
    appendPieces: async (request, pieces) => {
      await whenAlone();
      await refuseUnknown(request.thread_id);
      return onItsOwn((own) => appendPieces(own, request, pieces));
    },
    import: (lines) => onItsOwn((own) => importLines(own, lines)),
    head: async (threadId) => {
      const found = await connection.read((session) => findHead(session, threadId));
      return found === undefined ? undefined : publicHead(found);
    },
    heads: async ({ limit }) =>
      (await connection.read((session) => listHeads(session, limit))) ?? { heads: [], total: 0 },
    frames: (query) => findFrames(connection, query),
    places: async (threadId, targets) =>
      (await connection.read((session) => findPlaces(session, threadId, targets))) ?? targets.map(() => undefined),
    checkpoints: async (query) => (await connection.read((session) => findCheckpoints(session, query))) ?? [],
    openJobs: async (query) =>
      (await connection.read((session) => openJobs(session, { ...query, now: clock.now() }))) ?? [],
    claim: async (request) => {
      await whenAlone();
      const isThere = await connection.read(() => true);
      return isThere === true && (await connection.write((session) => claimJob(session, request, clock)));
    },
    changed: (signal) => changes.wait(signal),
    close: async () => {
      changes.end();
      connection.close();
    },
  };
}

const PAUSE_MS = 50;

export interface Changes {
  /** Tells those that wait about a write of this process. */
  noteOwn(): void;
  /**
   * Resolves when there may have been a write since the last call with this signal, or it aborts. The first call with a signal resolves after one pause:
   * what its caller has seen is not known.
   */
  wait(signal: AbortSignal): Promise<void>;
  /** Lets everybody go who waits. */
  end(): void;
}

/** Looks every 50 ms whether another connection has written, and counts what this one writes. */
function createChanges(connection: Connection): Changes {
  const seen = new WeakMap<AbortSignal, string>();
  let own = 0;
  let stop = new AbortController();
  const version = async (): Promise<string> => {
    const found = await connection.read((session) => {
      const row = session.statement("PRAGMA data_version").get() as { readonly data_version: number };
      return `${session.serial}/${row.data_version}`;
    });
    return `${own}/${found ?? "none"}`;
  };
  return {
    noteOwn: () => {
      own += 1;
    },
    wait: async (signal) => {
      const until = AbortSignal.any([signal, stop.signal]);
      const before = seen.get(signal);
      while (!until.aborted) {
        const now = await version();
        if (before !== undefined && now !== before) break;
        await pauseUntil(until);
        if (before === undefined) break;
      }
      if (!until.aborted) seen.set(signal, await version());
    },
    end: () => {
      own += 1;
      stop.abort();
      stop = new AbortController();
    },
  };
}

/** An abort only ends the pause. */
async function pauseUntil(signal: AbortSignal): Promise<void> {
  try {
    await sleep(PAUSE_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
