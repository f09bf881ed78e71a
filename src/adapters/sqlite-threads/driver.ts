/** What is used of SQLite, by shape: `node:sqlite` fits, and so may another binding. */
export interface SqliteDriver {
  /** Opens or makes the database file. */
  open(path: string): SqliteDatabase;
}

export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  run(...values: readonly SqliteValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqliteValue[]): unknown;
  all(...values: readonly SqliteValue[]): readonly unknown[];
}

export type SqliteValue = null | number | string | Uint8Array;

/** The SQLite of Node, loaded when the first database is opened. */
export const nodeSqlite: SqliteDriver = {
  open: (path) => {
    const { DatabaseSync } = loadSqlite();
    return new DatabaseSync(path);
  },
};

/** The primary result code of a failed SQLite call; `undefined` for another error. */
export function sqliteResultOf(error: unknown): number | undefined {
  const code = extendedResultOf(error);
  return code === undefined ? undefined : code & 0xff;
}

/** The extended result code of a failed SQLite call; `undefined` for another error. */
export function extendedResultOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}

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
