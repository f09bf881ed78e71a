import type { Warning } from "../../base/errors.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Choice } from "./chooser.ts";
import { followRows } from "./follow.ts";
import { nodeRows } from "./node-rows.ts";
import type { RecallQuery } from "./query.ts";
import type { Led } from "./root-step.ts";

/** Parts of nodes that are read, and lines of each that are followed. */
const mostRows = 12;
const mostOfRow = 2;

export interface LedByNodes extends Led {
  readonly warnings: readonly Warning[];
}

/** Nodes that match by what they say of their topics, and those that a model chose, drilled down to the raw lines that their lines name. */
export async function lookInNodes(
  index: SearchIndex,
  query: RecallQuery,
  choose?: () => Promise<Choice>,
): Promise<LedByNodes> {
  if (query.terms.length === 0) return { pointed: [], told: { candidates: 0, kept: 0, notes: [] }, warnings: [] };
  const rows = await nodeRows(index, query.terms, mostRows);
  const pointed = followRows({ step: "manifest", rows, weights: query.weights, most: mostOfRow });
  const nodes = [...new Set(rows.map(({ source }) => source))];
  const told = { candidates: rows.length, kept: 0, notes: nodes };
  if (choose === undefined) return { pointed, told, warnings: [] };
  const choice = await choose();
  const chosen = await choice.follow(index, query);
  return {
    pointed: [...pointed, ...chosen],
    told: { ...told, candidates: rows.length + chosen.length, notes: [...choice.notes, ...nodes] },
    warnings: choice.warnings,
  };
}
