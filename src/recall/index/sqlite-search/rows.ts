import type { IndexPlace, IndexUnit, StoredRow, IndexedSection, IndexedText } from "../search-index.ts";
import type { IdRange, Session, SectionColumns } from "./schema.ts";

const own = (unit: IndexUnit): string => `SELECT id, section, first, last, text, weight FROM ${unit}`;

export function rowsOf(
  session: Session,
  held: HeldRows,
  unit: IndexUnit,
  ids: readonly number[],
): readonly StoredRow[] {
  if (unit === "chunk") return whole(session, held, held.chunks(session, ids));
  const one = session.statement(`${own(unit)} WHERE id = ?`);
  const rows = ids.flatMap((id) => (one.get(id) as OwnOfRow | undefined) ?? []);
  return whole(session, held, rows);
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
  unit: IndexUnit,
  sections: readonly number[],
): readonly StoredRow[] {
  return [...new Set(sections)].flatMap((id) => held.ofSection(session, unit, id));
}

export function rowsAt(
  session: Session,
  held: HeldRows,
  unit: IndexUnit,
  places: readonly IndexPlace[],
): readonly StoredRow[] {
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

interface SectionFacts {
  /** What its rows have in common. */
  readonly shared: Omit<StoredRow, keyof OwnOfRow | "lines"> & Pick<StoredRow, "section">;
  /** Ids `[from, to)` of its rows. */
  readonly ids: Readonly<Record<IndexUnit, readonly [from: number, to: number]>>;
}

/** What a row has of its own. */
export interface OwnOfRow {
  readonly id: number;
  readonly section: number;
  readonly first: number;
  readonly last: number;
  readonly text: string;
  readonly weight: number;
}

/** Letters of texts that are held, at most: 16 MB of the alphabet. */
const mostLetters = 16_000_000;

/** Rows that were read, held while nothing is written: the best chunks are ranked and then handed over, the best sections are read twice. */
export class HeldRows {
  readonly #sections = new Map<number, SectionFacts | undefined>();
  readonly #chunks = new Map<number, OwnOfRow>();
  readonly #bySection = new Map<string, readonly StoredRow[]>();
  #letters = 0;

  section(session: Session, id: number): SectionFacts | undefined {
    if (this.#sections.has(id)) return this.#sections.get(id);
    const found = session.statement(sectionFacts).get(id) as SectionRow | undefined;
    const facts = found === undefined ? undefined : factsOf(found);
    this.#sections.set(id, facts);
    return facts;
  }

  /** Chunks in any order; those that are no more are left out. */
  chunks(session: Session, ids: readonly number[]): readonly OwnOfRow[] {
    this.#makeRoom();
    const missing = ids.filter((id) => !this.#chunks.has(id));
    if (missing.length > 0) {
      const read = session
        .statement(`${own("chunk")} WHERE id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(missing)) as readonly OwnOfRow[];
      for (const row of read) {
        this.#chunks.set(row.id, row);
        this.#letters += row.text.length;
      }
    }
    return ids.flatMap((id) => this.#chunks.get(id) ?? []);
  }

  /** All rows of a section, in the order of their place. */
  ofSection(session: Session, unit: IndexUnit, id: number): readonly StoredRow[] {
    const key = `${unit} ${id}`;
    const known = this.#bySection.get(key);
    if (known !== undefined) return known;
    this.#makeRoom();
    const rows = readSection(session, unit, this.section(session, id));
    this.#bySection.set(key, rows);
    for (const { text } of rows) this.#letters += text.length;
    return rows;
  }

  #makeRoom(): void {
    if (this.#letters <= mostLetters) return;
    this.#chunks.clear();
    this.#bySection.clear();
    this.#letters = 0;
  }
}

/** Field by field: for thousands of rows that is several times as fast as spreading both. */
function storedRow({ shared }: SectionFacts, { id, first, last, text, weight }: OwnOfRow): StoredRow {
  const { section, source, kind, level, heading, type, origin, day, sectionLines } = shared;
  const lines = [first, last] as const;
  return { id, section, source, kind, level, heading, type, origin, day, text, weight, sectionLines, lines };
}

function readSection(session: Session, unit: IndexUnit, shared: SectionFacts | undefined): readonly StoredRow[] {
  if (shared === undefined) return [];
  const rows = session.statement(`${own(unit)} WHERE id >= ? AND id < ? ORDER BY id`);
  return (rows.all(...shared.ids[unit]) as readonly OwnOfRow[]).map((row) => storedRow(shared, row));
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

interface TextRow extends Omit<IndexedText, "lines"> {
  readonly first: number;
  readonly last: number;
}

/** What was written of a source, without vectors. */
export function sectionsOf(session: Session, key: string): readonly IndexedSection[] {
  const sections = session.statement(
    `SELECT section.* FROM source JOIN section ON section.id >= source.section_from AND section.id < source.section_to
    WHERE source.key = ? ORDER BY section.id`,
  );
  const chunks = session.statement(
    "SELECT first, last, weight, text, parts FROM chunk WHERE id >= ? AND id < ? ORDER BY id",
  );
  const statements = session.statement(
    "SELECT first, last, weight, text, '' AS parts FROM statement WHERE id >= ? AND id < ? ORDER BY id",
  );
  return (sections.all(key) as unknown as readonly IndexedRow[]).map((row) => ({
    heading: row.heading,
    type: row.type,
    origin: row.origin,
    day: row.day,
    lines: [row.first, row.last],
    chunks: textsOf(chunks.all(row.chunk_from, row.chunk_to)),
    statements: textsOf(statements.all(row.statement_from, row.statement_to)),
    digest: row.digest,
  }));
}

function textsOf(rows: readonly unknown[]): readonly IndexedText[] {
  return (rows as readonly TextRow[]).map(({ first, last, weight, text, parts }) => {
    return { lines: [first, last], text, parts, weight };
  });
}
