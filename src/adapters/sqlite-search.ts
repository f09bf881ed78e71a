import type { SearchIndex } from "../ports/search-index.ts";

/** The index as SQLite file `index.sqlite` in `folder`, made by the first write. */
export function createSqliteSearch(_options: { readonly folder: string }): SearchIndex {
  return {
    id: "sqlite-search-1",
    state: async () => ({ is: "absent", sources: [], bytes: 0 }),
    write: async () => {},
    find: async () => [],
    rows: async () => [],
    rowsOfSections: async () => [],
    vectors: async () => ({
      dimensions: 0,
      ids: new Int32Array(),
      sections: new Int32Array(),
      vectors: new Int8Array(),
    }),
    sectionHits: async (_unit, terms) => ({ rows: new Map(), terms: terms.map(() => new Map()) }),
    frequencies: async (_unit, words) => ({ rows: 0, counts: words.map(() => 0) }),
    close: async () => {},
  };
}
