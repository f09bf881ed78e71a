import type {
  FoundRow,
  IndexFilter,
  IndexQuery,
  IndexTerm,
  IndexUnit,
  SectionHits,
  WordFrequencies,
} from "../../ports/search-index.ts";
import { BestRows } from "../../recall/postings/best-rows.ts";
import type { Postings } from "../../recall/postings/posting-format.ts";
import { countOfRows, postingsOf, saturation, type Corpus } from "./corpus.ts";
import { passingRanges, type IdRange } from "./ranges.ts";
import type { Session } from "./session.ts";

/** BM25 of the rows that match, added up over the terms. */
export function findRows(session: Session, corpus: Corpus, query: IndexQuery): readonly FoundRow[] {
  const { unit, any, all = [], none = [], limit } = query;
  const ranges = passingRanges(session, unit, query);
  const read = (term: IndexTerm): Postings => postingsOf(session, unit, corpus, term);
  if (any.length + all.length === 0) return newestRows(session, corpus, { unit, ranges, none: none.map(read), limit });
  const scores = new Float32Array(corpus.past);
  for (const term of any) addScores(corpus, scores, read(term), term.weight);
  const counts = new Uint8Array(all.length === 0 ? 0 : corpus.past);
  for (const term of all) {
    const postings = read(term);
    if (!any.some(({ kind, text }) => kind === term.kind && text === term.text)) addScores(corpus, scores, postings, 1);
    for (const row of postings.rows) counts[row] = (counts[row] ?? 0) + 1;
  }
  if (all.length > 0) counts.forEach((count, row) => count < all.length && (scores[row] = 0));
  for (const term of none) for (const row of read(term).rows) scores[row] = 0;
  const best = new BestRows(limit);
  for (const { from, to } of ranges ?? [{ from: 0, to: corpus.past }])
    for (let row = from; row < to; row++) {
      const score = scores[row] ?? 0;
      if (score > 0) best.add(row, score);
    }
  return best.sorted().map(({ row, score }) => ({ id: row, section: corpus.sections[row] ?? 0, score }));
}

function addScores({ rows, norms }: Corpus, scores: Float32Array, postings: Postings, weight: number): void {
  const found = postings.rows.length;
  const rarity = weight * (saturation + 1) * Math.log(1 + (rows - found + 0.5) / (found + 0.5));
  for (let at = 0; at < found; at++) {
    const row = postings.rows[at] ?? 0;
    const count = postings.counts[at] ?? 0;
    scores[row] = (scores[row] ?? 0) + (rarity * count) / (count + (norms[row] ?? 1));
  }
}

/** Without a word to look for: the newest day first. */
function newestRows(
  session: Session,
  corpus: Corpus,
  of: {
    readonly unit: IndexUnit;
    readonly ranges: readonly IdRange[] | undefined;
    readonly none: readonly Postings[];
    readonly limit: number;
  },
): readonly FoundRow[] {
  const without = new Set(of.none.flatMap(({ rows }) => [...rows]));
  const sections = session
    .statement(`SELECT ${of.unit}_from AS first, ${of.unit}_to AS past FROM section ORDER BY day DESC, id`)
    .all() as readonly { readonly first: number; readonly past: number }[];
  const found: FoundRow[] = [];
  for (const { first, past } of sections)
    for (let row = first; row < past; row++) {
      if (found.length >= of.limit) return found;
      const passes = of.ranges === undefined || of.ranges.some(({ from, to }) => row >= from && row < to);
      if (passes && !without.has(row)) found.push({ id: row, section: corpus.sections[row] ?? 0, score: 0 });
    }
  return found;
}

/** How many rows of each section hold each term. */
export function hitsOf(
  session: Session,
  corpus: Corpus,
  of: { readonly unit: IndexUnit; readonly terms: readonly IndexTerm[]; readonly filter: IndexFilter },
): Omit<SectionHits, "rows"> {
  const ranges = passingRanges(session, of.unit, of.filter);
  const terms = of.terms.map((term) => {
    const sections = new Map<number, number>();
    const { rows } = postingsOf(session, of.unit, corpus, term);
    for (let at = 0; at < rows.length;) {
      const section = corpus.sections[rows[at] ?? 0] ?? 0;
      let count = 0;
      // The rows of a section follow one another.
      for (; at < rows.length && corpus.sections[rows[at] ?? 0] === section; at++)
        if (ranges === undefined || isIn(ranges, rows[at] ?? 0)) count += 1;
      if (count > 0) sections.set(section, (sections.get(section) ?? 0) + count);
    }
    return sections;
  });
  return { terms };
}

/** The number of rows of every section that passes. */
export function rowsBySection(
  session: Session,
  corpus: Corpus,
  unit: IndexUnit,
  filter: IndexFilter,
): SectionHits["rows"] {
  const ranges = passingRanges(session, unit, filter) ?? [{ from: 0, to: corpus.past }];
  const rows = new Map<number, number>();
  for (const { from, to } of ranges)
    for (let row = from; row < to; row++) {
      if ((corpus.norms[row] ?? 0) === 0) continue;
      const section = corpus.sections[row] ?? 0;
      rows.set(section, (rows.get(section) ?? 0) + 1);
    }
  return rows;
}

function isIn(ranges: readonly IdRange[], row: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined || row < range.from) high = middle - 1;
    else if (row >= range.to) low = middle + 1;
    else return true;
  }
  return false;
}

export function frequenciesOf(
  session: Session,
  corpus: Corpus,
  of: { readonly unit: IndexUnit; readonly words: readonly string[] },
): WordFrequencies {
  const counts = of.words.map((text) => countOfRows(session, of.unit, corpus, text));
  return { rows: corpus.rows, counts };
}
