import type { IndexedSource, IndexState, SearchIndex, VectorTable } from "../ports/search-index.ts";
import type { SqliteDriver } from "../ports/sqlite-driver.ts";
import { createConnection, type OpenSession } from "./sqlite-search/connection.ts";
import { findRows } from "./sqlite-search/find.ts";
import { rowsOf, rowsOfSections } from "./sqlite-search/rows.ts";
import { filteredVectors, loadVectors, noVectors } from "./sqlite-search/vectors.ts";
import { applyChanges } from "./sqlite-search/write.ts";

export interface SqliteSearchOptions {
  /** Absolute path of `<project>/.heartwood/search`. Made by the first write. */
  readonly folder: string;
  readonly driver: SqliteDriver;
}

/** The index as SQLite file `index.sqlite` in `folder`, made by the first write. After `close` it can be used again. */
export function createSqliteSearch(options: SqliteSearchOptions): SearchIndex {
  const connection = createConnection(options);
  const cached = new Map<string, { readonly of: string; readonly table: VectorTable }>();
  const valueOf = async <T>(act: (session: OpenSession) => T, otherwise: T): Promise<T> => {
    const found = await connection.read(act);
    return found.is === "ready" ? found.value : otherwise;
  };
  return {
    id: "sqlite-search-1",
    state: async (rules): Promise<IndexState> => {
      const found = await connection.read(listSources);
      if (found.is === "newer") return { is: "newer", sources: [], bytes: 0 };
      if (found.is === "ready" && found.rules === rules)
        return { is: "ready", sources: found.value, bytes: found.size };
      const because = found.is === "ready" ? "other_rules" : found.because;
      return { is: "absent", sources: [], bytes: 0, ...(because === undefined ? {} : { because }) };
    },
    write: (rules, changes, how = {}) =>
      connection.write({ rules, before: how.before ?? "kept" }, (session) => applyChanges(session, changes)),
    find: (query) => valueOf((session) => findRows(session, query), []),
    rows: (unit, ids) => valueOf((session) => rowsOf(session, unit, ids), []),
    rowsOfSections: (unit, sections) => valueOf((session) => rowsOfSections(session, unit, sections), []),
    vectors: (unit, filter) =>
      valueOf((session) => {
        const of = generationOf(session);
        const known = cached.get(unit);
        const table = known?.of === of ? known.table : loadVectors(session, unit);
        cached.set(unit, { of, table });
        return filteredVectors(session, { unit, table }, filter);
      }, noVectors),
    sectionHits: async (_unit, terms) => ({ rows: new Map(), terms: terms.map(() => new Map()) }),
    frequencies: (unit, words) =>
      valueOf(
        (session) => {
          const { rows } = session.statement(`SELECT count(*) AS rows FROM ${unit}`).get() as { readonly rows: number };
          return { rows, counts: words.map(() => 0) };
        },
        { rows: 0, counts: words.map(() => 0) },
      ),
    close: async () => {
      cached.clear();
      connection.close();
    },
  };
}

function listSources(session: OpenSession): readonly IndexedSource[] {
  return session.statement("SELECT key, kind, stamp, digest FROM source").all() as readonly IndexedSource[];
}

/** Changes when what is stored may have. */
function generationOf(session: OpenSession): string {
  const { data_version: version } = session.statement("PRAGMA data_version").get() as { readonly data_version: number };
  return `${session.fileId} ${version} ${session.writes}`;
}
