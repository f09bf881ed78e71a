import type { IndexFilter, IndexUnit } from "../search-index.ts";
import type { SqliteValue } from "../../../platform/sqlite.ts";
import { numbersIn } from "./corpus.ts";
import type { Session } from "./session.ts";
import { pushAll } from "../../../base/lists.ts";

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
    pushAll(values, wanted);
  };
  oneOf("source.kind", filter.kinds);
  oneOf("source.level", filter.levels);
  oneOf("section.type", filter.types);
  const { since, until } = filter;
  const isBySection = filter.types !== undefined || since !== undefined || until !== undefined;
  // A node passes when all the days it tells of do: which line is of which day it does not say. What has no day passes only without days.
  if (since !== undefined || until !== undefined) {
    const days = [since ?? "", until ?? "9999-12-31"];
    wheres.push("source.since <> ''");
    wheres.push(
      `CASE source.kind WHEN 'node' THEN source.since >= ? AND source.until <= ?
      ELSE source.until >= ? AND source.since <= ? AND (section.day = '' OR section.day BETWEEN ? AND ?) END`,
    );
    pushAll(values, [...days, ...days, ...days]);
  }
  if (wheres.length === 0) return undefined;
  const from = isBySection ? "section JOIN source ON source.id = section.source" : "source";
  const table = isBySection ? "section" : "source";
  const columns = `${table}.${unit}_from AS first, ${table}.${unit}_to AS past`;
  const rows = `SELECT ${columns} FROM ${from} WHERE ${wheres.join(" AND ")} ORDER BY 1`;
  const found = session
    .statement(`SELECT json_group_array(first) AS firsts, json_group_array(past) AS pasts FROM (${rows})`)
    .get(...values) as { readonly firsts: string; readonly pasts: string };
  return joined(numbersIn(found.firsts), numbersIn(found.pasts));
}

function joined(firsts: readonly number[], pasts: readonly number[]): readonly IdRange[] {
  const ranges: { from: number; to: number }[] = [];
  firsts.forEach((first, at) => {
    const past = pasts[at] ?? 0;
    const last = ranges.at(-1);
    if (past <= first) return;
    if (last !== undefined && last.to === first) last.to = past;
    else ranges.push({ from: first, to: past });
  });
  return ranges;
}

export function isIn(ranges: readonly IdRange[], row: number): boolean {
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
