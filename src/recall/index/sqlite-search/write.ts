import type { IndexedText, SourceChange, SourceContent } from "../search-index.ts";
import type { Session } from "./schema.ts";

/** Puts the changes into the open transaction. */
export function applyChanges(session: Session, changes: readonly SourceChange[]): void {
  const source = session.statement("SELECT * FROM source WHERE key = ?");
  const old = changes.flatMap((change) =>
    "restamp" in change ? [] : (source.all(change.key) as readonly OldRanges[]),
  );
  for (const ranges of old) removeSource(session, ranges);
  const put: Put = { session, next: nextIds(session) };
  for (const change of changes) {
    if ("restamp" in change)
      session.statement("UPDATE source SET stamp = ? WHERE key = ?").run(change.restamp, change.key);
    else if ("put" in change) putSource(put, change.key, change.put);
  }
}

type NextIds = Record<"source" | "section" | "chunk" | "statement", number>;

interface Put {
  readonly session: Session;
  readonly next: NextIds;
}

function nextIds(session: Session): NextIds {
  const { source, section, chunk, statement } = session
    .statement(
      `SELECT max(id) + 1 AS source, max(section_to) AS section, max(chunk_to) AS chunk, max(statement_to) AS statement
      FROM source`,
    )
    .get() as Readonly<Record<keyof NextIds, number | null>>;
  return { source: source ?? 1, section: section ?? 1, chunk: chunk ?? 1, statement: statement ?? 1 };
}

type OldRanges = Readonly<Record<"id" | `${"section" | "chunk" | "statement"}_${"from" | "to"}`, number>>;

function removeSource(session: Session, old: OldRanges): void {
  const clear = (table: string, from: number, to: number): void =>
    void session.statement(`DELETE FROM ${table} WHERE id >= ? AND id < ?`).run(from, to);
  const chunks = session.statement("SELECT id, text, parts FROM chunk WHERE id >= ? AND id < ?");
  for (const { id, text, parts } of chunks.all(old.chunk_from, old.chunk_to) as readonly ({
    readonly id: number;
  } & IndexedText)[])
    session.statement(deleteWords).run(id, text, parts);
  clear("section", old.section_from, old.section_to);
  clear("chunk", old.chunk_from, old.chunk_to);
  clear("statement", old.statement_from, old.statement_to);
  session.statement("DELETE FROM vector WHERE source = ?").run(old.id);
  session.statement("DELETE FROM source WHERE id = ?").run(old.id);
}

function putSource(to: Put, key: string, put: SourceContent): void {
  const { session, next } = to;
  const before = { ...next };
  const ofStatements: number[] = [];
  for (const section of put.sections) {
    const { heading, type, origin, day, lines, chunks, statements, digest } = section;
    const id = next.section++;
    const [chunkFrom, statementFrom] = [next.chunk, next.statement];
    for (const chunk of chunks) putText(to, "chunk", { id: next.chunk++, section: id, text: chunk });
    for (const text of statements) {
      if (text.vector !== undefined) ofStatements.push(next.statement);
      putText(to, "statement", { id: next.statement++, section: id, text });
    }
    session
      .statement("INSERT INTO section VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        id,
        next.source,
        heading,
        type,
        origin,
        day,
        ...lines,
        chunkFrom,
        next.chunk,
        statementFrom,
        next.statement,
        digest,
      );
  }
  const statements = put.sections.flatMap((section) => section.statements);
  putVectors(session, next.source, { ids: ofStatements, of: statements });
  const letters = put.sections.reduce((sum, { chunks }) => chunks.reduce((all, { text }) => all + text.length, sum), 0);
  const ranges = [before.section, next.section, before.chunk, next.chunk, before.statement, next.statement, letters];
  session
    .statement("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    .run(next.source++, key, put.name ?? key, put.kind, put.level, put.from, put.to, put.stamp, put.digest, ...ranges);
}

function putText(
  to: Put,
  unit: "chunk" | "statement",
  row: { readonly id: number; readonly section: number; readonly text: IndexedText },
): void {
  const { lines, text, parts, weight } = row.text;
  const { session } = to;
  const own = [row.id, row.section, lines[0], lines[1], weight, text] as const;
  if (unit === "statement") session.statement("INSERT INTO statement VALUES (?, ?, ?, ?, ?, ?)").run(...own);
  else {
    session.statement("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)").run(...own, parts);
    session.statement(insertWords).run(row.id, text, parts);
  }
}

const insertWords = "INSERT INTO chunk_words (rowid, text, parts) VALUES (?, ?, ?)";
/** A table without content needs to be given its texts again. */
const deleteWords = "INSERT INTO chunk_words (chunk_words, rowid, text, parts) VALUES ('delete', ?, ?, ?)";

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

/**
 * FTS5 keeps what each write leaves as a segment on the lowest level, and joins four of a level to one of the next. All that there is becomes one segment on a level
 * that small writes reach after hundreds of them. It rises only when it is joined with another, so it gets one of a single word, which is gone again.
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

/** To the first level, and from there to the third. */
const rises = 2;
