import {
  noVectors,
  type IndexedSource,
  type IndexState,
  type SearchIndex,
  type IndexFilter,
  type SectionHits,
  type VectorTable,
} from "./search-index.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import { createConnection } from "./sqlite-search/connection.ts";
import { findRows } from "./sqlite-search/find.ts";
import { Corpus } from "./sqlite-search/corpus.ts";
import { Rows, sectionsOf } from "./sqlite-search/rows.ts";
import { isIn, passingRanges, type Session } from "./sqlite-search/schema.ts";
import { settle, applyChanges } from "./sqlite-search/write.ts";

interface SqliteSearchOptions {
  /** Absolute path of `<project>/.heartwood/search`. Made by the first write. */
  readonly folder: string;
  readonly driver: SqliteDriver;
}

/** The index as SQLite file `index.sqlite` in `folder`, made by the first write. After `close` it can be used again. */
export function createSqliteSearch(options: SqliteSearchOptions): SearchIndex {
  const connection = createConnection(options);
  let held: Held | undefined;
  const heldFor = (session: Session): Held => {
    const generation = generationOf(session);
    if (held?.generation !== generation) held = new Held(session, generation);
    return held;
  };
  const valueOf = async <T>(act: (held: Held) => T, otherwise: T): Promise<T> => {
    const found = await connection.read((session) => act(heldFor(session)), undefined);
    return found.is === "ready" ? found.value : otherwise;
  };
  return {
    id: "sqlite-search-4",
    state: async (rules, how = {}): Promise<IndexState> => {
      const found = await connection.read((session) => heldFor(session).sources, how.signal);
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
    find: (query) => valueOf(({ session, corpus, rows }) => findRows(session, corpus, rows, query), []),
    rows: (unit, ids) => valueOf(({ rows }) => rows.byId(unit, ids), []),
    rowsOfSections: (unit, sections) => valueOf(({ rows }) => rows.ofSections(unit, sections), []),
    rowsAt: (unit, places) => valueOf(({ rows }) => rows.at(unit, places), []),
    sectionsOf: (key) => valueOf(({ session }) => sectionsOf(session, key), []),
    vectors: (filter) => valueOf((all) => all.vectors(filter), noVectors),
    sectionHits: (terms, filter) =>
      valueOf((all) => all.corpus.hitsOf(terms, all.rowsBySection(filter)), {
        rows: new Map(),
        terms: terms.map(() => new Map()),
      }),
    frequencies: (words) =>
      valueOf(({ corpus }) => ({ rows: corpus.rows, counts: words.map((word) => corpus.frequencyOf(word)) }), {
        rows: 0,
        counts: words.map(() => 0),
      }),
    count: (unit) => valueOf(({ rows }) => rows.count(unit), 0),
    generation: () => valueOf(({ generation }) => generation, ""),
    close: async () => {
      held = undefined;
      connection.close();
    },
  };
}

/** Changes with every write, of any process. */
function generationOf(session: Session): string {
  const { data_version: version } = session.statement("PRAGMA data_version").get() as { readonly data_version: number };
  return `${session.serial} ${version} ${session.writes}`;
}

/** Filters by which something is kept: a process that asks with ever new ones keeps no more. */
const mostFilters = 32;

/** What was read of the index, kept in memory until a process writes. Used within a transaction. */
class Held {
  readonly session: Session;
  readonly generation: string;
  readonly rows: Rows;
  #sources: readonly IndexedSource[] | undefined;
  #corpus: Corpus | undefined;
  readonly #vectors = new Map<string, VectorTable>();
  readonly #sections = new Map<string, SectionHits["rows"]>();

  constructor(session: Session, generation: string) {
    this.session = session;
    this.generation = generation;
    this.rows = new Rows(session);
  }

  get sources(): readonly IndexedSource[] {
    const sql = "SELECT key, kind, stamp, digest FROM source";
    return (this.#sources ??= this.session.statement(sql).all() as readonly IndexedSource[]);
  }

  get corpus(): Corpus {
    return (this.#corpus ??= new Corpus(this.session));
  }

  rowsBySection(filter: IndexFilter): SectionHits["rows"] {
    return keptFor(this.#sections, filter, () => this.corpus.rowsBySection(filter));
  }

  vectors(filter: IndexFilter): VectorTable {
    return keptFor(this.#vectors, filter, () => loadVectors(this.session, filter));
  }
}

function keptFor<T>(values: Map<string, T>, filter: IndexFilter, load: () => T): T {
  const key = JSON.stringify(filter);
  const value = values.get(key) ?? load();
  if (values.size >= mostFilters) values.clear();
  values.set(key, value);
  return value;
}

interface Blob {
  readonly dimensions: number;
  readonly ids: Uint8Array;
  readonly vectors: Uint8Array;
}

/** The vectors of the statements that pass, by id. A model that was changed under its name leaves several lengths: of them the newest. */
function loadVectors(session: Session, filter: IndexFilter): VectorTable {
  const all = session.statement("SELECT dimensions, ids, vectors FROM vector ORDER BY source").all() as readonly Blob[];
  const dimensions = all.at(-1)?.dimensions ?? 0;
  const ranges = passingRanges(session, "statement", filter);
  const rows = all
    .filter((blob) => blob.dimensions === dimensions)
    .flatMap((blob) => {
      // A copy begins at a multiple of four.
      const ids = Array.from(new Int32Array(blob.ids.slice().buffer));
      return ids.flatMap((id, at) => (ranges === undefined || isIn(ranges, id) ? [{ id, blob, at }] : []));
    });
  const vectors = new Int8Array(rows.length * dimensions);
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
  const sections = session.statement("SELECT id, statement_to AS past FROM section ORDER BY id").all() as readonly {
    readonly id: number;
    readonly past: number;
  }[];
  let at = 0;
  return ids.map((id) => {
    while ((sections[at]?.past ?? Number.POSITIVE_INFINITY) <= id) at += 1;
    return sections[at]?.id ?? 0;
  });
}
