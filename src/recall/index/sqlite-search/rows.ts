import type { IndexPlace, IndexUnit, StoredRow, IndexedSection, IndexedText } from "../search-index.ts";
import type { IdRange, Session } from "./schema.ts";

const columns = ["id", "section", "first", "last", "text", "weight"];
const own = (unit: IndexUnit): string => `SELECT ${columns.join(", ")} FROM ${unit}`;
const ownOf = (unit: IndexUnit): string => columns.map((name) => `${unit}.${name}`).join(", ");

/** The columns of a row itself, without those of its section. */
export interface OwnOfRow extends Pick<StoredRow, "id" | "section" | "text" | "weight"> {
  readonly first: number;
  readonly last: number;
}

/** A stored section: its lines, and the ids `[from, to)` of its rows. */
interface SectionRow extends Omit<IndexedSection, "lines" | "chunks" | "statements"> {
  readonly id: number;
  readonly first: number;
  readonly last: number;
  readonly chunk_from: number;
  readonly chunk_to: number;
  readonly statement_from: number;
  readonly statement_to: number;
}

/** A section with columns from its source. */
interface PlacedSection extends SectionRow, Pick<StoredRow, "source" | "kind" | "level"> {}

/** All of these ids in one statement, in their order: read one by one, rows take five times as long. */
const among = "FROM json_each(?) AS wanted CROSS JOIN";
const inOrder = "ORDER BY wanted.key";

const placedSections = `SELECT section.*, source.name AS source, source.kind, source.level
  ${among} section ON section.id = wanted.value CROSS JOIN source ON source.id = section.source ${inOrder}`;

/** Rows that no longer exist are left out. */
export function rowsById({ statement }: Session, unit: IndexUnit, ids: readonly number[]): readonly OwnOfRow[] {
  const sql = `SELECT ${ownOf(unit)} ${among} ${unit} ON ${unit}.id = wanted.value ${inOrder}`;
  return statement(sql).all(JSON.stringify(ids)) as readonly OwnOfRow[];
}

/** Number of cached sections: the best ones are read twice for one message, and often again for the next. */
const mostSections = 4000;

/** Reads rows together with the columns of their sections. */
export function openRows({ statement }: Session) {
  const sectionsIn = cached(mostSections, (ids) => {
    const found = statement(placedSections).all(JSON.stringify(ids)) as unknown as readonly PlacedSection[];
    return new Map(found.map((section) => [section.id, section]));
  });
  const rowsIn = (unit: IndexUnit) =>
    cached(mostSections, (ids) => {
      const sections = sectionsIn(ids);
      const sql = `SELECT ${ownOf(unit)} ${among} section ON section.id = wanted.value
        CROSS JOIN ${unit} ON ${unit}.id >= section.${unit}_from AND ${unit}.id < section.${unit}_to ORDER BY wanted.key, ${unit}.id`;
      const found = statement(sql).all(JSON.stringify(ids)) as readonly OwnOfRow[];
      return Map.groupBy(
        found.flatMap((row) => storedRow(sections.get(row.section), row)),
        ({ section }) => section,
      );
    });
  const all = { chunk: rowsIn("chunk"), statement: rowsIn("statement") };
  return {
    whole: (rows: Iterable<OwnOfRow>): readonly StoredRow[] => {
      const list = [...rows];
      const sections = sectionsIn(list.map(({ section }) => section));
      return list.flatMap((row) => storedRow(sections.get(row.section), row));
    },
    /** All rows of each section, in order. */
    ofSections: (unit: IndexUnit, sections: readonly number[]): readonly StoredRow[] => {
      const rows = all[unit](sections);
      return [...new Set(sections)].flatMap((id) => rows.get(id) ?? []);
    },
  };
}

/** Reads what is not cached yet, all at once. The result has at least these ids, if they exist. */
function cached<T>(most: number, read: (ids: readonly number[]) => ReadonlyMap<number, T>) {
  let known = new Map<number, T | undefined>();
  return (ids: readonly number[]): ReadonlyMap<number, T | undefined> => {
    if (known.size > most) known = new Map();
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    if (missing.length === 0) return known;
    const found = read(missing);
    for (const id of missing) known.set(id, found.get(id));
    return known;
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

/** None for a row without a section. Copies field by field, which for thousands of rows is several times as fast as spreading. */
function storedRow(
  of: PlacedSection | undefined,
  { id, section, first, last, text, weight }: OwnOfRow,
): StoredRow | readonly never[] {
  if (of === undefined) return [];
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
