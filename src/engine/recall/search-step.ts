import type { SearchIndex, StoredRow } from "../../ports/search-index.ts";
import { choosePassages } from "../../recall/ranking/choose.ts";
import { scoreSections } from "../../recall/ranking/section-score.ts";
import type { Chosen, ScoredCandidate, ScoredSection } from "../../recall/ranking/types.ts";
import { liftSections } from "./lift.ts";
import type { StepTold } from "./one.ts";
import type { Pointed } from "./pointed.ts";
import { heaviestRows } from "./hits.ts";
import { handedOver, rarityOf, type RecallQuery } from "./query.ts";

export interface SearchStep {
  readonly index: SearchIndex;
  readonly query: RecallQuery;
  readonly pointed: readonly Pointed[];
  readonly budget: number;
  readonly count: (text: string) => number;
}

/** A chosen passage and what led to it. */
export interface Recalled extends Chosen<StoredRow> {
  readonly steps: readonly ("root" | "manifest" | "search")[];
}

/** Chunks that are looked at: more than fit into a large budget are never chosen. */
const mostChunks = 120;

/** Passages by words and by the sections they stand in; what the other steps point to counts more. */
export async function searchPassages(
  step: SearchStep,
): Promise<{ readonly chosen: readonly Recalled[]; readonly told: StepTold }> {
  const { index, query, pointed, budget, count } = step;
  if (query.terms.length === 0) return { chosen: [], told: { candidates: 0, kept: 0, notes: [] } };
  const scored = scoredSections(query);
  const { sections, from } = await liftSections(index, { scored, pointed });
  const chunks = await chunksOf(index, query);
  const statements = await statementsIn(index, { sections, query });
  const chosen = choosePassages({ sections, chunks, statements, budget, tokens: count });
  return {
    chosen: chosen.map((one) => ({ ...one, steps: [...(from.get(one.row.section) ?? []), "search"] })),
    told: {
      candidates: chunks.length + statements.length,
      kept: chosen.length,
      notes: query.words,
    },
  };
}

function scoredSections({ terms, rows, hits }: RecallQuery): readonly ScoredSection[] {
  const heaviest = Math.max(1, ...terms.map(({ weight }) => weight));
  return scoreSections({
    chunks: rows,
    terms: terms.map(({ kind, text, weight }, at) => {
      return { term: `${kind} ${text}`, sections: hits[at] ?? new Map<number, number>(), weight: weight / heaviest };
    }),
  });
}

/** The chunks that hold the rarest words, shorter ones first: BM25 with each word counted once. */
async function chunksOf(
  index: SearchIndex,
  { terms, chunks }: RecallQuery,
): Promise<readonly ScoredCandidate<StoredRow>[]> {
  const all = chunks.sections.length;
  const weights = chunks.terms.map((ids, at) => (terms[at]?.weight ?? 1) * rarityOf(ids.length, all));
  const heaviest = heaviestRows(chunks, weights, mostChunks);
  const scores = new Map(heaviest.map(({ id, score }) => [id, score]));
  const rows = await index.rows(
    "chunk",
    heaviest.map(({ id }) => id),
  );
  return rows
    .map((row) => ({ row, own: { words: (scores.get(row.id) ?? 0) * shortness(row.text.length) } }))
    .toSorted((a, b) => b.own.words - a.own.words || a.row.id - b.row.id);
}

/** What BM25 makes of a text of this length whose words stand in it once; 1 for a chunk of the usual length. */
function shortness(length: number): number {
  return 2.2 / (1 + 1.2 * (0.25 + (0.75 * length) / usualLength));
}

const usualLength = 700;

async function statementsIn(
  index: SearchIndex,
  { sections, query }: { readonly sections: readonly ScoredSection[]; readonly query: RecallQuery },
): Promise<readonly ScoredCandidate<StoredRow>[]> {
  const rows = await index.rowsOfSections(
    "statement",
    sections.map(({ section }) => section),
  );
  const found = await index.termRows("statement", query.terms, handedOver);
  const all = found.sections.length;
  const scores = new Map<number, number>();
  found.terms.forEach((ids, at) => {
    const weight = (query.terms[at]?.weight ?? 1) * rarityOf(ids.length, all);
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weight);
  });
  let most = 1e-9;
  for (const score of scores.values()) most = Math.max(most, score);
  return rows.map((row) => ({ row, own: { words: (scores.get(row.id) ?? 0) / most } }));
}
