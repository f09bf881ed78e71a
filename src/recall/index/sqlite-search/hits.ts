import type { IndexFilter, IndexTerm, SectionHits, WordFrequencies } from "../search-index.ts";
import { sectionsOf, type Corpus } from "./corpus.ts";
import { listOf, roughCountOf } from "./lists.ts";
import { isIn, passingRanges } from "./ranges.ts";
import type { Session } from "./session.ts";

/** How many rows of each section that passes hold each term. */
export function hitsOf(
  session: Session,
  corpus: Corpus,
  of: { readonly terms: readonly IndexTerm[]; readonly rows: SectionHits["rows"] },
): SectionHits {
  const sections = sectionsOf(session, corpus).of;
  const terms = of.terms.map((term) => {
    const hits = new Map<number, number>();
    const list = listOf(session, corpus, term);
    for (let at = 0; at < list.length;) {
      const section = sections[list[at] ?? 0] ?? 0;
      const from = at;
      // The rows of a section follow one another.
      do at += 1;
      while (at < list.length && sections[list[at] ?? 0] === section);
      if (of.rows.has(section)) hits.set(section, at - from);
    }
    return hits;
  });
  return { rows: of.rows, terms };
}

/** The number of rows of every section that passes. */
export function rowsBySection(session: Session, corpus: Corpus, filter: IndexFilter): SectionHits["rows"] {
  const ranges = passingRanges(session, "chunk", filter);
  const { of, sizes } = sectionsOf(session, corpus);
  const { inOrder } = corpus;
  const rows = new Map<number, number>();
  for (let at = 0; at < inOrder.length;) {
    const first = inOrder[at] ?? 0;
    const size = Math.max(1, sizes[first] ?? 0);
    // A filter passes whole sections.
    if (ranges === undefined || isIn(ranges, first)) rows.set(of[first] ?? 0, size);
    // The rows of a section follow one another.
    at += size;
  }
  return rows;
}

export function frequenciesOf(session: Session, corpus: Corpus, words: readonly string[]): WordFrequencies {
  return { rows: corpus.rows, counts: words.map((text) => roughCountOf(session, corpus, { kind: "word", text })) };
}
