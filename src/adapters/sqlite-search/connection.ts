import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { MemoryError } from "../../base/errors.ts";
import type { SqliteDriver } from "../../ports/sqlite-driver.ts";
import { failureOf, isBusy, isDamage } from "./failures.ts";
import { factsOf, findIndex, makePlace } from "./location.ts";
import { contentsOf, makeTables } from "./schema.ts";
import { sessionOn, type Session } from "./session.ts";

/** What was found of an index. */
export type Found<T> =
  | { readonly is: "ready"; readonly rules: string; readonly value: T; readonly size: number }
  | { readonly is: "absent"; readonly because?: "damaged" | "other_version" }
  | { readonly is: "newer" };

/** One connection to the index, opened by the first call that needs it. What is passed in runs without a pause. */
export interface Connection {
  read<T>(act: (session: OpenSession) => T): Promise<Found<T>>;
  /** One transaction; what throws leaves nothing. Makes the index when it is absent, of other rules, or to be made `anew`. */
  write(
    how: { readonly rules: string; readonly before: "kept" | "anew" },
    act: (session: OpenSession) => void,
  ): Promise<void>;
  close(): void;
}

export interface OpenSession extends Session {
  readonly path: string;
  readonly fileId: string;
  /** Grows with each opening. */
  readonly serial: number;
  /** Grows with each write through this connection. */
  writes: number;
}

const waitMs = 5_000;
const longestPauseMs = 20;
const settings = `
PRAGMA busy_timeout = 2;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -32768;
PRAGMA cache_spill = OFF;
PRAGMA mmap_size = 1073741824;
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
`;

export function createConnection(options: { readonly folder: string; readonly driver: SqliteDriver }): Connection {
  const { folder, driver } = options;
  let open: OpenSession | undefined;
  let serial = 0;
  const close = (): void => {
    const closing = open;
    open = undefined;
    closing?.database.close();
  };
  const session = (path: string): OpenSession => {
    const fileId = factsOf(path)?.id ?? "";
    if (open !== undefined && open.fileId === fileId) return open;
    close();
    const database = driver.open(path);
    try {
      database.exec(settings);
    } catch (error) {
      database.close();
      throw error;
    }
    return (open = { ...sessionOn(database), path, fileId, serial: (serial += 1), writes: 0 });
  };
  const readOnce = <T>(act: (session: OpenSession) => T): Found<T> => {
    const path = findIndex(folder);
    if (path === undefined) {
      close();
      return { is: "absent" };
    }
    const own = session(path);
    own.database.exec("BEGIN");
    try {
      const contents = contentsOf(own.database);
      if (contents.is === "newer") return { is: "newer" };
      if (contents.is === "foreign") return { is: "absent", because: "other_version" };
      return { is: "ready", rules: contents.rules, value: act(own), size: factsOf(path)?.size ?? 0 };
    } finally {
      endTransaction(own, "COMMIT");
    }
  };
  const read = <T>(act: (session: OpenSession) => T): Found<T> => {
    try {
      return readOnce(act);
    } catch (error) {
      if (isBusy(error) || !isDamage(error)) throw error;
      close();
      return { is: "absent", because: "damaged" };
    }
  };
  return {
    read: (act) => whenFree(folder, () => read(act)),
    write: (how, act) =>
      whenFree(folder, () => {
        const there = read(() => undefined);
        if (there.is === "newer") throw newerStore(folder);
        const path = makePlace(folder);
        if (there.is === "absent" || how.before === "anew" || there.rules !== how.rules) {
          close();
          for (const ending of ["", "-journal", "-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
        }
        const own = session(path);
        own.database.exec("BEGIN IMMEDIATE");
        try {
          if (contentsOf(own.database).is === "foreign") makeTables(own.database, how.rules);
          act(own);
          own.database.exec("COMMIT");
          own.writes += 1;
        } catch (error) {
          endTransaction(own, "ROLLBACK");
          close();
          throw error;
        }
      }),
    close,
  };
}

function endTransaction(session: OpenSession, how: "COMMIT" | "ROLLBACK"): void {
  try {
    session.database.exec(how);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function newerStore(path: string): MemoryError {
  const sentence = `The index in ${path} was made by a newer heartwood; use that one, or delete the folder: the index is made anew.`;
  return new MemoryError("newer_store", sentence, { path });
}

/** Tries until nobody else is in the way. */
async function whenFree<T>(path: string, attempt: () => T): Promise<T> {
  const until = performance.now() + waitMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw failureOf(error, path);
    }
    await sleep(pause);
  }
}
