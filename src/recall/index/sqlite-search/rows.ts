import type { IndexPlace, IndexUnit, StoredRow, IndexedSection, IndexedText } from "../search-index.ts";
import type { IdRange, Session, SectionColumns } from "./schema.ts";

const own = (unit: IndexUnit): string => `SELECT id, section, first, last, text, weight FROM ${unit}`;

/** What a row has of its own. */
export interface OwnOfRow {
  readonly id: number;
  readonly section: number;
  readonly first: number;
  readonly last: number;
  readonly text: string;
  readonly weight: number;
}

interface SectionFacts {
  /** What its rows have in common. */
  readonly shared: Omit<StoredRow, keyof OwnOfRow | "lines"> & Pick<StoredRow, "section">;
  /** Ids `[from, to)` of its rows. */
  readonly ids: Readonly<Record<IndexUnit, readonly [from: number, to: number]>>;
}

/** Letters of texts that are kept, at most: 16 MB of the alphabet. */
const mostLetters = 16_000_000;

/** Rows of an index, kept once read: the best chunks are ranked and then returned, the best sections are read twice. */
export class Rows {
  readonly #session: Session;
  readonly #sections = new Map<number, SectionFacts | undefined>();
  readonly #chunks = new Map<number, OwnOfRow>();
  readonly #bySection = new Map<string, readonly StoredRow[]>();
  #letters = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  byId(unit: IndexUnit, ids: readonly number[]): readonly StoredRow[] {
    if (unit === "chunk") return this.#whole(this.chunks(ids));
    const one = this.#session.statement(`${own(unit)} WHERE id = ?`);
    return this.#whole(ids.flatMap((id) => (one.get(id) as OwnOfRow | undefined) ?? []));
  }

  /** All rows of each section, in the order of their place. */
  ofSections(unit: IndexUnit, sections: readonly number[]): readonly StoredRow[] {
    return [...new Set(sections)].flatMap((id) => {
      const key = `${unit} ${id}`;
      const known = this.#bySection.get(key);
      if (known !== undefined) return known;
      this.#makeRoom();
      const rows = this.#readSection(unit, id);
      this.#bySection.set(key, rows);
      for (const { text } of rows) this.#letters += text.length;
      return rows;
    });
  }

  at(unit: IndexUnit, places: readonly IndexPlace[]): readonly StoredRow[] {
    // Several sources may have one name.
    const named = this.#session.statement(
      `SELECT section.${unit}_from AS "from", section.${unit}_to AS "to"
      FROM source JOIN section ON section.id >= source.section_from AND section.id < source.section_to
      WHERE source.name = ? AND section.first <= ? AND section.last >= ? ORDER BY section.id`,
    );
    const rows = this.#session.statement(
      `${own(unit)} WHERE id >= ? AND id < ? AND first <= ? AND last >= ? ORDER BY id`,
    );
    const found = new Map<number, OwnOfRow>();
    for (const { source, lines } of places)
      for (const { from, to } of named.all(source, lines[1], lines[0]) as unknown as readonly IdRange[])
        for (const row of rows.all(from, to, lines[1], lines[0]) as readonly OwnOfRow[]) found.set(row.id, row);
    return this.#whole([...found.values()]);
  }

  /** Chunks in any order; those that are gone are left out. */
  chunks(ids: readonly number[]): readonly OwnOfRow[] {
    this.#makeRoom();
    const missing = ids.filter((id) => !this.#chunks.has(id));
    if (missing.length > 0) {
      const read = this.#session.statement(`${own("chunk")} WHERE id IN (SELECT value FROM json_each(?))`);
      for (const row of read.all(JSON.stringify(missing)) as readonly OwnOfRow[]) {
        this.#chunks.set(row.id, row);
        this.#letters += row.text.length;
      }
    }
    return ids.flatMap((id) => this.#chunks.get(id) ?? []);
  }

  count(unit: IndexUnit): number {
    const found = this.#session.statement(`SELECT sum(${unit}_to - ${unit}_from) AS rows FROM source`).get();
    return (found as { readonly rows: number | null }).rows ?? 0;
  }

  #whole(rows: readonly OwnOfRow[]): readonly StoredRow[] {
    return rows.flatMap((row) => {
      const facts = this.#section(row.section);
      return facts === undefined ? [] : [storedRow(facts, row)];
    });
  }

  #section(id: number): SectionFacts | undefined {
    if (!this.#sections.has(id)) {
      const found = this.#session.statement(sectionFacts).get(id) as SectionRow | undefined;
      this.#sections.set(id, found === undefined ? undefined : factsOf(found));
    }
    return this.#sections.get(id);
  }

  #readSection(unit: IndexUnit, id: number): readonly StoredRow[] {
    const facts = this.#section(id);
    if (facts === undefined) return [];
    const rows = this.#session.statement(`${own(unit)} WHERE id >= ? AND id < ? ORDER BY id`);
    return (rows.all(...facts.ids[unit]) as readonly OwnOfRow[]).map((row) => storedRow(facts, row));
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
