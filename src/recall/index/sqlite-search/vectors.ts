import { createRows, isBlank } from "../../vectors/int8.ts";
import {
  leastEmbedded,
  recallSources,
  type EmbeddedText,
  type IndexedText,
  type IndexFilter,
  type StatementVector,
  type VectorCounts,
  type VectorTable,
} from "../search-index.ts";
import { isIn, ofSource, passingRanges, type IdRange, type Session } from "./schema.ts";

/** A row of `vector`: the vectors of one source by one embedder. */
interface VectorRow {
  readonly embedder: string;
  readonly dimensions: number;
  /** See `Range`. */
  readonly ids: Uint8Array;
  readonly vectors: Uint8Array;
}

/** Three numbers in `vector.ids`: the first of consecutive statements of one section, how many, and the section. A negative count: their vectors are blank and not in `vectors`. */
interface Range {
  readonly first: number;
  readonly count: number;
  readonly section: number;
}

/** A statement's vector; `undefined` if it is blank. */
interface Embedded {
  readonly section: number;
  readonly vector: Int8Array | undefined;
}

function rangesOf({ ids }: Pick<VectorRow, "ids">): readonly Range[] {
  // The copy is aligned to four bytes.
  const numbers = new Int32Array(ids.slice().buffer);
  const ranges: Range[] = [];
  for (let at = 0; at < numbers.length; at += 3)
    ranges.push({ first: numbers[at] ?? 0, count: numbers[at + 1] ?? 0, section: numbers[at + 2] ?? 0 });
  return ranges;
}

function embeddedOf(row: VectorRow): ReadonlyMap<number, Embedded> {
  const { dimensions, vectors } = row;
  const found = new Map<number, Embedded>();
  let at = 0;
  for (const { first, count, section } of rangesOf(row))
    for (let id = first; id < first + Math.abs(count); id++) {
      if (count < 0) found.set(id, { section, vector: undefined });
      else {
        found.set(id, { section, vector: new Int8Array(vectors.buffer, vectors.byteOffset + at, dimensions) });
        at += dimensions;
      }
    }
  return found;
}

function writeRow(
  session: Session,
  source: number,
  of: { readonly embedder: string; readonly dimensions: number; readonly all: ReadonlyMap<number, Embedded> },
): void {
  const { embedder, dimensions, all } = of;
  const numbers: number[] = [];
  const inOrder = [...all].toSorted(([a], [b]) => a - b);
  const vectors = new Int8Array(inOrder.filter(([, { vector }]) => vector !== undefined).length * dimensions);
  let at = 0;
  for (const [id, { section, vector }] of inOrder) {
    const [first = 0, count = 0, last] = numbers.slice(-3);
    const isNext = last === section && id === first + Math.abs(count) && count > 0 === (vector !== undefined);
    if (isNext) numbers[numbers.length - 2] = count + Math.sign(count);
    else numbers.push(id, vector === undefined ? -1 : 1, section);
    if (vector === undefined) continue;
    vectors.set(vector, at);
    at += dimensions;
  }
  session
    .statement(
      "INSERT OR REPLACE INTO vector (source, embedder, dimensions, done, ids, vectors) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(source, embedder, dimensions, all.size, bytesOf(Int32Array.from(numbers)), bytesOf(vectors));
}

function bytesOf({ buffer }: Int32Array<ArrayBuffer> | Int8Array<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer);
}

/** The length of an embedder's vectors when they were last written. Those of another length are not used. */
function lengthBy({ statement }: Session, embedder: string): number {
  const row = statement("SELECT value FROM meta WHERE name = ?").get(`dimensions ${embedder}`);
  return row === undefined ? -1 : Number((row as { readonly value: string }).value);
}

/** The vectors by an embedder of the statements that pass the filter, by id: one copy for each source. */
export function loadVectors(session: Session, embedder: string, filter: IndexFilter): VectorTable {
  const dimensions = Math.max(0, lengthBy(session, embedder));
  const { where, values } = ofSource(filter);
  const rows = session
    .statement(
      `SELECT vector.ids, vector.vectors FROM vector JOIN source ON source.id = vector.source
      ${where === "" ? "WHERE" : `${where} AND`} vector.embedder = ? AND vector.dimensions = ? ORDER BY vector.source`,
    )
    .all(...values, embedder, dimensions) as unknown as readonly Pick<VectorRow, "ids" | "vectors">[];
  const bytes = rows.reduce((sum, { vectors }) => sum + vectors.length, 0);
  const length = dimensions === 0 ? 0 : bytes / dimensions;
  const [ids, sections, all] = [new Int32Array(length), new Int32Array(length), createRows(length, dimensions)];
  let [row, at] = [0, 0];
  for (const { ids: packed, vectors } of rows) {
    all.set(vectors, at);
    at += vectors.length;
    const numbers = new Int32Array(packed.slice().buffer);
    // Plain loops: this is most of the time until the code is compiled.
    for (let index = 0; index < numbers.length; index += 3) {
      const first = numbers[index] ?? 0;
      const count = Math.max(0, numbers[index + 1] ?? 0);
      sections.fill(numbers[index + 2] ?? 0, row, row + count);
      for (let next = 0; next < count; next++) ids[row + next] = first + next;
      row += count;
    }
  }
  const table = { dimensions, ids, sections, vectors: all };
  const { types, since, until } = filter;
  if (types === undefined && since === undefined && until === undefined) return table;
  return onlyIn(table, passingRanges(session, "statement", filter) ?? []);
}

function onlyIn({ dimensions, ids, sections, vectors }: VectorTable, ranges: readonly IdRange[]): VectorTable {
  const rows = [...ids.keys()].filter((row) => isIn(ranges, ids[row] ?? 0));
  const passing = createRows(rows.length, dimensions);
  rows.forEach((row, at) => passing.set(vectors.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions));
  const only = (numbers: Int32Array): Int32Array => Int32Array.from(rows, (row) => numbers[row] ?? 0);
  return { dimensions, ids: only(ids), sections: only(sections), vectors: passing };
}

/** Sources, each with how many of its statements have a vector by the embedder. */
const sources = `FROM source LEFT JOIN vector ON vector.source = source.id AND vector.embedder = ? AND vector.dimensions = ?`;

export function countVectors(session: Session, embedder: string): VectorCounts {
  const sql = `SELECT sum(source.embeddable) AS statements, sum(vector.done) AS done ${sources}`;
  const found = session.statement(sql).get(embedder, lengthBy(session, embedder));
  const { statements, done } = found as Readonly<Record<"statements" | "done", number | null>>;
  return { statements: statements ?? 0, lacking: (statements ?? 0) - (done ?? 0) };
}

export function lackingVectors(session: Session, embedder: string, limit: number): readonly EmbeddedText[] {
  const sql = `SELECT source.id, source.statement_from, source.statement_to ${sources}
    WHERE source.embeddable > coalesce(vector.done, 0) ORDER BY until = '' DESC, until DESC, key`;
  const length = lengthBy(session, embedder);
  const statements = session.statement(
    "SELECT id, text FROM statement WHERE id >= ? AND id < ? AND weight >= ? ORDER BY id",
  );
  const found: EmbeddedText[] = [];
  for (const row of session.statement(sql).all(embedder, length)) {
    const source = row as Readonly<Record<"id" | "statement_from" | "statement_to", number>>;
    const stored = rowOf(session, source.id);
    const done = stored?.embedder === embedder && stored.dimensions === length ? embeddedOf(stored) : undefined;
    const told = statements.all(source.statement_from, source.statement_to, leastEmbedded);
    for (const { id, text } of told as unknown as readonly EmbeddedText[]) {
      if (found.length === limit) return found;
      if (done?.has(id) !== true) found.push({ id, text });
    }
  }
  return found;
}

function rowOf({ statement }: Session, source: number): VectorRow | undefined {
  return statement("SELECT * FROM vector WHERE source = ?").get(source) as VectorRow | undefined;
}

/** Within the open transaction. Vectors of statements that are no longer there, or have another text, are left out. */
export function putVectors(session: Session, embedder: string, made: readonly StatementVector[]): void {
  const place = session.statement(
    "SELECT statement.text, statement.section, section.source FROM statement JOIN section ON section.id = statement.section WHERE statement.id = ?",
  );
  const bySource = new Map<number, Map<number, Embedded>>();
  const dimensions = made[0]?.vector.length ?? 0;
  for (const { id, text, vector } of made) {
    const found = place.get(id) as
      | { readonly text: string; readonly section: number; readonly source: number }
      | undefined;
    if (found?.text !== text) continue;
    const own = bySource.get(found.source) ?? new Map<number, Embedded>();
    bySource.set(found.source, own.set(id, { section: found.section, vector: isBlank(vector) ? undefined : vector }));
  }
  for (const [source, own] of bySource) {
    const stored = rowOf(session, source);
    const isKept = stored?.embedder === embedder && stored.dimensions === dimensions;
    writeRow(session, source, { embedder, dimensions, all: new Map([...(isKept ? embeddedOf(stored) : []), ...own]) });
  }
  if (made.length > 0)
    session.statement("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(`dimensions ${embedder}`, String(dimensions));
}

/** The vectors of a source by the text of its statements, which may soon be in other lines. */
export interface VectorsByText extends Pick<VectorRow, "embedder" | "dimensions"> {
  readonly vectors: ReadonlyMap<string, Int8Array | undefined>;
}

export function vectorsByText(session: Session, source: number): VectorsByText | undefined {
  const stored = rowOf(session, source);
  if (stored === undefined) return undefined;
  const text = session.statement("SELECT text FROM statement WHERE id = ?");
  const vectors = new Map<string, Int8Array | undefined>();
  for (const [id, { vector }] of embeddedOf(stored))
    vectors.set((text.get(id) as { readonly text: string }).text, vector);
  return { embedder: stored.embedder, dimensions: stored.dimensions, vectors };
}

/** Whether a statement of a source of this kind can have a vector. */
export function isEmbeddable({ kind }: { readonly kind: string }, { weight }: Pick<IndexedText, "weight">): boolean {
  return weight >= leastEmbedded && recallSources.kinds.some((one) => one === kind);
}

/** Gives the statements of a source that was written again the vectors it had. */
export function keepVectors(
  session: Session,
  source: number,
  { embedder, dimensions, vectors }: VectorsByText,
  statements: readonly (EmbeddedText & { readonly section: number })[],
): void {
  const kept = statements.filter(({ text }) => vectors.has(text));
  if (kept.length === 0) return;
  const all = new Map(kept.map(({ id, text, section }) => [id, { section, vector: vectors.get(text) }]));
  writeRow(session, source, { embedder, dimensions, all });
}
