import type { SearchIndex } from "../../ports/search-index.ts";
import { followRows } from "./follow.ts";
import type { RecallQuery } from "./query.ts";
import type { Led } from "./root-step.ts";

/** Parts of nodes that are read, and lines of each that are followed. */
const mostRows = 12;
const mostOfRow = 2;

/** Nodes chosen by what they say of their topics, drilled down to the raw lines that their matching lines name. */
export async function lookInNodes(index: SearchIndex, query: RecallQuery): Promise<Led> {
  if (query.terms.length === 0) return { pointed: [], told: { candidates: 0, kept: 0, notes: [] } };
  const levels = ["monthly", "weekly", "daily"] as const;
  const found = await index.find({ unit: "chunk", any: query.terms, limit: mostRows, kinds: ["node"], levels });
  const rows = await index.rows(
    "chunk",
    found.map(({ id }) => id),
  );
  const pointed = followRows({ step: "manifest", rows, weights: query.weights, most: mostOfRow });
  const nodes = [...new Set(rows.map(({ source }) => source))];
  return { pointed, told: { candidates: rows.length, kept: 0, notes: nodes } };
}
