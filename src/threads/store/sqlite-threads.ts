import type { Clock } from "../../platform/clock.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import { threadNotFound, type ThreadStore } from "./thread-store.ts";
import { appendFrames, appendPieces } from "./sqlite-threads/append.ts";
import { findCheckpoints, findFrames, findPlaces } from "./sqlite-threads/read-frames.ts";
import { createConnection, type Connection, type Session } from "./sqlite-threads/connection.ts";
import { findThread, listHeads } from "./sqlite-threads/rows.ts";
import { importLines } from "./sqlite-threads/import.ts";
import { claimJob, openJobs } from "./sqlite-threads/jobs.ts";
import { purgeStore, rewriteFrames } from "./sqlite-threads/append.ts";

interface SqliteThreadsOptions {
  /** Absolute path of `<project>/.heartwood/threads`. Created with the first thread. */
  readonly folder: string;
  /** Decides when a lease has expired. */
  readonly clock: Pick<Clock, "now">;
  readonly driver: SqliteDriver;
}

/**
 * Threads in `<folder>/threads.sqlite` (WAL, every transaction synced). Opened by the first call that needs it. The first write creates files and
 * folders; until then, reads behave as on an empty store. The store can be used again after `close`.
 *
 * - Waiting for another process takes at most ten seconds (`busy`) and does not block the event loop. An import of more than 500 lines, or an append
 *   of more than one piece, locks the store until its source ends; this process's other writes wait until then.
 * - Errors beyond the port's: `link_outside` and `not_a_file` if something else is where the folder or a file should be.
 */
export function createSqliteThreads({ folder, clock, driver }: SqliteThreadsOptions): ThreadStore {
  const connection = createConnection({ folder, driver });
  const read = async <T>(absent: T, act: (session: Session) => T): Promise<T> => (await connection.read(act)) ?? absent;
  let longRun: Promise<unknown> = Promise.resolve();
  /** Work that reads a source within a transaction gets its own connection, one run at a time. */
  const onItsOwn = <T>(work: (own: Connection) => Promise<T>): Promise<T> => {
    const own = createConnection({ folder, driver });
    const run = longRun.then(() => work(own)).finally(() => own.close());
    longRun = run.catch(() => undefined);
    return run;
  };
  const refuseUnknown = async (threadId: string): Promise<void> => {
    const found = await read(undefined, (session) => findThread(session, threadId));
    if (found === undefined) throw threadNotFound(threadId);
  };
  return {
    id: "sqlite-threads-1",
    append: async (request) => {
      await longRun;
      if (request.frames[0]?.type !== "continuity_created") await refuseUnknown(request.thread_id);
      return connection.write((session) => appendFrames(session, request, clock.now()));
    },
    appendPieces: async (request, pieces) => {
      await longRun;
      await refuseUnknown(request.thread_id);
      return onItsOwn((own) => appendPieces(own, request, pieces));
    },
    import: (lines) => onItsOwn((own) => importLines(own, lines)),
    head: (threadId) => read(undefined, (session) => findThread(session, threadId)?.head),
    heads: ({ limit }) => read({ heads: [], total: 0 }, (session) => listHeads(session, limit)),
    frames: (query) => read([], (session) => findFrames(session, query)),
    places: (threadId, targets) =>
      read(
        targets.map(() => undefined),
        (session) => findPlaces(session, threadId, targets),
      ),
    checkpoints: (query) => read([], (session) => findCheckpoints(session, query)),
    openJobs: (query) => read([], (session) => openJobs(session, { ...query, now: clock.now() })),
    claim: async (request) => {
      await longRun;
      const isThere = await read(false, () => true);
      return isThere && (await connection.write((session) => claimJob(session, request, clock)));
    },
    rewrite: async (threadId, change) => {
      await longRun;
      const isThere = await read(false, () => true);
      if (!isThere) return 0;
      return connection.write((session) => rewriteFrames(session, threadId, change));
    },
    purge: async () => {
      await longRun;
      await purgeStore(connection);
    },
    close: async () => connection.close(),
  };
}
