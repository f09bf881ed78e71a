import { setImmediate as pause } from "node:timers/promises";
import { MemoryError, sqliteResultOf } from "../../../base/errors.ts";
import type { SqliteDatabase, SqliteDriver, SqliteStatement } from "../../../platform/sqlite.ts";
import { fileIdOf, findDatabase, isBusy, prepareOnce, whenFree } from "../../../platform/database-file.ts";
import { FILE, failureOf, makeDatabase, contentsOf, SETTINGS, makeTables } from "./database.ts";

/** An open database. Each statement is prepared once. */
export interface Session {
  statement(sql: string): SqliteStatement;
  exec(sql: string): void;
}

/**
 * One connection to the store, opened by the first call that needs it. Callbacks run synchronously, so calls never interleave within a transaction;
 * waiting for other processes happens outside of transactions and does not block.
 */
export interface Connection {
  /** `undefined` if there is no store. */
  read<T>(act: (session: Session) => T): Promise<T | undefined>;
  /** One durable transaction; if `act` throws, nothing is written. */
  write<T>(act: (session: Session) => T): Promise<T>;
  /** One durable transaction from the first piece of a source to its end; `undefined` if there are no pieces. */
  writePieces<Piece, T>(pieces: AsyncIterable<Piece>, work: PieceWork<Piece, T>): Promise<T | undefined>;
  close(): void;
}

interface PieceWork<Piece, T> {
  take(session: Session, piece: Piece): void;
  end(session: Session): T;
}

interface OpenSession extends Session {
  readonly database: SqliteDatabase;
  /** The real path, and the identity of the file when it was opened. */
  readonly path: string;
  readonly fileId: string | undefined;
}

const WAIT_MS = 10_000;

export function createConnection(options: { readonly folder: string; readonly driver: SqliteDriver }): Connection {
  const path = `${options.folder}/threads.sqlite`;
  const how = { waitMs: WAIT_MS, failure: (error: unknown) => failureAt(path, error) };
  let open: OpenSession | undefined;
  const close = (): void => {
    const closing = open;
    open = undefined;
    closing?.database.close();
  };
  const sessionOf = (way: "find" | "make"): OpenSession | undefined => (open ??= openSession({ ...options, way }));
  const begin = (): Session => {
    const session = sessionOf("make") as OpenSession;
    session.exec("BEGIN IMMEDIATE");
    if (fileIdOf(session.path) === session.fileId) return session;
    rollBack(session);
    throw replaced(session.path);
  };
  const finish = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      // After a disk failure the connection's state is unknown.
      if (sqliteResultOf(error) !== undefined) close();
      else rollBack(open);
      throw failureOf(error, path);
    }
  };
  return {
    read: (act) =>
      whenFree(how, () => {
        const session = sessionOf("find");
        return session === undefined ? undefined : act(session);
      }),
    write: (act) =>
      whenFree(how, () => {
        const session = begin();
        return finish(() => committed(session, act));
      }),
    writePieces: async (pieces, { take, end }) => {
      let session: Session | undefined;
      try {
        for await (const piece of pieces) {
          const begun = (session ??= await whenFree(how, begin));
          finish(() => take(begun, piece));
          await pause();
        }
        const begun = session;
        return begun && finish(() => committed(begun, end));
      } catch (error) {
        rollBack(open);
        throw error;
      }
    },
    close,
  };
}

function committed<T>(session: Session, act: (session: Session) => T): T {
  const result = act(session);
  session.exec("COMMIT");
  return result;
}

function failureAt(path: string, error: unknown): unknown {
  if (!isBusy(error)) return failureOf(error, path);
  const sentence = `Another process has been writing to ${path} for more than ${WAIT_MS / 1000} s; wait until it finishes, or end it, then try again.`;
  return new MemoryError("busy", sentence, { path, waited_ms: WAIT_MS }, error);
}

/** Writes to a file that no longer has its name would be lost, so they are refused. */
function replaced(path: string): MemoryError {
  const sentence = `${path} was moved, deleted or replaced while it was in use; end every heartwood process in this project, then try again.`;
  return new MemoryError("io", sentence, { path });
}

function openSession(how: { readonly folder: string; readonly driver: SqliteDriver; readonly way: "find" | "make" }) {
  const path = how.way === "find" ? findDatabase(how.folder, FILE) : makeDatabase(how.folder);
  if (path === undefined) return undefined;
  const database = how.driver.open(path);
  try {
    database.exec(SETTINGS);
    const contents = contentsOf(database, path);
    if (contents === "nothing" && how.way === "make") makeTables(database, path);
    else if (contents === "nothing") {
      database.close();
      return undefined;
    }
  } catch (error) {
    database.close();
    throw error;
  }
  const exec = (sql: string): void => database.exec(sql);
  return { database, path, fileId: fileIdOf(path), exec, statement: prepareOnce(database) };
}

function rollBack(session: Session | undefined): void {
  try {
    session?.exec("ROLLBACK");
  } catch (error) {
    // SQLITE_ERROR: there is no transaction left to roll back.
    if (sqliteResultOf(error) !== 1) throw error;
  }
}
