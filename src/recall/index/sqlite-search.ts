import {
  noVectors,
  type IndexedSource,
  type IndexFilter,
  type SourceKind,
  type IndexState,
  type SearchIndex,
} from "./search-index.ts";
import { once, remembering } from "../../base/lines.ts";
import { noSections } from "../rank/scores.ts";
import type { SqliteDriver } from "../../platform/sqlite.ts";
import { createConnection } from "./sqlite-search/connection.ts";
import { findRows } from "./sqlite-search/find.ts";
import { Corpus } from "./sqlite-search/corpus.ts";
import { countRows, openRows, rowsAt, rowsById, sectionsOf } from "./sqlite-search/rows.ts";
import { byFilter, columnsOf, ofSource, type Session } from "./sqlite-search/schema.ts";
import { countVectors, lackingVectors, loadVectors, putVectors } from "./sqlite-search/vectors.ts";
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
    id: "sqlite-search-6",
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
    vectors: (embedder, filter) => valueOf((all) => all.vectors(embedder)(filter), noVectors),
    vectorCounts: (embedder) =>
      valueOf(({ session }) => countVectors(session, embedder), { statements: 0, lacking: 0 }),
    lackingVectors: (embedder, limit, others) =>
      valueOf(({ session }) => lackingVectors(session, embedder, { limit, others }), []),
    putVectors: (embedder, made) => connection.update((session) => putVectors(session, embedder, made)),
    sectionHits: (terms, filter) =>
      valueOf((all) => all.corpus().hitsOf(terms, all.corpus().sectionsIn(filter)), {
        rows: noSections,
        terms: terms.map(() => noSections),
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

/** Vectors of so many embedders are cached. */
const mostEmbedders = 2;

/** Data read from the index, cached until any process writes. Must be used within a transaction. */
function holdAt(generation: string, session: Session) {
  const corpus = once(() => new Corpus(session));
  return {
    generation,
    session,
    corpus,
    rows: openRows(session),
    sources: byFilter((filter) => readSources(session, filter)),
    vectors: remembering((embedder) => byFilter((filter) => loadVectors(session, embedder, filter)), mostEmbedders),
  };
}

type Held = ReturnType<typeof holdAt>;

function readSources(session: Session, filter: IndexFilter): readonly IndexedSource[] {
  const { where, values } = ofSource(filter);
  const names = ["key", "kind", "stamp", "digest", "secrets"];
  const rows = `SELECT ${names.join(", ")} FROM source ${where}`;
  const [keys = [], kinds = [], stamps = [], digests = [], secrets = []] = columnsOf<string>(
    session,
    names,
    rows,
    values,
  );
  return keys.map((key, at): IndexedSource => {
    const own = { key, kind: kinds[at] as SourceKind, stamp: stamps[at] ?? "", digest: digests[at] ?? "" };
    return secrets[at] === "none" ? { ...own, secrets: "none" } : own;
  });
}
