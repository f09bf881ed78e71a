import { contextsOf } from "../../passages/sections.ts";
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
  const sum = "SELECT sum(done) FROM vector WHERE embedder = ? AND dimensions = ?";
  const sql = `SELECT sum(embeddable) AS statements, (${sum}) AS done FROM source`;
  const found = session.statement(sql).get(embedder, lengthBy(session, embedder));
  const { statements, done } = found as Readonly<Record<"statements" | "done", number | null>>;
  return { statements: statements ?? 0, lacking: (statements ?? 0) - (done ?? 0) };
}

export function lackingVectors(
  session: Session,
  embedder: string,
  { limit, others }: { readonly limit: number; readonly others: "kept" | undefined },
): readonly EmbeddedText[] {
  const sql = `SELECT source.id, source.section_from AS "from", source.section_to AS "to" ${sources}
    WHERE source.embeddable > coalesce(vector.done, 0) ORDER BY until = '' DESC, until DESC, key`;
  const length = lengthBy(session, embedder);
  const found: EmbeddedText[] = [];
  for (const row of session.statement(sql).all(embedder, length)) {
    const source = row as unknown as IdRange & { readonly id: number };
    const stored = rowOf(session, source.id);
    if (others === "kept" && stored !== undefined && stored.embedder !== embedder) continue;
    const done = stored?.embedder === embedder && stored.dimensions === length ? embeddedOf(stored) : undefined;
    for (const { id, text, line, around, weight } of statementsIn(session, source)) {
      if (found.length === limit) return found;
      if (weight >= leastEmbedded && done?.has(id) !== true) found.push({ id, text, line, around });
    }
  }
  return found;
}

interface StatementIn extends EmbeddedText {
  readonly section: number;
  readonly weight: number;
}

/** The statements in sections `[from, to)`, in order, with their contexts. */
function statementsIn(session: Session, { from, to }: IdRange): readonly StatementIn[] {
  const rows = session
    .statement(
      `SELECT statement.id, statement.section, statement.first, statement.text, statement.weight, section.heading
      FROM section JOIN statement ON statement.id >= section.statement_from AND statement.id < section.statement_to
      WHERE section.id >= ? AND section.id < ? ORDER BY statement.id`,
    )
    .all(from, to) as unknown as readonly (Omit<StatementIn, "line" | "around"> & {
    readonly first: number;
    readonly heading: string;
  })[];
  return [...Map.groupBy(rows, ({ section }) => section).values()].flatMap((own) => {
    const told = own.map(({ first, text }) => ({ lines: [first, first] as const, text }));
    const contexts = contextsOf(own[0]?.heading ?? "", told);
    return own.map(({ id, section, text, weight }, at) => {
      const { line, around } = contexts[at] ?? { line: text, around: text };
      return { id, section, text, weight, line, around };
    });
  });
}

function rowOf({ statement }: Session, source: number): VectorRow | undefined {
  return statement("SELECT * FROM vector WHERE source = ?").get(source) as VectorRow | undefined;
}

/** Within the open transaction. Vectors of statements that are no longer there, or have another text or context, are left out. */
export function putVectors(session: Session, embedder: string, made: readonly StatementVector[]): void {
  const sourceOf = session.statement(
    `SELECT id, section_from AS "from", section_to AS "to" FROM source WHERE statement_from <= ? AND statement_to > ?`,
  );
  const dimensions = made[0]?.vector.length ?? 0;
  const known = new Map<number, StatementIn & { readonly source: number }>();
  const bySource = new Map<number, Map<number, Embedded>>();
  for (const { vector, ...told } of made) {
    if (!known.has(told.id)) {
      const source = sourceOf.get(told.id, told.id) as (IdRange & { readonly id: number }) | undefined;
      for (const one of source === undefined ? [] : statementsIn(session, source))
        known.set(one.id, { ...one, source: source?.id ?? 0 });
    }
    const found = known.get(told.id);
    if (found === undefined || keyOf(found) !== keyOf(told)) continue;
    const own = bySource.get(found.source) ?? new Map<number, Embedded>();
    own.set(told.id, { section: found.section, vector: isBlank(vector) ? undefined : vector });
    bySource.set(found.source, own);
  }
  for (const [source, own] of bySource) {
    const stored = rowOf(session, source);
    const isKept = stored?.embedder === embedder && stored.dimensions === dimensions;
    writeRow(session, source, { embedder, dimensions, all: new Map([...(isKept ? embeddedOf(stored) : []), ...own]) });
  }
  if (made.length > 0)
    session.statement("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(`dimensions ${embedder}`, String(dimensions));
}

/** Statements with the same key have the same vector. */
function keyOf({ text, line, around }: Omit<EmbeddedText, "id">): string {
  return [text, line, around].join("\0");
}

/** The vectors of a source by what they were made of, which may soon be in other lines. */
export interface KeptVectors extends Pick<VectorRow, "embedder" | "dimensions"> {
  readonly vectors: ReadonlyMap<string, Int8Array | undefined>;
}

/** `sections`: the sections of the source. */
export function keptVectors(session: Session, source: number, sections: IdRange): KeptVectors | undefined {
  const stored = rowOf(session, source);
  if (stored === undefined) return undefined;
  const embedded = embeddedOf(stored);
  const kept = statementsIn(session, sections).filter(({ id }) => embedded.has(id));
  const vectors = new Map(kept.map((one) => [keyOf(one), embedded.get(one.id)?.vector]));
  return { embedder: stored.embedder, dimensions: stored.dimensions, vectors };
}

/** Whether a statement of a source of this kind can have a vector. */
export function isEmbeddable({ kind }: { readonly kind: string }, { weight }: Pick<IndexedText, "weight">): boolean {
  return weight >= leastEmbedded && recallSources.kinds.some((one) => one === kind);
}

/** Gives the statements of a source that was written again the vectors it had. `sections`: its new ones. */
export function keepVectors(
  session: Session,
  source: number,
  { embedder, dimensions, vectors }: KeptVectors,
  sections: IdRange,
): void {
  const kept = statementsIn(session, sections).filter((one) => one.weight >= leastEmbedded && vectors.has(keyOf(one)));
  if (kept.length === 0) return;
  const all = new Map(kept.map((one) => [one.id, { section: one.section, vector: vectors.get(keyOf(one)) }]));
  writeRow(session, source, { embedder, dimensions, all });
}
