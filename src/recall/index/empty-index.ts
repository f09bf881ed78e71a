import type { SearchIndex } from "./search-index.ts";

/** Stands for an index that cannot be asked. */
export const emptyIndex: SearchIndex = {
  id: "empty-index",
  state: async () => ({ is: "absent", sources: [], bytes: 0 }),
  write: async () => {},
  find: async () => [],
  rows: async () => [],
  rowsOfSections: async () => [],
  rowsAt: async () => [],
  sectionsOf: async () => [],
  vectors: async () => ({
    dimensions: 0,
    ids: new Int32Array(),
    sections: new Int32Array(),
    vectors: new Int8Array(),
  }),
  sectionHits: async (terms) => ({ rows: new Map(), terms: terms.map(() => new Map()) }),
  frequencies: async (words) => ({ rows: 0, counts: words.map(() => 0) }),
  count: async () => 0,
  generation: async () => "",
  close: async () => {},
};
