import type { SqliteDriver } from "./sqlite-driver.ts";

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
