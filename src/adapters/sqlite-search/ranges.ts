import type { IndexFilter, IndexUnit } from "../../ports/search-index.ts";
import type { SqliteValue } from "../../ports/sqlite-driver.ts";
import type { Session } from "./session.ts";

/** Ids `[from, to)` of rows that pass a filter, ascending; neighbours joined. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

/** The ranges of ids that pass; `undefined` when the filter passes all. */
export function passingRanges(session: Session, unit: IndexUnit, filter: IndexFilter): readonly IdRange[] | undefined {
  const wheres: string[] = [];
  const values: SqliteValue[] = [];
  const oneOf = (column: string, wanted: readonly string[] | undefined): void => {
    if (wanted === undefined) return;
    wheres.push(`${column} IN (${wanted.map(() => "?").join(", ")})`);
    values.push(...wanted);
  };
  oneOf("source.kind", filter.kinds);
  oneOf("source.level", filter.levels);
  oneOf("section.type", filter.types);
  const { since, until } = filter;
  const isBySection = filter.types !== undefined || since !== undefined || until !== undefined;
  // A node tells of all its days; a thread has sections of one day each. What has no day passes only without days.
  if (since !== undefined || until !== undefined) {
    wheres.push("source.until >= ? AND source.since <> '' AND source.since <= ?");
    values.push(since ?? "", until ?? "9999-12-31");
    wheres.push("(section.day = '' OR source.kind = 'node' OR section.day BETWEEN ? AND ?)");
    values.push(since ?? "", until ?? "9999-12-31");
  }
  if (wheres.length === 0) return undefined;
  const from = isBySection ? "section JOIN source ON source.id = section.source" : "source";
  const table = isBySection ? "section" : "source";
  const columns = `${table}.${unit}_from AS first, ${table}.${unit}_to AS past`;
  const sql = `SELECT ${columns} FROM ${from} WHERE ${wheres.join(" AND ")} ORDER BY 1`;
  return joined(session.statement(sql).all(...values) as readonly { readonly first: number; readonly past: number }[]);
}

function joined(rows: readonly { readonly first: number; readonly past: number }[]): readonly IdRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const { first, past } of rows) {
    const last = ranges.at(-1);
    if (past <= first) continue;
    if (last !== undefined && last.to === first) last.to = past;
    else ranges.push({ from: first, to: past });
  }
  return ranges;
}
