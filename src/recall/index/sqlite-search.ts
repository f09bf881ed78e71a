import type { IndexedSource, IndexState, SearchIndex, IndexFilter } from "./search-index.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import { createConnection } from "./sqlite-search/connection.ts";
import type { OpenSession } from "./sqlite-search/session.ts";
import { findRows } from "./sqlite-search/find.ts";
import { frequenciesOf, hitsOf, rowsBySection, loadCorpus } from "./sqlite-search/corpus.ts";
import { rowsAt, rowsIn, rowsOf, rowsOfSections, sectionsOf, HeldRows } from "./sqlite-search/rows.ts";
import { noVectors, filteredVectors, loadVectors } from "./sqlite-search/vectors.ts";
import { settle, applyChanges } from "./sqlite-search/write.ts";

interface SqliteSearchOptions {
  /** Absolute path of `<project>/.heartwood/search`. Made by the first write. */
  readonly folder: string;
  readonly driver: SqliteDriver;
}

/** The index as SQLite file `index.sqlite` in `folder`, made by the first write. After `close` it can be used again. */
export function createSqliteSearch(options: SqliteSearchOptions): SearchIndex {
  const connection = createConnection(options);
  const held = createHeld();
  const valueOf = async <T>(act: (session: OpenSession) => T, otherwise: T): Promise<T> => {
    const found = await connection.read(act, undefined);
    return found.is === "ready" ? found.value : otherwise;
  };
  return {
    id: "sqlite-search-4",
    state: async (rules, how = {}): Promise<IndexState> => {
      const found = await connection.read(
        (session) => held.of(session, "sources", () => listSources(session)),
        how.signal,
      );
      if (found.is === "newer") return { is: "newer", sources: [], bytes: 0 };
      if (found.is === "ready" && found.rules === rules)
        return { is: "ready", sources: found.value, bytes: found.size };
      const because = found.is === "ready" ? "other_rules" : found.because;
      return { is: "absent", sources: [], bytes: 0, ...(because === undefined ? {} : { because }) };
    },
    write: (rules, changes, how = {}) =>
      connection.write(
        { rules, before: how.before ?? "kept", after: how.after ?? "nothing", signal: how.signal },
        (session) => {
          applyChanges(session, changes);
          if (how.after === "settle") settle(session);
        },
      ),
    find: (query) => valueOf((session) => findRows(session, held.corpus(session), held.rows(session), query), []),
    rows: (unit, ids) => valueOf((session) => rowsOf(session, held.rows(session), unit, ids), []),
    rowsOfSections: (unit, sections) =>
      valueOf((session) => rowsOfSections(session, held.rows(session), unit, sections), []),
    rowsAt: (unit, places) => valueOf((session) => rowsAt(session, held.rows(session), unit, places), []),
    sectionsOf: (key) => valueOf((session) => sectionsOf(session, key), []),
    vectors: (filter) => valueOf((session) => held.vectors(session, filter), noVectors),
    sectionHits: (terms, filter) =>
      valueOf(
        (session) => {
          const corpus = held.corpus(session);
          const rows = held.of(session, `rows ${JSON.stringify(filter)}`, () => rowsBySection(session, corpus, filter));
          return hitsOf(session, corpus, { terms, rows });
        },
        { rows: new Map(), terms: terms.map(() => new Map()) },
      ),
    frequencies: (words) =>
      valueOf((session) => frequenciesOf(session, held.corpus(session), words), {
        rows: 0,
        counts: words.map(() => 0),
      }),
    count: (unit) => valueOf((session) => rowsIn(session, unit), 0),
    generation: () => valueOf(generationOf, ""),
    close: async () => {
      held.forget();
      connection.close();
    },
  };
}

function listSources(session: OpenSession): readonly IndexedSource[] {
  return session.statement("SELECT key, kind, stamp, digest FROM source").all() as readonly IndexedSource[];
}

/** Filters by which something is held: a process that asks with ever new ones holds no more. */
const mostHeld = 32;

/** What was read of the index, held in memory until a process writes. Called within a transaction. */
function createHeld() {
  let generation = "";
  const values = new Map<string, unknown>();
  const of = <T>(session: OpenSession, name: string, load: () => T): T => {
    const now = generationOf(session);
    if (now !== generation || values.size > mostHeld) values.clear();
    generation = now;
    const known = values.get(name) as T | undefined;
    if (known !== undefined) return known;
    const value = load();
    values.set(name, value);
    return value;
  };
  return {
    of,
    corpus: (session: OpenSession) => of(session, "corpus", () => loadCorpus(session)),
    rows: (session: OpenSession) => of(session, "rows", () => new HeldRows()),
    vectors: (session: OpenSession, filter: IndexFilter) =>
      of(session, `vectors ${JSON.stringify(filter)}`, () => {
        const all = of(session, "vectors", () => loadVectors(session));
        return filteredVectors(session, all, filter);
      }),
    forget: () => values.clear(),
  };
}

/** Changes with every write, whoever made it. */
function generationOf(session: OpenSession): string {
  const { data_version: version } = session.statement("PRAGMA data_version").get() as { readonly data_version: number };
  return `${session.serial} ${version} ${session.writes}`;
}
