/** The part of SQLite that heartwood uses. `node:sqlite` has this interface; other bindings may too. */
export interface SqliteDriver {
  /** Opens or creates the database file. `read_only`: the file must exist and nothing is written. Default `read_write`. */
  open(path: string, access?: "read_write" | "read_only"): SqliteDatabase;
}

/** One connection to a database file. Calls block until they are done. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** A prepared statement. Rows are objects by column name. */
export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: readonly SqliteValue[]): unknown;
  all(...values: readonly SqliteValue[]): readonly unknown[];
}

export type SqliteValue = null | number | string | Uint8Array;

/** Node's SQLite, loaded when the first database is opened. */
export const nodeSqlite: SqliteDriver = {
  open: (path, access = "read_write") => {
    const { DatabaseSync } = loadSqlite();
    return new DatabaseSync(path, { readOnly: access === "read_only" });
  },
};

/** Suppresses Node 22's warning that SQLite is experimental. */
function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: readonly unknown[]) => {
    if (String(warning).startsWith("SQLite is an experimental feature")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
