import type { IndexFilter, SearchIndex, StoredRow, WeightedTerm } from "../index/search-index.ts";

/** The nodes below ROOT.md, which the first step reads itself. */
const nodes: IndexFilter = { kinds: ["node"], levels: ["monthly", "weekly", "daily"] };

/** The parts of nodes that hold the terms best, at most `most`. */
export async function nodeRows(
  index: SearchIndex,
  terms: readonly WeightedTerm[],
  most: number,
): Promise<readonly StoredRow[]> {
  const found = await index.find({ ...nodes, any: terms, limit: most });
  return index.rows(
    "chunk",
    found.map(({ id }) => id),
  );
}
