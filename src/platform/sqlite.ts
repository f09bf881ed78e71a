/** What is used of SQLite, by shape: `node:sqlite` fits, and so may another binding. */
export interface SqliteDriver {
  /** Opens or makes the database file. `read_only`: it must be there, and nothing is written. Default `read_write`. */
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

/** The SQLite of Node, loaded when the first database is opened. */
export const nodeSqlite: SqliteDriver = {
  open: (path, access = "read_write") => {
    const { DatabaseSync } = loadSqlite();
    return new DatabaseSync(path, { readOnly: access === "read_only" });
  },
};

/** Without the warning by which Node 22 calls SQLite experimental. */
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
