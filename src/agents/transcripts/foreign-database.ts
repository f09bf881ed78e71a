import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { TranscriptQuery, TranscriptSource } from "./transcripts.ts";
import type { SqliteDatabase, SqliteDriver, SqliteStatement, SqliteValue } from "../../platform/sqlite.ts";
import { asObject, longestRow, type Fields } from "./client-reader.ts";
import { kindAt } from "./places.ts";
import { pushAll } from "../../base/lists.ts";

/** A client's database, read and never written. */
export class ForeignDatabase {
  readonly #path: string;
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();

  private constructor(path: string, database: SqliteDatabase) {
    this.#path = path;
    this.#database = database;
  }

  /** Errors: `not_found`, `not_a_file`, `invalid_body`, `busy`, `io`. */
  static async open(driver: SqliteDriver, path: string): Promise<ForeignDatabase> {
    if ((await kindAt(path)) !== "file")
      throw new MemoryError("not_a_file", `${shown(path, 400)} is a folder, not a database.`);
    try {
      return new ForeignDatabase(path, driver.open(hasLog(path) ? path : withoutTraces(path), "read_only"));
    } catch (error) {
      throw failureOf(path, error);
    }
  }

  /** One row, or none. Rows are taken one by one, since one of them may be large. */
  row(sql: string, ...values: readonly SqliteValue[]): Fields | undefined {
    return asObject(this.#run(sql, (statement) => statement.get(...values)));
  }

  rows(sql: string, ...values: readonly SqliteValue[]): readonly Fields[] {
    return this.#run(sql, (statement) => statement.all(...values)) as readonly Fields[];
  }

  close(): void {
    this.#database.close();
  }

  #run<T>(sql: string, use: (statement: SqliteStatement) => T): T {
    try {
      const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
      this.#statements.set(sql, statement);
      return use(statement);
    } catch (error) {
      throw failureOf(this.#path, error);
    }
  }
}

/** Whether the client has written what is not in the database file yet. */
function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** SQLite leaves two files beside a database in WAL mode that it only reads, unless it is told that nobody writes. */
function withoutTraces(path: string): string {
  return `${pathToFileURL(path).href}?immutable=1`;
}

function failureOf(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MemoryError) return error;
  const isBusy = /locked|busy/iu.test(error.message);
  const isOther = /not a database|no such (?:table|column)|malformed|encrypted/iu.test(error.message);
  const code = isBusy ? "busy" : isOther ? "invalid_body" : "io";
  const what = isOther
    ? "has not the tables that are expected, or is damaged"
    : isBusy
      ? "is locked"
      : "cannot be read";
  const message = `The database ${shown(path, 400)} ${what} (${shown(error.message, 100)}).`;
  return new MemoryError(code, message, { path: shown(path, 400) }, error);
}

/** A column as text of at most 16 MiB, else NULL: what stands in a damaged or a foreign database may be of any kind. */
export function textColumn(column: string): string {
  return `CASE WHEN typeof(${column}) = 'text' AND length(${column}) <= ${longestRow} THEN ${column} END AS ${column}`;
}

/** A column as a number that JavaScript has, else NULL. */
export function numberColumn(column: string): string {
  return `CASE WHEN ${isNumber(column)} THEN ${column} END AS ${column}`;
}

/** A condition that is never NULL. */
export function isNumber(column: string): string {
  return `(typeof(${column}) IN ('integer', 'real') AND ${column} BETWEEN -${Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER})`;
}

/** Rows are read by their order. A damaged index may give them in none, and then reading would never end. */
export function refuseDisorder(order: "rises" | "does not"): void {
  if (order === "does not")
    throw new MemoryError("invalid_body", "The rows of the database come in no order; it is damaged.");
}

/** What is told of a source that `sessionsOfAll` could not look into. */
export function unreadDatabase({ path }: TranscriptSource): MemoryError {
  const message = `The database ${shown(path, 400)} is damaged, or not of this client; name it alone to see why.`;
  return new MemoryError("invalid_body", message, { path: shown(path, 400) });
}

/**
 * The sessions of several databases, the last changed first. One that cannot be read keeps nobody from the others: it is a source without a session, and told when it is read.
 * Errors, of a single one: those of `find`.
 */
export async function sessionsOfAll(
  { client, most }: TranscriptQuery,
  paths: readonly string[],
  find: (path: string) => Promise<readonly TranscriptSource[]>,
): Promise<readonly TranscriptSource[]> {
  const sources: TranscriptSource[] = [];
  for (const path of paths) {
    try {
      pushAll(sources, await find(path));
    } catch (error) {
      if (paths.length === 1 || !(error instanceof MemoryError) || error.code === "busy") throw error;
      sources.push({ client, path, session: undefined, changed_at_ms: 0 });
    }
  }
  return sources.toSorted((a, b) => b.changed_at_ms - a.changed_at_ms).slice(0, most);
}

export function checkOf(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("hex");
}

/** The object that a column holds as JSON; `undefined` when it is none. */
export function jsonIn(value: unknown): Fields | undefined {
  if (typeof value !== "string") return undefined;
  try {
    return asObject(JSON.parse(value));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
