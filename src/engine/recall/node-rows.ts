import type { IndexFilter, SearchIndex, StoredRow, WeightedTerm } from "../../ports/search-index.ts";
import { heaviestRows } from "./hits.ts";
import { rarityOf } from "./query.ts";

/** The nodes below ROOT.md, which the first step reads itself. */
const nodes: IndexFilter = { kinds: ["node"], levels: ["monthly", "weekly", "daily"] };

/** The parts of nodes that hold the rarest of the terms, at most `most`. */
export async function nodeRows(
  index: SearchIndex,
  terms: readonly WeightedTerm[],
  most: number,
): Promise<readonly StoredRow[]> {
  const found = await index.termRows("chunk", terms, nodes);
  const all = found.sections.length;
  const weights = found.terms.map((ids, at) => (terms[at]?.weight ?? 1) * rarityOf(ids.length, all));
  return index.rows(
    "chunk",
    heaviestRows(found, weights, most).map(({ id }) => id),
  );
}
