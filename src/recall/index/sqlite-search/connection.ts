import { existsSync, renameSync, rmSync, lstatSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { MemoryError, attempt, sqliteResultOf } from "../../../base/errors.ts";
import type { SqliteDatabase, SqliteDriver } from "../../../platform/sqlite.ts";
import {
  databaseFailure,
  findDatabase,
  isBusy,
  makeDatabaseFile,
  placeOfDatabase,
  prepareOnce,
  whenFree,
} from "../../../platform/database-file.ts";
import { contentsOf, makeTables, type Contents, type Session } from "./schema.ts";
import { dirname } from "node:path";
import { isObject, parseJson } from "../../../base/json.ts";
import { isAlive } from "../../../platform/locks.ts";

/** The contents of an index, and what `act` returned. */
type Found<T> =
  | Exclude<Contents, { readonly is: "ready" }>
  | (Extract<Contents, { readonly is: "ready" }> & { readonly value: T; readonly size: number });

interface OpenSession extends Session {
  readonly fileId: string;
  /** Cached contents; reset when another process has written. */
  contents: Contents | undefined;
}

const fileName = "index.sqlite";
const help = "check that the file and its folder are readable and writable, or delete the folder to rebuild the index.";
/** How long a call waits for other processes. */
const readWaitMs = 1000;
const writeWaitMs = 10_000;

/** A connection to the index, opened when first needed. `act` is synchronous. */
export function createConnection({ folder, driver }: { readonly folder: string; readonly driver: SqliteDriver }) {
  const opened = new Opened(driver);
  const failure = (error: unknown): unknown => databaseFailure(error, folder, help);
  const read = <T>(act: (session: Session) => T): Found<T> => {
    const path = findDatabase(folder, fileName);
    try {
      if (path !== undefined) return readAt(opened, path, act);
    } catch (error) {
      if (isBusy(error) || !isDamage(error)) throw error;
    }
    opened.close();
    return path === undefined ? { is: "absent" } : { is: "absent", because: "damaged" };
  };
  return {
    read: <T>(act: (session: Session) => T, signal: AbortSignal | undefined): Promise<Found<T>> =>
      whenFree({ waitMs: readWaitMs, signal, failure }, () => read(act)),
    /** Runs one transaction; an error rolls it back. Rebuilds the index if it is absent or was built with other rules, or if `before` is `anew`. */
    write: (
      how: { readonly rules: string; readonly before: "kept" | "anew"; readonly signal: AbortSignal | undefined },
      act: (session: Session) => void,
    ): Promise<void> =>
      whenFree({ waitMs: writeWaitMs, signal: how.signal, failure }, () => {
        const there = read(() => undefined);
        if (there.is === "newer") throw newerStore(folder);
        const path = placeOfDatabase(folder, fileName);
        const isKept = there.is === "ready" && there.rules === how.rules && how.before === "kept";
        try {
          if (isKept) writeAt(opened, path, act);
          else makeAnew(opened, path, how.rules, act);
        } catch (error) {
          opened.close();
          throw error;
        }
      }),
    /** Runs one transaction in the index as it is; does nothing if it is absent, damaged or of another version. */
    update: (act: (session: Session) => void): Promise<void> =>
      whenFree({ waitMs: writeWaitMs, signal: undefined, failure }, () => {
        if (read(() => undefined).is === "ready") writeAt(opened, placeOfDatabase(folder, fileName), act);
      }),
    close: (): void => opened.close(),
  };
}

function readAt<T>(opened: Opened, path: string, act: (session: Session) => T): Found<T> {
  const session = opened.session(path);
  if (session === undefined) return { is: "absent", because: "damaged" };
  session.database.exec("BEGIN");
  try {
    const contents = (session.contents ??= contentsOf(session));
    if (contents.is !== "ready") return contents;
    return { ...contents, value: act(session), size: factsOf(path)?.size ?? 0 };
  } finally {
    endTransaction(session, "COMMIT");
  }
}

function writeAt(opened: Opened, path: string, act: (session: Session) => void): void {
  const session = opened.session(path) ?? opened.fresh(path);
  session.database.exec(`${cacheOfWrites}; BEGIN IMMEDIATE`);
  try {
    act(session);
    announceWrite(path);
    session.database.exec("COMMIT");
  } catch (error) {
    endTransaction(session, "ROLLBACK");
    attempt(() => noteWritten(path));
    throw error;
  }
  session.writes += 1;
  opened.trusted = noteWritten(path);
}

/** Builds a new index file and then renames it over the old one, which other processes can read until then. */
function makeAnew(opened: Opened, path: string, rules: string, act: (session: Session) => void): void {
  removeUnfinished(path);
  const unfinished = `${path}.${process.pid}.new`;
  const making = new Opened(opened.driver);
  try {
    makeDatabaseFile(unfinished);
    const session = making.fresh(unfinished);
    session.database.exec(`${cacheOfWrites}; PRAGMA journal_mode = OFF; BEGIN IMMEDIATE`);
    makeTables(session.database, rules);
    act(session);
    session.database.exec("COMMIT");
    making.close();
    opened.close();
    announceWrite(path);
    for (const ending of ["-journal", "-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
    renameSync(unfinished, path);
    noteWritten(path);
  } catch (error) {
    making.close();
    removeUnfinished(path);
    throw error;
  }
}

function endTransaction({ database }: Session, how: "COMMIT" | "ROLLBACK"): void {
  try {
    database.exec(how);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** No memory mapping: if another program truncated the file, this process would crash. A read needs most pages once, so few are cached. */
const settings = `
PRAGMA busy_timeout = 2;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -4096;
PRAGMA cache_spill = OFF;
PRAGMA mmap_size = 0;
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
`;

const cacheOfWrites = "PRAGMA cache_size = -32768";

/** The open database, as long as it is still the file at its path and only heartwood has written to it. */
class Opened {
  readonly driver: SqliteDriver;
  #session: OpenSession | undefined;
  #serial = 0;
  /** Stamp of the file when it was last known to be intact. */
  trusted = "";

  constructor(driver: SqliteDriver) {
    this.driver = driver;
  }

  /** `undefined` if another program changed the file. */
  session(path: string): OpenSession | undefined {
    const facts = factsOf(path);
    if (facts !== undefined && facts.stamp === this.trusted && this.#session?.fileId === facts.id) return this.#session;
    if (facts === undefined || facts.id !== this.#session?.fileId) this.close();
    // Opening the file makes SQLite roll back the transaction of a killed process. If a live process is writing, nothing happens.
    if (existsSync(`${path}-journal`)) this.#open(path, "SELECT count(*) FROM sqlite_schema").close();
    for (;;) {
      const mark = markOf(path);
      const now = factsOf(path);
      if (now !== undefined && isWhole(path, now)) {
        const session = now.id === this.#session?.fileId ? this.#session : this.fresh(path);
        this.trusted = session.fileId === now.id ? now.stamp : "";
        session.contents = undefined;
        return session;
      }
      // Otherwise another process wrote between the two checks, so try again.
      if (mark === markOf(path)) return this.#newer(path);
    }
  }

  fresh(path: string): OpenSession {
    this.close();
    const database = this.#open(path);
    return (this.#session = {
      database,
      statement: prepareOnce(database),
      fileId: factsOf(path)?.id ?? "",
      serial: (this.#serial += 1),
      writes: 0,
      contents: undefined,
    });
  }

  close(): void {
    const closing = this.#session;
    this.#session = undefined;
    this.trusted = "";
    closing?.database.close();
  }

  /** A newer version may mark its file differently. */
  #newer(path: string): OpenSession | undefined {
    const session = this.fresh(path);
    if (contentsOf(session).is === "newer") return session;
    this.close();
    return undefined;
  }

  #open(path: string, first = ""): SqliteDatabase {
    const database = this.driver.open(path);
    try {
      database.exec(settings + first);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/**
 * Whether an error means that the file is damaged: SQLITE_CORRUPT and SQLITE_NOTADB, or a missing table or column or an impossible value (SQLITE_ERROR,
 * SQLITE_MISMATCH, SQLITE_CONSTRAINT, or our own RangeError or TypeError if SQLite does not check the value).
 */
function isDamage(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  return [1, 11, 26, 19, 20].includes(sqliteResultOf(error) ?? 0);
}

function newerStore(path: string): MemoryError {
  const message = `The index in ${path} was made by a newer heartwood; use that version, or delete the folder to rebuild the index.`;
  return new MemoryError("newer_store", message, { path });
}

/** Removes unfinished files left by killed processes. */
function removeUnfinished(path: string): void {
  for (const name of readdirSync(dirname(path)))
    if (/^index\.sqlite\.\d+\.new(?:-journal)?$/u.test(name)) rmSync(`${dirname(path)}/${name}`, { force: true });
}

/** `undefined` if there is no file. `id`: device and inode; `stamp`: size and modification time, which change with every write but not in a copy that keeps times. */
function factsOf(path: string) {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const { dev, ino, size, mtimeNs } = stat;
  return { id: `${dev}-${ino}`, stamp: `${size}-${mtimeNs}`, size: Number(size) };
}

/**
 * The contents of `index.check`, next to the index: the file's stamp after the last write. SQLite trusts the bytes of a file, so a different stamp shows that
 * another program has changed it.
 */
interface Check {
  readonly stamp: string;
  /** The process that is writing. SQLite ensures that readers see the state before or after its transaction. */
  readonly writer?: number;
}

/** Whether the file is unchanged since the last write, or a live process is writing it. */
function isWhole(path: string, { stamp }: { readonly stamp: string }): boolean {
  const check = readCheck(path);
  return check !== undefined && (check.stamp === stamp || isWriting(check.writer));
}

/** Call before committing a transaction. */
function announceWrite(path: string): void {
  writeCheck(path, { stamp: readCheck(path)?.stamp ?? "", writer: process.pid });
}

/** Call after a commit or rollback. Returns the file's new stamp. */
function noteWritten(path: string): string {
  const stamp = factsOf(path)?.stamp ?? "";
  writeCheck(path, { stamp });
  return stamp;
}

/** Changes with each step of a write: if it is the same before and after a check, no write happened in between. */
function markOf(path: string): string {
  return `${factsOf(path)?.stamp} ${JSON.stringify(readCheck(path))}`;
}

const checkOf = (path: string): string => path.replace(/\.sqlite$/u, ".check");

function readCheck(path: string): Check | undefined {
  const value = parseJson(attempt(() => readFileSync(checkOf(path), "utf8")) ?? "");
  const { stamp, writer } = isObject(value) ? value : {};
  if (typeof stamp !== "string") return undefined;
  return { stamp, ...(typeof writer === "number" ? { writer } : {}) };
}

function writeCheck(path: string, check: Check): void {
  const temporary = `${checkOf(path)}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, JSON.stringify(check), { flag: "wx", mode: 0o600 });
  renameSync(temporary, checkOf(path));
}

/** False for this process: it writes synchronously, so it never checks during a write. */
function isWriting(pid: number | undefined): boolean {
  return pid !== undefined && pid !== process.pid && isAlive(pid);
}
