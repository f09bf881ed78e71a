import type { IndexedSection, IndexedText } from "../search-index.ts";
import type { SectionColumns } from "./schema.ts";
import type { Session } from "./session.ts";

type SectionRow = Omit<IndexedSection, "lines" | "chunks" | "statements"> & SectionColumns;

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
  return (sections.all(key) as unknown as readonly SectionRow[]).map((row) => ({
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
