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
  const ids: number[] = [];
  terms.forEach((rows, term) => {
    const weight = weights[term] ?? 0;
    if (weight <= 0) return;
    for (const id of rows) {
      const known = scores[id - first] ?? 0;
      if (known === 0) ids.push(id);
      scores[id - first] = known + weight;
    }
  });
  const least = leastOf(
    ids.map((id) => scores[id - first] ?? 0),
    most,
  );
  const found = ids.flatMap((id): readonly WeighedRow[] => {
    const score = scores[id - first] ?? 0;
    return score >= least ? [{ id, score }] : [];
  });
  return found.toSorted((a, b) => b.score - a.score || a.id - b.id).slice(0, most);
}

/** The score that the row at this place has, so that only few rows are sorted as objects. */
function leastOf(scores: readonly number[], most: number): number {
  if (scores.length <= most) return 0;
  return Float64Array.from(scores).toSorted()[scores.length - most] ?? 0;
}
