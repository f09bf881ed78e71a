import type { IndexedText, SourceChange, SourceContent } from "../../ports/search-index.ts";
import { removeRows, SegmentWriter, tidySegments } from "./segments.ts";
import type { Session } from "./session.ts";

/** Puts the changes into the open transaction. */
export function applyChanges(session: Session, changes: readonly SourceChange[]): void {
  const old = changes.flatMap((change) => ("restamp" in change ? [] : oldRangesOf(session, change.key)));
  for (const unit of units)
    removeRows(
      session,
      unit,
      old.map((ranges) => [ranges[`${unit}_from`], ranges[`${unit}_to`]]),
    );
  for (const ranges of old) removeSource(session, ranges);
  const put: Put = {
    session,
    next: nextIds(session),
    chunk: new SegmentWriter(session, "chunk"),
    statement: new SegmentWriter(session, "statement"),
  };
  for (const change of changes) {
    if ("restamp" in change)
      session.statement("UPDATE source SET stamp = ? WHERE key = ?").run(change.restamp, change.key);
    else if ("put" in change) putSource(put, change.key, change.put);
  }
  for (const unit of units) {
    put[unit].end();
    tidySegments(session, unit);
  }
}

const units = ["chunk", "statement"] as const;

interface Put {
  readonly session: Session;
  readonly next: NextIds;
  readonly chunk: SegmentWriter;
  readonly statement: SegmentWriter;
}

interface NextIds {
  source: number;
  section: number;
  chunk: number;
  statement: number;
}

/** Ids that a segment still has a place for are not given again. */
function nextIds(session: Session): NextIds {
  const past = (sql: string): number => (session.statement(sql).get() as { readonly past: number | null }).past ?? 1;
  const unused = (unit: string): number => past(`SELECT max(past) AS past FROM segment WHERE unit = '${unit}'`);
  return {
    source: past("SELECT max(id) + 1 AS past FROM source"),
    section: past("SELECT max(id) + 1 AS past FROM section"),
    chunk: unused("chunk"),
    statement: unused("statement"),
  };
}

interface OldRanges {
  readonly id: number;
  readonly section_from: number;
  readonly section_to: number;
  readonly chunk_from: number;
  readonly chunk_to: number;
  readonly statement_from: number;
  readonly statement_to: number;
}

function oldRangesOf(session: Session, key: string): readonly OldRanges[] {
  return session.statement("SELECT * FROM source WHERE key = ?").all(key) as readonly OldRanges[];
}

function removeSource(session: Session, old: OldRanges): void {
  const clear = (table: string, from: number, to: number, id = "id"): void =>
    void session.statement(`DELETE FROM ${table} WHERE ${id} >= ? AND ${id} < ?`).run(from, to);
  clear("section", old.section_from, old.section_to);
  clear("chunk", old.chunk_from, old.chunk_to);
  clear("statement", old.statement_from, old.statement_to);
  for (let id = old.chunk_from; id < old.chunk_to; id++)
    session.statement("DELETE FROM chunk_words WHERE rowid = ?").run(id);
  for (let id = old.statement_from; id < old.statement_to; id++)
    session.statement("DELETE FROM statement_words WHERE rowid = ?").run(id);
  session.statement("DELETE FROM vector WHERE source = ?").run(old.id);
  session.statement("DELETE FROM source WHERE id = ?").run(old.id);
}

function putSource(to: Put, key: string, put: SourceContent): void {
  const { session, next } = to;
  const before = { ...next };
  const ofStatements: number[] = [];
  for (const section of put.sections) {
    const { heading, type, day, lines, chunks, statements } = section;
    const id = next.section++;
    const [chunkFrom, statementFrom] = [next.chunk, next.statement];
    for (const chunk of chunks) putText(to, "chunk", { id: next.chunk++, section: id, text: chunk });
    for (const text of statements) {
      if (text.vector !== undefined) ofStatements.push(next.statement);
      putText(to, "statement", { id: next.statement++, section: id, text });
    }
    session
      .statement("INSERT INTO section VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        id,
        next.source,
        heading,
        type,
        day,
        lines[0],
        lines[1],
        chunkFrom,
        next.chunk,
        statementFrom,
        next.statement,
      );
  }
  const statements = put.sections.flatMap((section) => section.statements);
  putVectors(session, next.source, { ids: ofStatements, of: statements });
  const ranges = [before.section, next.section, before.chunk, next.chunk, before.statement, next.statement];
  session
    .statement("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    .run(next.source++, key, put.name ?? key, put.kind, put.level, put.from, put.to, put.stamp, put.digest, ...ranges);
}

function putText(
  to: Put,
  unit: "chunk" | "statement",
  row: { readonly id: number; readonly section: number; readonly text: IndexedText },
): void {
  const { lines, text, parts, weight } = row.text;
  const { session } = to;
  to[unit].add(row, text, parts);
  session
    .statement(`INSERT INTO ${unit} VALUES (?, ?, ?, ?, ?, ?)`)
    .run(row.id, row.section, lines[0], lines[1], weight, text);
  session.statement(`INSERT INTO ${unit}_words (rowid, text, parts) VALUES (?, ?, ?)`).run(row.id, text, parts);
}

function putVectors(
  session: Session,
  source: number,
  rows: { readonly ids: readonly number[]; readonly of: readonly { readonly vector?: Int8Array }[] },
): void {
  const vectors = rows.of.flatMap(({ vector }) => (vector === undefined ? [] : [vector]));
  const dimensions = vectors[0]?.length ?? 0;
  if (dimensions === 0) return;
  const all = new Int8Array(vectors.length * dimensions);
  vectors.forEach((vector, index) => all.set(vector, index * dimensions));
  const ids = new Uint8Array(Int32Array.from(rows.ids).buffer);
  session.statement("INSERT INTO vector VALUES (?, ?, ?, ?)").run(source, dimensions, ids, new Uint8Array(all.buffer));
}
