import type { SqliteDatabase, SqliteStatement, SqliteValue } from "../../../platform/sqlite.ts";
import type { IndexFilter, IndexUnit } from "../search-index.ts";
import { remembering } from "../../../base/lines.ts";
import { pushAll } from "../../../base/lists.ts";
import { firstPlace } from "../../vectors/int8.ts";

/** "hwsx", which `file` and similar tools read at byte 68. */
const application = 0x68777378;
/** Version of the tables below. */
const formatVersion = 10;

/**
 * - Ids of a source's sections, chunks and statements are consecutive, so a filter over sources is a few ranges of ids.
 * - `source.chunk_to` and the like are exclusive; `letters` is the number of characters in its chunks, `sizes` the number of chunks of each section, as JSON:
 *   reading them from here takes a fifth of the time of reading them from `section`. `embeddable` is the number of statements that can have a vector, `secrets` is `none` or empty.
 * - `vector` has the vectors of a source by one embedder, and how many statements are `done`; `ids` are ranges (vectors.ts). Its index has all that is needed to count them. `meta` has the length of each embedder's vectors.
 * - `chunk.parts` is stored because FTS5 needs it to delete a chunk. With `contentless_delete` it would not need it, but then the first deletion makes reading
 *   any list of matches take three times as long.
 * - FTS5 only finds the chunks that contain a word. Its `bm25()` is not used for ranking, because it takes twenty times as long as finding them.
 */
const tables = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, kind TEXT NOT NULL, level TEXT NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL,
  stamp TEXT NOT NULL, digest TEXT NOT NULL, section_from INTEGER NOT NULL, section_to INTEGER NOT NULL, chunk_from INTEGER NOT NULL,
  chunk_to INTEGER NOT NULL, statement_from INTEGER NOT NULL, statement_to INTEGER NOT NULL, letters INTEGER NOT NULL, sizes TEXT NOT NULL, embeddable INTEGER NOT NULL,
  secrets TEXT NOT NULL
);
CREATE INDEX source_name ON source (name);
CREATE TABLE section (
  id INTEGER PRIMARY KEY, source INTEGER NOT NULL, heading TEXT NOT NULL, type TEXT NOT NULL, origin TEXT NOT NULL, day TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  chunk_from INTEGER NOT NULL, chunk_to INTEGER NOT NULL, statement_from INTEGER NOT NULL, statement_to INTEGER NOT NULL,
  digest TEXT NOT NULL
);
CREATE TABLE chunk (id INTEGER PRIMARY KEY, section INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, weight REAL NOT NULL, text TEXT NOT NULL, parts TEXT NOT NULL);
CREATE TABLE statement (id INTEGER PRIMARY KEY, section INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, weight REAL NOT NULL, text TEXT NOT NULL);
CREATE TABLE vector (source INTEGER PRIMARY KEY, embedder TEXT NOT NULL, dimensions INTEGER NOT NULL, done INTEGER NOT NULL, ids BLOB NOT NULL, vectors BLOB NOT NULL);
CREATE INDEX vector_done ON vector (embedder, dimensions, done);
CREATE VIRTUAL TABLE chunk_words USING fts5(text, parts, content='', columnsize=0, tokenize='porter unicode61 remove_diacritics 2');
`;

/** How this version sees a database file. `other_version`: not made by heartwood, or in a format that is no longer read. */
export type Contents =
  | { readonly is: "ready"; readonly rules: string }
  | { readonly is: "absent"; readonly because?: "damaged" | "other_version" }
  | { readonly is: "newer" };

export function contentsOf(session: Session): Contents {
  const pragmas = "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version";
  const found = session.statement(pragmas).get() as Readonly<Record<"application_id" | "user_version", number>>;
  if (found.application_id !== application || found.user_version < formatVersion)
    return { is: "absent", because: "other_version" };
  if (found.user_version > formatVersion) return { is: "newer" };
  const row = session.statement("SELECT value FROM meta WHERE name = 'rules'").get() as { readonly value: string };
  return { is: "ready", rules: row.value };
}

/** Creates the tables in an empty database. */
export function makeTables(database: SqliteDatabase, rules: string): void {
  database.exec(tables);
  // FTS5 buffers this many bytes before it writes: enough for a whole transaction, so there is nothing to merge afterwards.
  database.exec("INSERT INTO chunk_words (chunk_words, rank) VALUES ('hashsize', 33554432)");
  // Merge four segments of one level at a time. FTS5's automerge would also merge small writes into the segment of a whole memory: 120 ms for 16 MB of logs.
  database.exec("INSERT INTO chunk_words (chunk_words, rank) VALUES ('automerge', 0), ('crisismerge', 4)");
  database.prepare("INSERT INTO meta (name, value) VALUES ('rules', ?)").run(rules);
  database.exec(`PRAGMA application_id = ${application}; PRAGMA user_version = ${formatVersion}`);
}

/** An open database. Statements are prepared once. */
export interface Session {
  readonly database: SqliteDatabase;
  statement(sql: string): SqliteStatement;
  /** Incremented each time the database is opened. */
  readonly serial: number;
  /** Incremented with each write through this connection. */
  writes: number;
}

/** A range of row ids, `[from, to)`. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

function conditions({ kinds, levels }: IndexFilter) {
  const wheres: string[] = [];
  const values: SqliteValue[] = [];
  const oneOf = (column: string, wanted: readonly string[] | undefined): void => {
    if (wanted === undefined) return;
    wheres.push(`${column} IN (${wanted.map(() => "?").join(", ")})`);
    pushAll(values, wanted);
  };
  oneOf("source.kind", kinds);
  oneOf("source.level", levels);
  return { wheres, values, oneOf };
}

/** The WHERE clause for sources of these kinds and levels; empty if all pass. */
export function ofSource(filter: IndexFilter): { readonly where: string; readonly values: readonly SqliteValue[] } {
  const { wheres, values } = conditions(filter);
  return { where: wheres.length === 0 ? "" : `WHERE ${wheres.join(" AND ")}`, values };
}

/** The ranges of ids that pass, ascending, with adjacent ones joined; `undefined` if everything passes. */
export function passingRanges(session: Session, unit: IndexUnit, filter: IndexFilter): readonly IdRange[] | undefined {
  const { wheres, values, oneOf } = conditions(filter);
  oneOf("section.type", filter.types);
  const { since, until } = filter;
  const isBySection = filter.types !== undefined || since !== undefined || until !== undefined;
  // A node passes only if all of its days do, because its lines have no days of their own. A source without a day does not pass a filter with days.
  if (since !== undefined || until !== undefined) {
    const days = [since ?? "", until ?? "9999-12-31"];
    wheres.push("source.since <> ''");
    wheres.push(
      `CASE source.kind WHEN 'node' THEN source.since >= ? AND source.until <= ?
      ELSE source.until >= ? AND source.since <= ? AND (section.day = '' OR section.day BETWEEN ? AND ?) END`,
    );
    pushAll(values, [...days, ...days, ...days]);
  }
  if (wheres.length === 0) return undefined;
  const from = isBySection ? "section JOIN source ON source.id = section.source" : "source";
  const table = isBySection ? "section" : "source";
  const columns = `${table}.${unit}_from AS first, ${table}.${unit}_to AS past`;
  const rows = `SELECT ${columns} FROM ${from} WHERE ${wheres.join(" AND ")} ORDER BY 1`;
  const [firsts = [], pasts = []] = columnsOf(session, ["first", "past"], rows, values);
  const ranges: { from: number; to: number }[] = [];
  firsts.forEach((first, at) => {
    const past = pasts[at] ?? 0;
    const last = ranges.at(-1);
    if (past <= first) return;
    if (last !== undefined && last.to === first) last.to = past;
    else ranges.push({ from: first, to: past });
  });
  return ranges;
}

export function isIn(ranges: readonly IdRange[], row: number): boolean {
  const range = ranges[firstPlace(ranges.length, (at) => (ranges[at]?.to ?? 0) <= row)];
  return range !== undefined && range.from <= row;
}

/** Reads columns of numbers or texts, which SQLite collects as JSON: several times as fast as reading row by row. */
export function columnsOf<Value extends number | string = number>(
  session: Session,
  names: readonly string[],
  rows: string,
  values: readonly SqliteValue[] = [],
): readonly (readonly Value[])[] {
  const lists = names.map((name) => `json_group_array(${name}) AS ${name}`);
  const found = session.statement(`SELECT ${lists.join(", ")} FROM (${rows})`).get(...values);
  return names.map((name) => JSON.parse((found as Readonly<Record<string, string>>)[name] ?? "[]") as readonly Value[]);
}

/** Results are cached for at most this many filters. */
const mostFilters = 32;

export function byFilter<T>(load: (filter: IndexFilter) => T): (filter: IndexFilter) => T {
  const byKey = remembering((key) => load(JSON.parse(key) as IndexFilter), mostFilters);
  return (filter) => byKey(JSON.stringify(filter));
}
