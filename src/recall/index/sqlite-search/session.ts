import type { SqliteDatabase, SqliteStatement } from "../../../platform/sqlite.ts";

/** An open database. Statements are prepared once. */
export interface Session {
  readonly database: SqliteDatabase;
  statement(sql: string): SqliteStatement;
}

export function sessionOn(database: SqliteDatabase): Session {
  const statements = new Map<string, SqliteStatement>();
  return {
    database,
    statement: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const prepared = database.prepare(sql);
      statements.set(sql, prepared);
      return prepared;
    },
  };
}
