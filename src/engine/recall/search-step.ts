import type { IndexUnit, SearchIndex, StoredRow, WeightedTerm } from "../../ports/search-index.ts";
import { choosePassages } from "../../recall/ranking/choose.ts";
import { scoreSections } from "../../recall/ranking/section-score.ts";
import type { Chosen, ScoredCandidate, ScoredSection } from "../../recall/ranking/types.ts";
import { liftSections } from "./lift.ts";
import type { StepTold } from "./one.ts";
import type { Pointed } from "./pointed.ts";
import { handedOver, type RecallQuery } from "./query.ts";

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
const mostChunks = 60;
const mostStatements = 400;

/** Passages by words and by the sections they stand in; what the other steps point to counts more. */
export async function searchPassages(
  step: SearchStep,
): Promise<{ readonly chosen: readonly Recalled[]; readonly told: StepTold }> {
  const { index, query, pointed, budget, count } = step;
  const any = query.terms;
  if (any.length === 0) return { chosen: [], told: { candidates: 0, kept: 0, notes: [] } };
  const scored = scoredSections(query);
  const { sections, from } = await liftSections(index, { scored, pointed });
  const chunks = await foundRows(index, { unit: "chunk", any, limit: mostChunks });
  const statements = await statementsIn(index, { sections, any });
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

function scoredSections({ terms, hits }: RecallQuery): readonly ScoredSection[] {
  const heaviest = Math.max(1, ...terms.map(({ weight }) => weight));
  return scoreSections({
    chunks: hits.rows,
    terms: terms.map(({ kind, text, weight }, at) => {
      return {
        term: `${kind} ${text}`,
        sections: hits.terms[at] ?? new Map<number, number>(),
        weight: weight / heaviest,
      };
    }),
  });
}

interface Wanted {
  readonly unit: IndexUnit;
  readonly any: readonly WeightedTerm[];
  readonly limit: number;
}

async function foundRows(index: SearchIndex, wanted: Wanted): Promise<readonly ScoredCandidate<StoredRow>[]> {
  const found = await index.find({ ...handedOver, ...wanted });
  const rows = await index.rows(
    wanted.unit,
    found.map(({ id }) => id),
  );
  const scores = new Map(found.map(({ id, score }) => [id, score]));
  return rows.map((row) => ({ row, own: { words: scores.get(row.id) ?? 0 } }));
}

async function statementsIn(
  index: SearchIndex,
  { sections, any }: { readonly sections: readonly ScoredSection[]; readonly any: readonly WeightedTerm[] },
): Promise<readonly ScoredCandidate<StoredRow>[]> {
  const rows = await index.rowsOfSections(
    "statement",
    sections.map(({ section }) => section),
  );
  const found = await index.find({ ...handedOver, unit: "statement", any, limit: mostStatements });
  const most = Math.max(1e-9, found[0]?.score ?? 0);
  const scores = new Map(found.map(({ id, score }) => [id, score / most]));
  return rows.map((row) => ({ row, own: { words: scores.get(row.id) ?? 0 } }));
}
