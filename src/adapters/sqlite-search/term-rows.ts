import type { IndexFilter, IndexTerm, IndexUnit, TermRows } from "../../ports/search-index.ts";
import { matchOf } from "./match.ts";
import { passingRanges } from "./ranges.ts";
import type { Session } from "./session.ts";

/** Which section each row of a unit stands in. */
export type SectionOfRow = Pick<TermRows, "first" | "sections">;

export function noTermRows(terms: readonly IndexTerm[]): TermRows {
  return { first: 0, sections: new Int32Array(), terms: terms.map(() => new Int32Array()) };
}

/** The sections of all rows of a unit. Rows that do not pass the filter have section 0. */
export function loadSections(session: Session, unit: IndexUnit, filter: IndexFilter): SectionOfRow {
  const all = session
    .statement(`SELECT id, ${unit}_from AS first, ${unit}_to AS past FROM section WHERE ${unit}_to > ${unit}_from`)
    .all() as readonly { readonly id: number; readonly first: number; readonly past: number }[];
  const first = all.reduce((least, one) => Math.min(least, one.first), Number.MAX_SAFE_INTEGER);
  const past = all.reduce((most, one) => Math.max(most, one.past), first);
  const sections = new Int32Array(past - first);
  for (const one of all) sections.fill(one.id, one.first - first, one.past - first);
  const ranges = passingRanges(session, unit, filter);
  if (ranges === undefined) return { first, sections };
  const passing = new Int32Array(sections.length);
  for (const { from, to } of ranges) passing.set(sections.subarray(from - first, to - first), from - first);
  return { first, sections: passing };
}

/** The rows of each term that pass. One value for a word costs much less than a row for each of its places. */
export function termRows(
  session: Session,
  unit: IndexUnit,
  terms: readonly IndexTerm[],
  known: SectionOfRow,
): TermRows {
  const list = session.statement(`SELECT group_concat(rowid) AS ids FROM ${unit}_words WHERE ${unit}_words MATCH ?`);
  return {
    ...known,
    terms: terms.map((term) => {
      const { ids } = list.get(matchOf(term)) as { readonly ids: string | null };
      return passingIds(ids ?? "", known);
    }),
  };
}

const zero = 48;

/** The numbers of a list with commas whose rows pass. */
function passingIds(list: string, { first, sections }: SectionOfRow): Int32Array {
  const found = new Int32Array((list.length + 1) >> 1);
  let count = 0;
  let id = 0;
  for (let at = 0; at <= list.length; at++) {
    const digit = list.charCodeAt(at) - zero;
    if (digit >= 0) id = id * 10 + digit;
    else {
      // Behind the end there is no digit either.
      if ((sections[id - first] ?? 0) !== 0) found[count++] = id;
      id = 0;
    }
  }
  return found.subarray(0, count);
}
