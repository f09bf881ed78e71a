import type { IndexFilter, VectorTable } from "../search-index.ts";
import type { OpenSession } from "./connection.ts";
import { loadCorpus, type Corpus } from "./corpus.ts";
import { HeldRows } from "./held-rows.ts";
import { filteredVectors, loadVectors } from "./vectors.ts";

/** What was read of the index, held in memory until somebody writes. To be asked within a transaction. */
export interface Held {
  of<T>(session: OpenSession, name: string, load: () => T): T;
  corpus(session: OpenSession): Corpus;
  rows(session: OpenSession): HeldRows;
  vectors(session: OpenSession, filter: IndexFilter): VectorTable;
  forget(): void;
}

/** Filters by which something is held: a process that asks with ever new ones holds no more. */
const mostHeld = 32;

export function createHeld(): Held {
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
    corpus: (session) => of(session, "corpus", () => loadCorpus(session)),
    rows: (session) => of(session, "rows", () => new HeldRows()),
    vectors: (session, filter) =>
      of(session, `vectors ${JSON.stringify(filter)}`, () => {
        const all = of(session, "vectors", () => loadVectors(session));
        return filteredVectors(session, all, filter);
      }),
    forget: () => values.clear(),
  };
}

/** Changes with every write, whoever made it. */
export function generationOf(session: OpenSession): string {
  const { data_version: version } = session.statement("PRAGMA data_version").get() as { readonly data_version: number };
  return `${session.serial} ${version} ${session.writes}`;
}
