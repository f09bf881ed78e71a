import type { Clock } from "../ports/clock.ts";
import type { SqliteDriver } from "../ports/sqlite-driver.ts";
import type { ThreadStore } from "../ports/thread-store.ts";
import { appendFrames, notFound } from "./sqlite-threads/append.ts";
import { createChanges } from "./sqlite-threads/changes.ts";
import { findCheckpoints } from "./sqlite-threads/checkpoints.ts";
import { createConnection } from "./sqlite-threads/connection.ts";
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
 * - Waiting for another process takes at most ten seconds (`busy`) and does not block. An import of more than 500 lines holds the store until its source ends; calls of this process wait for its end.
 * - Errors beside those of the port: `link_outside` and `not_a_file` for what stands in the place of the folder or of a file.
 */
export function createSqliteThreads(options: SqliteThreadsOptions): ThreadStore {
  const { folder, clock, driver } = options;
  const connection = createConnection({ folder, driver });
  const changes = createChanges(connection);
  let importing: Promise<unknown> = Promise.resolve();
  const whenImported = async (): Promise<void> => {
    await importing.catch(() => undefined);
  };
  return {
    id: "sqlite-threads-1",
    append: async (request) => {
      await whenImported();
      if (request.frames[0]?.type !== "continuity_created") {
        const found = await connection.read((session) => findHead(session, request.thread_id));
        if (found === undefined) throw notFound(request.thread_id);
      }
      const result = await connection.write((session) => appendFrames(session, request, clock.now()));
      changes.noteOwn();
      return result;
    },
    import: async (lines) => {
      const before = importing;
      const own = createConnection({ folder, driver });
      const run = before
        .catch(() => undefined)
        .then(() => importLines(own, lines))
        .finally(() => own.close());
      importing = run;
      return await run;
    },
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
      await whenImported();
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
