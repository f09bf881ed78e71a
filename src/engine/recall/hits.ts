import type { TermRows } from "../../ports/search-index.ts";

/** How many rows each section has that pass. */
export function rowsBySection({ sections }: TermRows): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  for (const section of sections) if (section !== 0) rows.set(section, (rows.get(section) ?? 0) + 1);
  return rows;
}

/** In how many of its rows each section has a term. */
export function hitsBySection(rows: Int32Array, { first, sections }: TermRows): ReadonlyMap<number, number> {
  const hits = new Map<number, number>();
  for (const id of rows) {
    const section = sections[id - first] ?? 0;
    hits.set(section, (hits.get(section) ?? 0) + 1);
  }
  return hits;
}

/** A row and the sum of the weights of its terms. */
export interface WeighedRow {
  readonly id: number;
  readonly score: number;
}

/** The rows with the heaviest terms, at most `most`; of equal ones the one with the smaller id. */
export function heaviestRows(
  { first, sections, terms }: TermRows,
  weights: readonly number[],
  most: number,
): readonly WeighedRow[] {
  const scores = new Float64Array(sections.length);
  terms.forEach((rows, term) => {
    const weight = weights[term] ?? 0;
    if (weight > 0) for (const id of rows) scores[id - first] = (scores[id - first] ?? 0) + weight;
  });
  const ids = new Set<number>();
  terms.forEach((rows, term) => {
    if ((weights[term] ?? 0) > 0) for (const id of rows) ids.add(id);
  });
  const least = leastOf(scores, ids.size, most);
  const found: WeighedRow[] = [];
  for (const id of ids) {
    const score = scores[id - first] ?? 0;
    if (score >= least) found.push({ id, score });
  }
  return found.toSorted((a, b) => b.score - a.score || a.id - b.id).slice(0, most);
}

/** The score that the row at this place has, so that only few rows are sorted as objects. */
function leastOf(scores: Float64Array, found: number, most: number): number {
  if (found <= most) return 0;
  const sorted = scores.toSorted();
  return sorted[sorted.length - most] ?? 0;
}
