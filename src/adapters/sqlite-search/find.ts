import type { FoundRow, IndexQuery } from "../../ports/search-index.ts";
import { matchOf } from "./match.ts";
import { newestRows } from "./newest.ts";
import { passingRanges } from "./ranges.ts";
import type { Session } from "./session.ts";

export function findRows(session: Session, query: IndexQuery): readonly FoundRow[] {
  const any = query.any.flatMap((term) => Array.from({ length: term.weight }, () => matchOf(term)));
  const all = (query.all ?? []).map(matchOf);
  const none = (query.none ?? []).map(matchOf);
  const scored = [...all, ...any].join(" OR ");
  if (scored === "") return newestRows(session, query);
  const must = all.length === 0 ? `(${scored})` : `(${all.join(" AND ")}) AND (${scored})`;
  const match = none.length === 0 ? must : `(${must}) NOT (${none.join(" OR ")})`;
  const ranges = passingRanges(session, query.unit, query);
  const table = `${query.unit}_words`;
  const limit = ranges === undefined ? query.limit : -1;
  const found = session
    .statement(
      `SELECT rowid AS id, -bm25(${table}) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY score DESC, rowid LIMIT ?`,
    )
    .all(match, limit) as readonly { readonly id: number; readonly score: number }[];
  const passing =
    ranges === undefined ? found : found.filter(({ id }) => ranges.some(({ from, to }) => id >= from && id < to));
  const section = session.statement(`SELECT section FROM ${query.unit} WHERE id = ?`);
  return passing.slice(0, query.limit).map(({ id, score }) => {
    return { id, score, section: (section.get(id) as { readonly section: number }).section };
  });
}
