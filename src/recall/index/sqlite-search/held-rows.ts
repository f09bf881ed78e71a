import type { IndexUnit, StoredRow } from "../search-index.ts";
import type { SectionColumns } from "./schema.ts";
import type { Session } from "./session.ts";

/** What the rows of a section have in common. */
export interface SharedOfRows extends Pick<
  StoredRow,
  "section" | "source" | "kind" | "level" | "heading" | "type" | "origin" | "day" | "sectionLines"
> {
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
  readonly #sections = new Map<number, SharedOfRows | undefined>();
  readonly #chunks = new Map<number, OwnOfRow>();
  readonly #bySection = new Map<string, readonly StoredRow[]>();
  #letters = 0;

  section(session: Session, id: number): SharedOfRows | undefined {
    if (this.#sections.has(id)) return this.#sections.get(id);
    const found = session.statement(sharedRows).get(id) as SharedRow | undefined;
    const shared = found === undefined ? undefined : sharedOf(found);
    this.#sections.set(id, shared);
    return shared;
  }

  /** Chunks in any order; those that are no more are left out. */
  chunks(session: Session, ids: readonly number[]): readonly OwnOfRow[] {
    this.#makeRoom();
    const missing = ids.filter((id) => !this.#chunks.has(id));
    if (missing.length > 0) {
      const read = session.statement(ownRows).all(JSON.stringify(missing)) as readonly OwnOfRow[];
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

export function storedRow(shared: SharedOfRows, { id, first, last, text, weight }: OwnOfRow): StoredRow {
  const { section, source, kind, level, heading, type, origin, day, sectionLines } = shared;
  return {
    id,
    section,
    source,
    kind,
    level,
    heading,
    type,
    origin,
    day,
    text,
    weight,
    sectionLines,
    lines: [first, last],
  };
}

function readSection(session: Session, unit: IndexUnit, shared: SharedOfRows | undefined): readonly StoredRow[] {
  if (shared === undefined) return [];
  const rows = session.statement(
    `SELECT id, section, first, last, text, weight FROM ${unit} WHERE id >= ? AND id < ? ORDER BY id`,
  );
  const own = rows.all(...shared.ids[unit]) as readonly OwnOfRow[];
  return own.map((row) => storedRow(shared, row));
}

const ownRows = "SELECT id, section, first, last, text, weight FROM chunk WHERE id IN (SELECT value FROM json_each(?))";

const sharedRows = `
SELECT section.id AS section, source.name AS source, source.kind, source.level, section.heading, section.type, section.origin, section.day,
  section.first, section.last, section.chunk_from, section.chunk_to, section.statement_from, section.statement_to
FROM section JOIN source ON source.id = section.source WHERE section.id = ?`;

type SharedRow = Omit<SharedOfRows, "sectionLines" | "ids"> & SectionColumns;

function sharedOf(found: SharedRow): SharedOfRows {
  const { section, source, kind, level, heading, type, origin, day } = found;
  return {
    section,
    source,
    kind,
    level,
    heading,
    type,
    origin,
    day,
    sectionLines: [found.first, found.last],
    ids: {
      chunk: [found.chunk_from, found.chunk_to],
      statement: [found.statement_from, found.statement_to],
    },
  };
}
