import {
  noVectors,
  type IndexedSource,
  type IndexFilter,
  type SourceKind,
  type IndexState,
  type SearchIndex,
  type VectorTable,
} from "./search-index.ts";
import { once } from "../../base/lines.ts";
import { createRows } from "../vectors/int8.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import { createConnection } from "./sqlite-search/connection.ts";
import { findRows } from "./sqlite-search/find.ts";
import { Corpus } from "./sqlite-search/corpus.ts";
import { countRows, openRows, rowsAt, rowsById, sectionsOf } from "./sqlite-search/rows.ts";
import { byFilter, columnsOf, isIn, ofSource, passingRanges, type Session } from "./sqlite-search/schema.ts";
import { settle, applyChanges } from "./sqlite-search/write.ts";

/** The index as an SQLite file, `index.sqlite`, created by the first write. `folder`: the absolute path of `<project>/.heartwood/search`. */
export function createSqliteSearch(options: { readonly folder: string; readonly driver: SqliteDriver }): SearchIndex {
  const connection = createConnection(options);
  let held: Held | undefined;
  const heldFor = (session: Session): Held => {
    // Changes with every write by another connection.
    const { data_version: version } = session.statement("PRAGMA data_version").get() as { data_version: number };
    const generation = `${session.serial} ${version} ${session.writes}`;
    if (held?.generation !== generation) held = holdAt(generation, session);
    return held;
  };
  const valueOf = async <T>(act: (held: Held) => T, otherwise: T): Promise<T> => {
    const found = await connection.read((session) => act(heldFor(session)), undefined);
    return found.is === "ready" ? found.value : otherwise;
  };
  return {
    id: "sqlite-search-4",
    state: async (rules, how = {}): Promise<IndexState> => {
      const found = await connection.read((session) => heldFor(session).sources(how.of ?? {}), how.signal);
      if (found.is === "newer") return { is: "newer", sources: [], bytes: 0 };
      if (found.is === "ready" && found.rules === rules)
        return { is: "ready", sources: found.value, bytes: found.size };
      const because = found.is === "ready" ? "other_rules" : found.because;
      return { is: "absent", sources: [], bytes: 0, ...(because === undefined ? {} : { because }) };
    },
    write: (rules, changes, { before = "kept", after = "nothing", signal } = {}) =>
      connection.write({ rules, before, signal }, (session) => {
        applyChanges(session, changes);
        if (after === "settle") settle(session);
      }),
    find: (query) => valueOf(({ session, corpus }) => findRows(session, corpus(), query), []),
    rows: (unit, ids) => valueOf(({ session, rows }) => rows.whole(rowsById(session, unit, ids)), []),
    rowsOfSections: (unit, sections) => valueOf(({ rows }) => rows.ofSections(unit, sections), []),
    rowsAt: (unit, places) => valueOf(({ session, rows }) => rows.whole(rowsAt(session, unit, places)), []),
    sectionsOf: (key) => valueOf(({ session }) => sectionsOf(session, key), []),
    vectors: (filter) => valueOf((all) => all.vectors(filter), noVectors),
    sectionHits: (terms, filter) =>
      valueOf((all) => all.corpus().hitsOf(terms, all.corpus().sectionsIn(filter)), {
        rows: new Map(),
        terms: terms.map(() => new Map()),
      }),
    frequencies: (words) =>
      valueOf(({ corpus }) => ({ rows: corpus().rows, counts: words.map(corpus().frequencyOf) }), {
        rows: 0,
        counts: words.map(() => 0),
      }),
    count: (unit) => valueOf(({ session }) => countRows(session, unit), 0),
    generation: () => valueOf(({ generation }) => generation, ""),
    close: async () => {
      held = undefined;
      connection.close();
    },
  };
}

/** Data read from the index, cached until any process writes. Must be used within a transaction. */
function holdAt(generation: string, session: Session) {
  const corpus = once(() => new Corpus(session));
  return {
    generation,
    session,
    corpus,
    rows: openRows(session),
    sources: byFilter((filter) => readSources(session, filter)),
    vectors: byFilter((filter) => loadVectors(session, filter)),
  };
}

type Held = ReturnType<typeof holdAt>;

function readSources(session: Session, filter: IndexFilter): readonly IndexedSource[] {
  const { where, values } = ofSource(filter);
  const names = ["key", "kind", "stamp", "digest"];
  const rows = `SELECT ${names.join(", ")} FROM source ${where}`;
  const [keys = [], kinds = [], stamps = [], digests = []] = columnsOf<string>(session, names, rows, values);
  return keys.map((key, at) => {
    return { key, kind: kinds[at] as SourceKind, stamp: stamps[at] ?? "", digest: digests[at] ?? "" };
  });
}

interface Blob {
  readonly dimensions: number;
  readonly ids: Uint8Array;
  readonly vectors: Uint8Array;
}

/**
 * The vectors of statements that pass the filter, by id. If a model changed without a new name, vectors may differ in length; only the newest length is used.
 */
function loadVectors(session: Session, filter: IndexFilter): VectorTable {
  const all = session.statement("SELECT dimensions, ids, vectors FROM vector ORDER BY source").all() as readonly Blob[];
  const dimensions = all.at(-1)?.dimensions ?? 0;
  const ranges = passingRanges(session, "statement", filter);
  const rows = all
    .filter((blob) => blob.dimensions === dimensions)
    .flatMap((blob) => {
      // The copy is aligned to four bytes.
      const ids = Array.from(new Int32Array(blob.ids.slice().buffer));
      return ids.flatMap((id, at) => (ranges === undefined || isIn(ranges, id) ? [{ id, blob, at }] : []));
    });
  const vectors = createRows(rows.length, dimensions);
  rows.forEach(({ blob, at }, row) =>
    vectors.set(
      new Int8Array(blob.vectors.buffer, blob.vectors.byteOffset + at * dimensions, dimensions),
      row * dimensions,
    ),
  );
  const ids = Int32Array.from(rows, ({ id }) => id);
  return { dimensions, ids, sections: sectionsOfStatements(session, ids), vectors };
}

function sectionsOfStatements(session: Session, ids: Int32Array): Int32Array {
  const sql = "SELECT id, statement_to FROM section ORDER BY id";
  const [sections = [], past = []] = columnsOf(session, ["id", "statement_to"], sql);
  let at = 0;
  return ids.map((id) => {
    while ((past[at] ?? Number.POSITIVE_INFINITY) <= id) at += 1;
    return sections[at] ?? 0;
  });
}
