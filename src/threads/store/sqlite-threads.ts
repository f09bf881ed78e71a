import type { Clock } from "../../platform/clock.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import type { ThreadStore } from "./thread-store.ts";
import { appendFrames, appendPieces, notFound } from "./sqlite-threads/append.ts";
import { createChanges } from "./sqlite-threads/changes.ts";
import { findCheckpoints } from "./sqlite-threads/checkpoints.ts";
import { createConnection, type Connection } from "./sqlite-threads/connection.ts";
import { findFrames } from "./sqlite-threads/frames.ts";
import { findHead, listHeads, publicHead } from "./sqlite-threads/heads.ts";
import { importLines } from "./sqlite-threads/import.ts";
import { claimJob, openJobs } from "./sqlite-threads/jobs.ts";
import { findPlaces } from "./sqlite-threads/places.ts";

export interface SqliteThreadsOptions {
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
 * - Errors beside those of the port: `link_outside` and `not_a_file` for what stands in the place of the folder or of a file.
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
    if (found === undefined) throw notFound(threadId);
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
