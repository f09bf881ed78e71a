import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { MemoryError } from "../../base/errors.ts";
import { sha256 } from "../../base/digest.ts";
import { pushAll } from "../../base/lists.ts";
import { shown } from "../../text/shown.ts";
import type { SqliteDatabase, SqliteDriver, SqliteStatement, SqliteValue } from "../../platform/sqlite.ts";
import { asObject, longestRow, type ClientReader, type Fields } from "./client-reader.ts";
import { absolute, filesBelow, isWithin, kindAt, type Home } from "./places.ts";
import type { ReadOptions, TranscriptItem, TranscriptQuery, TranscriptSource } from "./transcripts.ts";

/** What is special about a client that keeps its sessions in SQLite databases. */
export interface DatabaseFormat {
  readonly client: TranscriptSource["client"];
  /** The folder that its databases lie below. */
  root(home: Home): string;
  /** Whether a file is one of them, by its path below the root. */
  isDatabase(path: string): boolean;
  sessions(database: ForeignDatabase): readonly FoundSession[];
  items(database: ForeignDatabase, session: string, options: ReadOptions): Iterable<TranscriptItem>;
}

export interface FoundSession {
  readonly session: string;
  readonly changed_at_ms: number;
  /** Where it took place. */
  folder(): string | undefined;
}

export function createDatabaseClient(driver: SqliteDriver, home: Home, format: DatabaseFormat): ClientReader {
  return {
    find: (query) => findSessions(driver, { home, format }, query),
    read: (source, options) => readSession(driver, { format, source }, options),
  };
}

/**
 * The sessions of all databases, the last changed first. A database that cannot be read does not hide the others: it is a source without a session, and
 * reading it says why. Errors, of a single one: those of `find`.
 */
async function findSessions(
  driver: SqliteDriver,
  { home, format }: { readonly home: Home; readonly format: DatabaseFormat },
  query: TranscriptQuery,
): Promise<readonly TranscriptSource[]> {
  const { client } = format;
  const paths = await databasesOf(home, format, query);
  const sources: TranscriptSource[] = [];
  for (const path of paths) {
    try {
      const found = await inDatabase(driver, path, (database) => sessionsOf(database, format, query));
      pushAll(
        sources,
        found.map(({ session, changed_at_ms }) => ({ client, path, session, changed_at_ms })),
      );
    } catch (error) {
      if (paths.length === 1 || !(error instanceof MemoryError) || error.code === "busy") throw error;
      sources.push({ client, path, session: undefined, changed_at_ms: 0 });
    }
  }
  return sources.toSorted((a, b) => b.changed_at_ms - a.changed_at_ms).slice(0, query.most);
}

async function databasesOf(home: Home, format: DatabaseFormat, { path }: TranscriptQuery): Promise<readonly string[]> {
  if (path !== undefined && (await kindAt(path)) === "file") return [absolute(path)];
  const folder = path === undefined ? format.root(home) : absolute(path);
  return (await filesBelow(folder, (below) => format.isDatabase(below))).map((file) => file.path);
}

async function inDatabase<T>(driver: SqliteDriver, path: string, use: (database: ForeignDatabase) => T): Promise<T> {
  const database = await ForeignDatabase.open(driver, path);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

function sessionsOf(
  database: ForeignDatabase,
  format: DatabaseFormat,
  query: TranscriptQuery,
): readonly FoundSession[] {
  return format
    .sessions(database)
    .filter(({ session }) => query.session === undefined || session === query.session)
    .filter((found) => query.folder === undefined || isWithin(found.folder(), query.folder));
}

async function* readSession(
  driver: SqliteDriver,
  { format, source }: { readonly format: DatabaseFormat; readonly source: TranscriptSource },
  options: ReadOptions,
): AsyncGenerator<TranscriptItem, void, void> {
  const { path, session } = source;
  if (session === undefined) {
    const message = `The database ${shown(path, 400)} is damaged, or not of this client; name it alone to see why.`;
    throw new MemoryError("invalid_body", message, { path: shown(path, 400) });
  }
  const database = await ForeignDatabase.open(driver, path);
  try {
    yield* format.items(database, session, options);
  } finally {
    database.close();
  }
}

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

/** SQLite leaves two files beside a database in WAL mode that it only reads, unless it is told that no process writes. */
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

/** A column as text of at most 16 MiB, else NULL: a damaged or foreign database may contain values of any kind. */
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

export function checkOf(...parts: readonly string[]): string {
  return sha256(parts.join("\0"));
}
