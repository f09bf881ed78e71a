import type { FoundRow, IndexQuery } from "../../ports/search-index.ts";
import { matchOf } from "./match.ts";
import { passingRanges, type IdRange } from "./ranges.ts";
import type { Session } from "./session.ts";

interface DatedRow {
  readonly id: number;
  readonly section: number;
  readonly day: string;
}

/** The rows that pass the filter, the newest day first. */
export function newestRows(session: Session, query: IndexQuery): readonly FoundRow[] {
  const ranges = passingRanges(session, query.unit, query) ?? [{ from: 0, to: Number.MAX_SAFE_INTEGER }];
  const rows = ranges.flatMap((range) => rowsIn(session, query, range));
  return rows
    .toSorted((a, b) => (a.day === b.day ? a.id - b.id : a.day < b.day ? 1 : -1))
    .slice(0, query.limit)
    .map(({ id, section }) => ({ id, section, score: 0 }));
}

function rowsIn(session: Session, { unit, none = [], limit }: IndexQuery, { from, to }: IdRange): readonly DatedRow[] {
  const table = `${unit}_words`;
  const without = none.length === 0 ? "" : `AND ${unit}.id NOT IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`;
  const sql = `SELECT ${unit}.id AS id, section, day FROM ${unit} JOIN section ON section.id = section
    WHERE ${unit}.id >= ? AND ${unit}.id < ? ${without} ORDER BY day DESC, ${unit}.id LIMIT ?`;
  const values = none.length === 0 ? [] : [none.map(matchOf).join(" OR ")];
  return session.statement(sql).all(from, to, ...values, limit) as unknown as readonly DatedRow[];
}
