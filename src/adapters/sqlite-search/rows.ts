import type { IndexPlace, IndexUnit, StoredRow } from "../../ports/search-index.ts";
import type { Session } from "./session.ts";

/** As it stands in the tables: there lines are two columns. */
interface Row extends Omit<StoredRow, "sectionLines" | "lines"> {
  readonly section_first: number;
  readonly section_last: number;
  readonly first: number;
  readonly last: number;
}

const columns = (unit: IndexUnit): string => `
SELECT row.id, row.section, source.name AS source, source.kind, source.level, section.heading, section.type, section.day,
  section.first AS section_first, section.last AS section_last, row.first, row.last, row.text, row.weight
FROM ${unit} AS row JOIN section ON section.id = row.section JOIN source ON source.id = section.source`;

export function rowsOf(session: Session, unit: IndexUnit, ids: readonly number[]): readonly StoredRow[] {
  const one = session.statement(`${columns(unit)} WHERE row.id = ?`);
  return ids.flatMap((id) => {
    const row = one.get(id) as Row | undefined;
    return row === undefined ? [] : [storedRow(row)];
  });
}

/** What the rows of a section have in common is read once. */
export function rowsOfSections(session: Session, unit: IndexUnit, sections: readonly number[]): readonly StoredRow[] {
  const one = session.statement(
    `SELECT section.id AS section, source.name AS source, source.kind, source.level, section.heading, section.type, section.day, section.first AS section_first,
      section.last AS section_last, section.${unit}_from AS row_from, section.${unit}_to AS row_past
    FROM section JOIN source ON source.id = section.source WHERE section.id = ?`,
  );
  const rows = session.statement(
    `SELECT id, first, last, text, weight FROM ${unit} WHERE id >= ? AND id < ? ORDER BY id`,
  );
  return [...new Set(sections)].flatMap((id) => {
    const shared = one.get(id) as (SharedOfRows & RowRange) | undefined;
    if (shared === undefined) return [];
    const own = rows.all(shared.row_from, shared.row_past) as readonly Omit<Row, keyof SharedOfRows>[];
    return own.map((row) => storedRow({ ...shared, ...row }));
  });
}

type SharedOfRows = Omit<Row, "id" | "first" | "last" | "text" | "weight">;

interface RowRange {
  readonly row_from: number;
  readonly row_past: number;
}

export function rowsAt(session: Session, unit: IndexUnit, places: readonly IndexPlace[]): readonly StoredRow[] {
  const parts = session.statement(`SELECT ${unit}_from AS first, ${unit}_to AS past FROM source WHERE name = ?`);
  const rows = session.statement(
    `${columns(unit)} WHERE row.id >= ? AND row.id < ? AND row.first <= ? AND row.last >= ? ORDER BY row.id`,
  );
  const found = new Map<number, Row>();
  for (const { source, lines } of places)
    for (const { first, past } of parts.all(source) as readonly { readonly first: number; readonly past: number }[])
      for (const row of rows.all(first, past, lines[1], lines[0]) as readonly Row[]) found.set(row.id, row);
  return [...found.values()].map(storedRow);
}

function storedRow(row: Row): StoredRow {
  const { id, section, source, kind, level, heading, type, day, text, weight } = row;
  const places = { sectionLines: [row.section_first, row.section_last], lines: [row.first, row.last] } as const;
  return { id, section, source, kind, level, heading, type, day, text, weight, ...places };
}

export function rowsIn(session: Session, unit: IndexUnit): number {
  const found = session.statement(`SELECT sum(${unit}_to - ${unit}_from) AS rows FROM source`).get();
  return (found as { readonly rows: number | null }).rows ?? 0;
}
