import type { IndexPlace, IndexUnit, StoredRow } from "../search-index.ts";
import { storedRow, type HeldRows, type OwnOfRow } from "./held-rows.ts";
import type { IdRange } from "./ranges.ts";
import type { Session } from "./session.ts";

const own = (unit: IndexUnit): string => `SELECT id, section, first, last, text, weight FROM ${unit}`;

export function rowsOf(
  session: Session,
  held: HeldRows,
  of: { readonly unit: IndexUnit; readonly ids: readonly number[] },
): readonly StoredRow[] {
  if (of.unit === "chunk") return whole(session, held, held.chunks(session, of.ids));
  const one = session.statement(`${own(of.unit)} WHERE id = ?`);
  const rows = of.ids.map((id) => one.get(id) as OwnOfRow | undefined);
  return whole(
    session,
    held,
    rows.filter((row) => row !== undefined),
  );
}

/** What the rows of a section have in common is read once. */
function whole(session: Session, held: HeldRows, rows: readonly OwnOfRow[]): readonly StoredRow[] {
  return rows.flatMap((row) => {
    const shared = held.section(session, row.section);
    return shared === undefined ? [] : [storedRow(shared, row)];
  });
}

export function rowsOfSections(
  session: Session,
  held: HeldRows,
  of: { readonly unit: IndexUnit; readonly sections: readonly number[] },
): readonly StoredRow[] {
  return [...new Set(of.sections)].flatMap((id) => held.ofSection(session, of.unit, id));
}

export function rowsAt(
  session: Session,
  held: HeldRows,
  of: { readonly unit: IndexUnit; readonly places: readonly IndexPlace[] },
): readonly StoredRow[] {
  const { unit, places } = of;
  const parts = sectionsOfSources(session, [...new Set(places.map(({ source }) => source))]);
  const sections = session.statement(
    `SELECT ${unit}_from AS "from", ${unit}_to AS "to" FROM section WHERE id >= ? AND id < ? AND first <= ? AND last >= ?`,
  );
  const rows = session.statement(`${own(unit)} WHERE id >= ? AND id < ? AND first <= ? AND last >= ? ORDER BY id`);
  const found = new Map<number, OwnOfRow>();
  for (const { source, lines } of places)
    for (const part of parts.get(source) ?? [])
      for (const { from, to } of sections.all(part.from, part.to, lines[1], lines[0]) as unknown as readonly IdRange[])
        for (const row of rows.all(from, to, lines[1], lines[0]) as readonly OwnOfRow[]) found.set(row.id, row);
  return whole(session, held, [...found.values()]);
}

/** The ids of the sections of each source, by its name; several sources may have one name. */
function sectionsOfSources(session: Session, names: readonly string[]): ReadonlyMap<string, readonly IdRange[]> {
  const sources = session.statement(
    `SELECT name, section_from AS "from", section_to AS "to" FROM source WHERE name IN (SELECT value FROM json_each(?)) ORDER BY id`,
  );
  const parts = new Map<string, IdRange[]>();
  for (const { name, from, to } of sources.all(JSON.stringify(names)) as unknown as readonly SourceSections[])
    parts.set(name, [...(parts.get(name) ?? []), { from, to }]);
  return parts;
}

interface SourceSections extends IdRange {
  readonly name: string;
}

export function rowsIn(session: Session, unit: IndexUnit): number {
  const found = session.statement(`SELECT sum(${unit}_to - ${unit}_from) AS rows FROM source`).get();
  return (found as { readonly rows: number | null }).rows ?? 0;
}
