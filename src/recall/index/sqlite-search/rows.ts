import type { IndexPlace, IndexUnit, StoredRow, IndexedSection, IndexedText } from "../search-index.ts";
import { remembering } from "../../../base/lines.ts";
import type { IdRange, Session } from "./schema.ts";

const own = (unit: IndexUnit): string => `SELECT id, section, first, last, text, weight FROM ${unit}`;

/** The columns of a row itself, without those of its section. */
export interface OwnOfRow extends Pick<StoredRow, "id" | "section" | "text" | "weight"> {
  readonly first: number;
  readonly last: number;
}

/** A stored section: its lines, and the ids `[from, to)` of its rows. */
interface SectionRow extends Omit<IndexedSection, "lines" | "chunks" | "statements"> {
  readonly first: number;
  readonly last: number;
  readonly chunk_from: number;
  readonly chunk_to: number;
  readonly statement_from: number;
  readonly statement_to: number;
}

/** A section with columns from its source. */
interface PlacedSection extends SectionRow, Pick<StoredRow, "source" | "kind" | "level"> {}

const placedSection =
  "SELECT section.*, source.name AS source, source.kind, source.level FROM section JOIN source ON source.id = section.source WHERE section.id = ?";

/** Rows that no longer exist are left out. */
export function rowsById({ statement }: Session, unit: IndexUnit, ids: readonly number[]): readonly OwnOfRow[] {
  const one = statement(`${own(unit)} WHERE id = ?`);
  return ids.flatMap((id) => (one.get(id) as OwnOfRow | undefined) ?? []);
}

/** Number of cached sections: the best ones are read twice for one message, and often again for the next. */
const mostSections = 4000;

/** Reads rows together with the columns of their sections. */
export function openRows({ statement }: Session) {
  const sectionBy = remembering(
    (id) => statement(placedSection).get(Number(id)) as PlacedSection | undefined,
    mostSections,
  );
  const rowsBy = remembering((key): readonly StoredRow[] => {
    const [unit, id] = key.split(" ") as [IndexUnit, string];
    const section = sectionBy(id);
    if (section === undefined) return [];
    const rows = statement(`${own(unit)} WHERE id >= ? AND id < ? ORDER BY id`);
    const found = rows.all(section[`${unit}_from`], section[`${unit}_to`]) as readonly OwnOfRow[];
    return found.map((row) => storedRow(section, row));
  }, mostSections);
  return {
    whole: (rows: Iterable<OwnOfRow>): readonly StoredRow[] =>
      [...rows].flatMap((row) => {
        const section = sectionBy(String(row.section));
        return section === undefined ? [] : storedRow(section, row);
      }),
    /** All rows of each section, in order. */
    ofSections: (unit: IndexUnit, sections: readonly number[]): readonly StoredRow[] =>
      [...new Set(sections)].flatMap((id) => rowsBy(`${unit} ${id}`)),
  };
}

export function rowsAt({ statement }: Session, unit: IndexUnit, places: readonly IndexPlace[]): Iterable<OwnOfRow> {
  // Several sources may share a name.
  const named = statement(
    `SELECT section.${unit}_from AS "from", section.${unit}_to AS "to"
    FROM source JOIN section ON section.id >= source.section_from AND section.id < source.section_to
    WHERE source.name = ? AND section.first <= ? AND section.last >= ? ORDER BY section.id`,
  );
  const rows = statement(`${own(unit)} WHERE id >= ? AND id < ? AND first <= ? AND last >= ? ORDER BY id`);
  const found = new Map<number, OwnOfRow>();
  for (const { source, lines } of places)
    for (const { from, to } of named.all(source, lines[1], lines[0]) as readonly IdRange[])
      for (const row of rows.all(from, to, lines[1], lines[0]) as readonly OwnOfRow[]) found.set(row.id, row);
  return found.values();
}

export function countRows({ statement }: Session, unit: IndexUnit): number {
  const found = statement(`SELECT sum(${unit}_to - ${unit}_from) AS rows FROM source`).get();
  return (found as { readonly rows: number | null }).rows ?? 0;
}

/** Copies field by field, which for thousands of rows is several times as fast as spreading. */
function storedRow(of: PlacedSection, { id, section, first, last, text, weight }: OwnOfRow): StoredRow {
  const { source, kind, level, heading, type, origin, day } = of;
  const [lines, sectionLines] = [[first, last] as const, [of.first, of.last] as const];
  return { id, section, source, kind, level, heading, type, origin, day, text, weight, sectionLines, lines };
}

type TextRow = Omit<IndexedText, "lines"> & Pick<OwnOfRow, "first" | "last">;

/** The stored sections of a source, without vectors. */
export function sectionsOf(session: Session, key: string): readonly IndexedSection[] {
  const sections = session.statement(
    `SELECT section.* FROM source JOIN section ON section.id >= source.section_from AND section.id < source.section_to
    WHERE source.key = ? ORDER BY section.id`,
  );
  const textsOf = (unit: IndexUnit, from: number, to: number): readonly IndexedText[] => {
    const parts = unit === "chunk" ? "parts" : "'' AS parts";
    const sql = `SELECT first, last, weight, text, ${parts} FROM ${unit} WHERE id >= ? AND id < ? ORDER BY id`;
    const rows = session.statement(sql).all(from, to) as readonly TextRow[];
    return rows.map(({ first, last, ...text }) => ({ ...text, lines: [first, last] }));
  };
  const found = sections.all(key) as unknown as readonly SectionRow[];
  return found.map(({ heading, type, origin, day, digest, ...at }) => ({
    heading,
    type,
    origin,
    day,
    digest,
    lines: [at.first, at.last],
    chunks: textsOf("chunk", at.chunk_from, at.chunk_to),
    statements: textsOf("statement", at.statement_from, at.statement_to),
  }));
}
