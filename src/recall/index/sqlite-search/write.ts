import type { SqliteStatement } from "../../../platform/sqlite.ts";
import type { IndexedText, SourceChange, SourceContent } from "../search-index.ts";
import type { Session } from "./schema.ts";
import { isEmbeddable, keepVectors, keptVectors, type KeptVectors } from "./vectors.ts";

/** Applies the changes within the open transaction. */
export function applyChanges(session: Session, changes: readonly SourceChange[]): void {
  const source = session.statement("SELECT * FROM source WHERE key = ?");
  const old = changes.flatMap((change) =>
    "restamp" in change ? [] : (source.all(change.key) as readonly OldRanges[]),
  );
  const put = new Set(changes.flatMap((change) => ("put" in change ? [change.key] : [])));
  const vectors = new Map(
    old.map(({ id, key, section_from: from, section_to: to }) => {
      return [key, put.has(key) ? keptVectors(session, id, { from, to }) : undefined];
    }),
  );
  for (const ranges of old) removeSource(session, ranges);
  const next = session
    .statement(
      `SELECT coalesce(max(id), 0) + 1 AS source, coalesce(max(section_to), 1) AS section, coalesce(max(chunk_to), 1) AS chunk,
        coalesce(max(statement_to), 1) AS statement FROM source`,
    )
    .get() as NextIds;
  for (const change of changes) {
    if ("restamp" in change)
      session.statement("UPDATE source SET stamp = ? WHERE key = ?").run(change.restamp, change.key);
    else if ("put" in change) putSource({ session, next, vectors: vectors.get(change.key) }, change.key, change.put);
  }
}

type NextIds = Record<"source" | "section" | "chunk" | "statement", number>;

type OldRanges = Readonly<Record<"id" | `${"section" | "chunk" | "statement"}_${"from" | "to"}`, number>> & {
  readonly key: string;
};

type ChunkRow = Pick<IndexedText, "text" | "parts"> & { readonly id: number };

function removeSource(session: Session, old: OldRanges): void {
  const clear = (table: string, from: number, to: number): void =>
    void session.statement(`DELETE FROM ${table} WHERE id >= ? AND id < ?`).run(from, to);
  const chunks = session.statement("SELECT id, text, parts FROM chunk WHERE id >= ? AND id < ?");
  for (const { id, text, parts } of chunks.all(old.chunk_from, old.chunk_to) as readonly ChunkRow[])
    session.statement(deleteWords).run(id, text, parts);
  clear("section", old.section_from, old.section_to);
  clear("chunk", old.chunk_from, old.chunk_to);
  clear("statement", old.statement_from, old.statement_to);
  session.statement("DELETE FROM vector WHERE source = ?").run(old.id);
  session.statement("DELETE FROM source WHERE id = ?").run(old.id);
}

function putSource(
  given: { readonly session: Session; readonly next: NextIds; readonly vectors: KeptVectors | undefined },
  key: string,
  put: SourceContent,
): void {
  const { session, next, vectors } = given;
  const into = (table: string, columns: number): SqliteStatement =>
    session.statement(`INSERT INTO ${table} VALUES (${Array.from({ length: columns }, () => "?").join(", ")})`);
  const [ofChunk, ofStatement, ofSection] = [into("chunk", 7), into("statement", 6), into("section", 13)];
  const before = { ...next };
  const sizes: number[] = [];
  let [letters, embeddable] = [0, 0];
  for (const { heading, type, origin, day, lines, chunks, statements, digest } of put.sections) {
    const id = next.section++;
    const [chunkFrom, statementFrom] = [next.chunk, next.statement];
    for (const { lines: at, text, parts, weight } of chunks) {
      ofChunk.run(next.chunk, id, ...at, weight, text, parts);
      session.statement(insertWords).run(next.chunk++, text, parts);
      letters += text.length;
    }
    for (const { lines: at, text, weight } of statements) {
      if (isEmbeddable(put, { weight })) embeddable += 1;
      ofStatement.run(next.statement++, id, ...at, weight, text);
    }
    const rows = [chunkFrom, next.chunk, statementFrom, next.statement];
    sizes.push(next.chunk - chunkFrom);
    ofSection.run(id, next.source, heading, type, origin, day, ...lines, ...rows, digest);
  }
  if (vectors !== undefined) keepVectors(session, next.source, vectors, { from: before.section, to: next.section });
  const { name = key, kind, level, from, to, stamp, digest, secrets = "" } = put;
  const ranges = [
    before.section,
    next.section,
    before.chunk,
    next.chunk,
    before.statement,
    next.statement,
    letters,
    JSON.stringify(sizes),
    embeddable,
    secrets,
  ];
  into("source", 19).run(next.source++, key, name, kind, level, from, to, stamp, digest, ...ranges);
}

const insertWords = "INSERT INTO chunk_words (rowid, text, parts) VALUES (?, ?, ?)";
/** A contentless FTS5 table needs the original texts to delete a row. */
const deleteWords = "INSERT INTO chunk_words (chunk_words, rowid, text, parts) VALUES ('delete', ?, ?, ?)";

/**
 * Merges the whole FTS5 index into one segment on a higher level. Each write adds a segment on the lowest level, and FTS5 merges four segments of a level into
 * one on the next level, so it takes hundreds of small writes before this segment is merged again. A segment moves up only when merged, so a word is added and
 * deleted again to give it something to merge with.
 */
export function settle(session: Session): void {
  const command = (name: string): void =>
    void session.statement("INSERT INTO chunk_words (chunk_words) VALUES (?)").run(name);
  const found = session.statement("SELECT max(chunk_to) AS past FROM source").get();
  const word = [(found as { readonly past: number | null }).past ?? 1, "settled", ""] as const;
  for (let times = 0; times < rises; times++) {
    session.statement(insertWords).run(...word);
    command("flush");
    session.statement(deleteWords).run(...word);
    command("optimize");
  }
}

/** The first merge moves the segment to the first level, the second to the third. */
const rises = 2;
