import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { MemoryError } from "../../base/errors.ts";
import { prepareOnce } from "../../platform/database-file.ts";
import type { SqliteDriver, SqliteValue } from "../../platform/sqlite.ts";
import { shown } from "../../text/shown.ts";
import { filesBelow, isWanted, passOver, refused, kindAt, type Home } from "./places.ts";
import { asObject, faultyRow, longestRow, type Fields } from "./rows.ts";
import { sourceOfSubagent } from "./transcripts.ts";
import type { ReadOptions, SessionFacts, TranscriptItem, TranscriptPosition } from "./transcripts.ts";
import type { TranscriptQuery, Transcripts, TranscriptSource } from "./transcripts.ts";

export interface DatabaseFormat<Row extends OrderedRow> {
  readonly client: TranscriptSource["client"];
  root(home: Home): string;
  /** Whether a file is such a database, by its path below the root. */
  isDatabase(path: string): boolean;
  /** Which session started which, by the id of the subagent's session. */
  parents(database: ForeignDatabase): ReadonlyMap<string, string>;
  /** `folder` returns where the session took place. */
  sessions(database: ForeignDatabase): readonly {
    readonly session: string;
    readonly changed_at_ms: number;
    folder(): string | undefined;
  }[];
  facts(database: ForeignDatabase, session: string): SessionFacts;
  /** An SQL query that counts rows that have no place in the order, and a description of these rows. */
  readonly lost: { readonly count: string; readonly what: string };
  /** The row at this position, if there is one. */
  rowAt(database: ForeignDatabase, session: string, at: number): Row | undefined;
  /** The first row after `last`. Errors: `invalid_body` for rows out of order. */
  rowAfter(database: ForeignDatabase, session: string, last: Row | undefined): Row | undefined;
  /** `growing`: the client is still writing the row. */
  items(database: ForeignDatabase, row: Row): readonly TranscriptItem[] | "growing";
}

export interface OrderedRow {
  /** Where to continue reading after this row. */
  readonly position: TranscriptPosition;
}

export function createDatabaseReader<Row extends OrderedRow>(
  driver: SqliteDriver,
  home: Home,
  format: DatabaseFormat<Row>,
): Omit<Transcripts, "id"> {
  return {
    find: (query) => findSessions(driver, home, format, query),
    subagents: (sources) => findSubagents(driver, format, sources),
    read: async function* ({ path, session, subagent }, options) {
      if (session === undefined)
        throw refused("invalid_body", path, "is damaged or belongs to another client; pass only this file to see why.");
      const database = await openForeign(driver, path);
      try {
        const row = subagent?.agent ?? session;
        for (const item of readSession(database, format, row, options))
          yield item.kind === "session" ? { ...item, session: { ...item.session, id: session } } : item;
      } finally {
        database.close();
      }
    },
  };
}

/**
 * Lists the sessions of all databases, most recently changed first. An unreadable database does not hide the others: it becomes a source without a session,
 * and reading it throws. A single unreadable database throws the errors of `find`.
 */
async function findSessions<Row extends OrderedRow>(
  driver: SqliteDriver,
  home: Home,
  format: DatabaseFormat<Row>,
  query: TranscriptQuery,
): Promise<readonly TranscriptSource[]> {
  const { client } = format;
  const { path, session, most } = query;
  const isNamed = path !== undefined && (await kindAt(path)) === "file";
  const below = path === undefined ? format.root(home) : resolve(path);
  const paths = isNamed ? [below] : (await filesBelow(below, format.isDatabase)).map((file) => file.path);
  const sources: TranscriptSource[] = [];
  for (const one of paths)
    try {
      const database = await openForeign(driver, one);
      try {
        // The session of a subagent belongs to that of the user.
        const wanted = session === undefined ? undefined : rootOf(format.parents(database), session);
        const found = format
          .sessions(database)
          .filter((has) => wanted === undefined || has.session === wanted)
          .filter((has) => query.folders === undefined || isWanted(has.folder(), query));
        for (const { session: id, changed_at_ms } of found)
          sources.push({ client, path: one, session: id, changed_at_ms });
      } finally {
        database.close();
      }
    } catch (error) {
      if (paths.length === 1 || !(error instanceof MemoryError) || error.code === "busy") throw error;
      sources.push({ client, path: one, session: undefined, changed_at_ms: 0 });
    }
  return sources.toSorted((a, b) => b.changed_at_ms - a.changed_at_ms).slice(0, most);
}

async function findSubagents<Row extends OrderedRow>(
  driver: SqliteDriver,
  { client, parents }: DatabaseFormat<Row>,
  sources: readonly TranscriptSource[],
): Promise<readonly TranscriptSource[]> {
  const found: TranscriptSource[] = [];
  for (const path of new Set(sources.map((source) => source.path))) {
    const sessions = new Map(sources.filter((one) => one.path === path).map((one) => [one.session, one]));
    const database = await openForeign(driver, path).catch(passOver);
    if (database === undefined) continue;
    try {
      const started = parents(database);
      for (const agent of started.keys()) {
        const parent = rootOf(started, agent);
        const source = sessions.get(parent);
        if (source === undefined || parent === agent) continue;
        found.push({ client, path, changed_at_ms: source.changed_at_ms, ...sourceOfSubagent({ parent, agent }) });
      }
    } catch (error) {
      passOver(error);
    } finally {
      database.close();
    }
  }
  return found;
}

/** No client lets subagents start others at a greater depth. */
const deepest = 32;

/** The session at the beginning of a chain of subagents. */
function rootOf(parents: ReadonlyMap<string, string>, session: string): string {
  let root = session;
  for (let depth = 0; depth < deepest; depth++) root = parents.get(root) ?? root;
  return root;
}

function* readSession<Row extends OrderedRow>(
  database: ForeignDatabase,
  format: DatabaseFormat<Row>,
  session: string,
  { from, signal }: ReadOptions,
): Iterable<TranscriptItem> {
  const isPlace = from !== undefined && Number.isSafeInteger(from.at) && from.at > 0;
  const known = isPlace ? format.rowAt(database, session, from.at) : undefined;
  let last = known?.position.check === from?.check ? known : undefined;
  yield { kind: "begin", at: last === undefined ? "start" : "cursor" };
  yield { kind: "session", session: format.facts(database, session) };
  const lost = last === undefined ? Number(database.row(format.lost.count, [session])?.["count"]) : 0;
  if (lost > 0) yield faultyRow("torn_row", `${lost} ${format.lost.what}`);
  for (;;) {
    signal?.throwIfAborted();
    const row = format.rowAfter(database, session, last);
    if (row === undefined) return;
    const items = format.items(database, row);
    if (items !== "growing") yield* items;
    // The last row may still be growing, so leave it for the next reading.
    else if (format.rowAfter(database, session, row) === undefined) return;
    last = row;
    yield { kind: "position", position: row.position };
  }
}

/** A client's database, opened read-only. */
export interface ForeignDatabase {
  /** Returns one row or none. Messages are read one at a time, since each may be large. */
  row(sql: string, values: readonly SqliteValue[]): Fields | undefined;
  rows(sql: string, values: readonly SqliteValue[]): readonly Fields[];
  close(): void;
}

/** Errors: `not_found`, `not_a_file`, `invalid_body`, `busy`, `io`. */
async function openForeign(driver: SqliteDriver, path: string): Promise<ForeignDatabase> {
  if ((await kindAt(path)) !== "file") throw refused("not_a_file", path, `is a folder, not a database.`);
  const coded = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw failureOf(path, error);
    }
  };
  // Reading a database in WAL mode creates two files next to it, unless it is opened as immutable.
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const database = coded(() => driver.open(hasLog ? path : `${pathToFileURL(path).href}?immutable=1`, "read_only"));
  const prepared = prepareOnce(database);
  return {
    row: (sql, values) => coded(() => asObject(prepared(sql).get(...values))),
    rows: (sql, values) => coded(() => prepared(sql).all(...values) as readonly Fields[]),
    close: () => database.close(),
  };
}

function failureOf(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MemoryError) return error;
  const { message } = error;
  if (/locked|busy/iu.test(message)) return refused("busy", path, "is locked.");
  const isOther = /not a database|no such (?:table|column)|malformed|encrypted/iu.test(message);
  const what = isOther ? "lacks the expected tables, or is damaged" : "cannot be read";
  return refused(isOther ? "invalid_body" : "io", path, `${what} (${shown(message, 100)}).`);
}

/** A column as text of at most 16 MiB, otherwise NULL: a damaged or foreign database may contain any values. */
export function textColumn(column: string): string {
  return `CASE WHEN typeof(${column}) = 'text' AND length(${column}) <= ${longestRow} THEN ${column} END AS ${column}`;
}

/** A column as a number that JavaScript can represent, otherwise NULL. */
export function numberColumn(column: string): string {
  return `CASE WHEN ${isNumber(column)} THEN ${column} END AS ${column}`;
}

/** A condition that is never NULL. */
export function isNumber(column: string): string {
  return `(typeof(${column}) IN ('integer', 'real') AND ${column} BETWEEN -${Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER})`;
}

/** Rows are read in order. A damaged index may return them out of order, and reading would never end. */
export function noOrder(): MemoryError {
  return new MemoryError("invalid_body", "The database is damaged: its rows are out of order.");
}
