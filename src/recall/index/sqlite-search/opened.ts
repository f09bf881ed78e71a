import { existsSync } from "node:fs";
import type { SqliteDatabase, SqliteDriver } from "../../../platform/sqlite.ts";
import { isWhole, markOf } from "./check.ts";
import { isDamage } from "./failures.ts";
import { factsOf } from "./location.ts";
import { contentsOf, type Contents } from "./schema.ts";
import { sessionOn, type Session } from "./session.ts";

export interface OpenSession extends Session {
  readonly fileId: string;
  /** Grows with each opening. */
  readonly serial: number;
  /** Grows with each write through this connection. */
  writes: number;
  /** What the file holds, as it was last read; forgotten when somebody has written to it. */
  contents: Contents | undefined;
  /** Ends the transaction, if there still is one. */
  end(how: "COMMIT" | "ROLLBACK"): void;
}

/** Without a map of the file into memory: where another program cuts the file, that would end the process. */
const settings = `
PRAGMA busy_timeout = 2;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -32768;
PRAGMA cache_spill = OFF;
PRAGMA mmap_size = 0;
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
`;

/** The database that is open, as long as it is the one at its path and nobody but an index has written to it. */
export class Opened {
  readonly #driver: SqliteDriver;
  #session: OpenSession | undefined;
  #serial = 0;
  /** The stamp of the file when it was last known to be whole. */
  #trusted = "";

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  /** `undefined` when the file is not what was written. */
  session(path: string): OpenSession | undefined {
    const facts = factsOf(path);
    if (facts !== undefined && facts.stamp === this.#trusted && this.#session?.fileId === facts.id)
      return this.#session;
    if (facts === undefined || facts.id !== this.#session?.fileId) this.close();
    if (existsSync(`${path}-journal`)) this.#recover(path);
    for (;;) {
      const mark = markOf(path);
      const now = factsOf(path);
      if (now !== undefined && isWhole(path, now)) {
        if (now.id !== this.#session?.fileId) this.fresh(path);
        this.#trusted = this.#session?.fileId === now.id ? now.stamp : "";
        if (this.#session !== undefined) this.#session.contents = undefined;
        return this.#session;
      }
      // Another process may have written between the two looks.
      if (mark === markOf(path)) return this.#newer(path);
    }
  }

  fresh(path: string): OpenSession {
    this.close();
    const database = this.#open(path);
    const end = (how: "COMMIT" | "ROLLBACK"): void => {
      try {
        database.exec(how);
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
    };
    const fileId = factsOf(path)?.id ?? "";
    return (this.#session = {
      ...sessionOn(database),
      fileId,
      serial: (this.#serial += 1),
      writes: 0,
      contents: undefined,
      end,
    });
  }

  trust(stamp: string): void {
    this.#trusted = stamp;
  }

  close(): void {
    const closing = this.#session;
    this.#session = undefined;
    this.#trusted = "";
    closing?.database.close();
  }

  /** A newer version may know its file by other means. */
  #newer(path: string): OpenSession | undefined {
    this.close();
    const session = this.fresh(path);
    if (contentsOf(session).is === "newer") return session;
    this.close();
    return undefined;
  }

  /** Takes back what a process that was killed had begun; does nothing while one is at it. */
  #recover(path: string): void {
    const database = this.#open(path);
    try {
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
    } finally {
      database.close();
    }
  }

  #open(path: string): SqliteDatabase {
    const database = this.#driver.open(path);
    try {
      database.exec(settings);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}
