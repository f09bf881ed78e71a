import { MemoryError } from "../base/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { ThreadStore } from "../ports/thread-store.ts";

export interface SqliteThreadsOptions {
  /** Absolute path of `<project>/.heartwood/threads`. Made with the first thread. */
  readonly folder: string;
  /** Tells when a lease is over. */
  readonly clock: Pick<Clock, "now">;
}

export function createSqliteThreads(_options: SqliteThreadsOptions): ThreadStore {
  const none = async (): Promise<never> => {
    throw new MemoryError("internal", "The store is not there yet.");
  };
  return {
    id: "sqlite-threads-1",
    append: none,
    import: none,
    head: none,
    heads: none,
    frames: none,
    places: none,
    checkpoints: none,
    openJobs: none,
    claim: none,
    changed: none,
    close: async () => {},
  };
}
