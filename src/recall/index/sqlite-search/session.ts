import { existsSync } from "node:fs";
import type { SqliteDatabase, SqliteDriver } from "../../../platform/sqlite.ts";
import { isWhole, markOf, factsOf } from "./index-file.ts";
import { contentsOf, sessionOn, type Contents, type Session } from "./schema.ts";
import { MemoryError, sqliteResultOf } from "../../../base/errors.ts";

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

/** Whether another connection holds what was asked for: worth trying again. */
export function isBusy(error: unknown): boolean {
  const result = sqliteResultOf(error);
  // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL.
  return result === 5 || result === 6 || result === 15;
}

/** Whether the file is not what SQLite wrote. A table or column that is missing, or a value that cannot be, says the same (SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT). */
export function isDamage(error: unknown): boolean {
  const result = sqliteResultOf(error);
  if (result === 1 || result === 11 || result === 26 || result === 19 || result === 20) return true;
  // What a damaged row makes of a value: SQLite itself does not look.
  return error instanceof RangeError || error instanceof TypeError;
}

/** Causes by which a file or folder is another user's, or read-only: SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN and those of the system. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: "used",
  EPERM: "used",
  EROFS: "written",
  SQLITE_3: "used",
  SQLITE_8: "written",
  SQLITE_14: "opened",
};

/** What a failure of SQLite or of the system means for the caller. */
export function failureOf(error: unknown, path: string): unknown {
  if (error instanceof MemoryError) return error;
  const cause = causeOf(error);
  if (cause === undefined) return error;
  const details = { path, cause };
  if (isBusy(error)) {
    const sentence = `${path} is in use by another process; wait until it is done, then run it again.`;
    return new MemoryError("busy", sentence, details, error);
  }
  if (["SQLITE_13", "ENOSPC", "EDQUOT"].includes(cause)) {
    const sentence = `Could not write ${path}: the disk is full (${cause}); free some space, then run it again.`;
    return new MemoryError("disk_full", sentence, details, error);
  }
  const refused = refusals[cause];
  if (refused !== undefined) {
    const sentence = `The search index in ${path} cannot be ${refused} by this user (${cause}); give this user the folder and its files to read and write.`;
    return new MemoryError("io", sentence, details, error);
  }
  const sentence = `Could not use ${path}: the system says ${cause} (${messageOf(error)}); check that the file and its folder are readable and writable, or delete the folder: the index is made anew.`;
  return new MemoryError("io", sentence, details, error);
}

function causeOf(error: unknown): string | undefined {
  const result = sqliteResultOf(error);
  if (result !== undefined) return `SQLITE_${result}`;
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  return "syscall" in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
