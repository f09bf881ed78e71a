import type { IndexPlace, IndexUnit, StoredRow, IndexedSection, IndexedText } from "../search-index.ts";
import { remembering } from "../../../base/lines.ts";
import type { IdRange, Session, SectionColumns } from "./schema.ts";

const own = (unit: IndexUnit): string => `SELECT id, section, first, last, text, weight FROM ${unit}`;

/** What a row has of its own. */
export interface OwnOfRow extends Pick<StoredRow, "id" | "section" | "text" | "weight"> {
  readonly first: number;
  readonly last: number;
}

interface SectionFacts {
  /** What its rows have in common. */
  readonly shared: Omit<StoredRow, keyof OwnOfRow | "lines"> & Pick<StoredRow, "section">;
  /** Ids `[from, to)` of its rows. */
  readonly ids: Readonly<Record<IndexUnit, readonly [from: number, to: number]>>;
}

/** Those that are gone are left out. */
export function rowsById({ statement }: Session, unit: IndexUnit, ids: readonly number[]): readonly OwnOfRow[] {
  const one = statement(`${own(unit)} WHERE id = ?`);
  return ids.flatMap((id) => (one.get(id) as OwnOfRow | undefined) ?? []);
}

/** Sections that are kept once read: the best ones are read twice for one message, and often for the next one. */
const mostSections = 4000;

/** Rows of an index with what they have of their sections. */
export function openRows({ statement }: Session) {
  const factsBy = remembering((id) => {
    const found = statement(sectionFacts).get(Number(id)) as SectionRow | undefined;
    return found === undefined ? undefined : factsOf(found);
  }, mostSections);
  const rowsBy = remembering((key): readonly StoredRow[] => {
    const [unit, id] = key.split(" ") as [IndexUnit, string];
    const facts = factsBy(id);
    if (facts === undefined) return [];
    const rows = statement(`${own(unit)} WHERE id >= ? AND id < ? ORDER BY id`);
    return (rows.all(...facts.ids[unit]) as readonly OwnOfRow[]).map((row) => storedRow(facts, row));
  }, mostSections);
  return {
    whole: (rows: Iterable<OwnOfRow>): readonly StoredRow[] =>
      [...rows].flatMap((row) => {
        const facts = factsBy(String(row.section));
        return facts === undefined ? [] : [storedRow(facts, row)];
      }),
    /** All rows of each section, in the order of their place. */
    ofSections: (unit: IndexUnit, sections: readonly number[]): readonly StoredRow[] =>
      [...new Set(sections)].flatMap((id) => rowsBy(`${unit} ${id}`)),
  };
}

export function rowsAt({ statement }: Session, unit: IndexUnit, places: readonly IndexPlace[]): Iterable<OwnOfRow> {
  // Several sources may have one name.
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

/** Field by field: for thousands of rows that is several times as fast as spreading both. */
function storedRow({ shared }: SectionFacts, { id, first, last, text, weight }: OwnOfRow): StoredRow {
  const { section, source, kind, level, heading, type, origin, day, sectionLines } = shared;
  const lines = [first, last] as const;
  return { id, section, source, kind, level, heading, type, origin, day, text, weight, sectionLines, lines };
}

const sectionFacts = `
SELECT section.id AS section, source.name AS source, source.kind, source.level, section.heading, section.type, section.origin, section.day,
  section.first, section.last, section.chunk_from, section.chunk_to, section.statement_from, section.statement_to
FROM section JOIN source ON source.id = section.source WHERE section.id = ?`;

type SectionRow = Omit<SectionFacts["shared"], "sectionLines"> & SectionColumns;

function factsOf(found: SectionRow): SectionFacts {
  const { first, last, chunk_from, chunk_to, statement_from, statement_to, ...shared } = found;
  return {
    shared: { ...shared, sectionLines: [first, last] },
    ids: { chunk: [chunk_from, chunk_to], statement: [statement_from, statement_to] },
  };
}

type IndexedRow = Omit<IndexedSection, "lines" | "chunks" | "statements"> & SectionColumns;
type TextRow = Omit<IndexedText, "lines"> & Pick<OwnOfRow, "first" | "last">;

/** What was written of a source, without vectors. */
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
  return (sections.all(key) as unknown as readonly IndexedRow[]).map((row) => ({
    heading: row.heading,
    type: row.type,
    origin: row.origin,
    day: row.day,
    lines: [row.first, row.last],
    chunks: textsOf("chunk", row.chunk_from, row.chunk_to),
    statements: textsOf("statement", row.statement_from, row.statement_to),
    digest: row.digest,
  }));
}
