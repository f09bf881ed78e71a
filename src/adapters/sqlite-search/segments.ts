import type { IndexUnit } from "../../ports/search-index.ts";
import { PostingCollector } from "../../recall/postings/collect.ts";
import { parsePostings, printPostings } from "../../recall/postings/posting-format.ts";
import type { Session } from "./session.ts";

/**
 * Postings are written in segments, one for each write: rows `[first, past)` of one unit. `lengths` has the words of each row (0: it is no more), `sections`
 * the section of each. Later segments have greater ids. They are joined now and then, so that there are few.
 */
export interface Segment {
  readonly id: number;
  readonly first: number;
  readonly past: number;
  readonly lengths: Uint16Array;
  readonly sections: Int32Array;
}

interface SegmentRow {
  readonly id: number;
  readonly first: number;
  readonly past: number;
  readonly lengths: Uint8Array;
  readonly sections: Uint8Array;
}

export function segmentsOf(session: Session, unit: IndexUnit): readonly Segment[] {
  const rows = session
    .statement("SELECT id, first, past, lengths, sections FROM segment WHERE unit = ? ORDER BY first")
    .all(unit) as readonly SegmentRow[];
  return rows.map(({ id, first, past, lengths, sections }) => ({
    id,
    first,
    past,
    lengths: new Uint16Array(aligned(lengths).buffer, 0, past - first),
    sections: new Int32Array(aligned(sections).buffer, 0, past - first),
  }));
}

function aligned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** Collects what is put in, and writes it as one segment. */
export class SegmentWriter {
  readonly #session: Session;
  readonly #unit: IndexUnit;
  readonly #postings = new PostingCollector();
  readonly #lengths: number[] = [];
  readonly #sections: number[] = [];
  #first = 0;

  constructor(session: Session, unit: IndexUnit) {
    this.#session = session;
    this.#unit = unit;
  }

  add(row: { readonly id: number; readonly section: number }, text: string, parts: string): void {
    if (this.#lengths.length === 0) this.#first = row.id;
    const length = this.#postings.add(row.id, text, parts);
    this.#lengths.push(Math.min(65_535, Math.max(1, length)));
    this.#sections.push(row.section);
  }

  end(): void {
    if (this.#lengths.length === 0) return;
    const id = putSegment(this.#session, this.#unit, {
      first: this.#first,
      past: this.#first + this.#lengths.length,
      lengths: Uint16Array.from(this.#lengths),
      sections: Int32Array.from(this.#sections),
    });
    const insert = this.#session.statement(insertPosting);
    for (const [term, { rows, counts }] of this.#postings.lists())
      insert.run(id, term, rows.length, printPostings(rows, counts));
  }
}

const insertPosting = "INSERT INTO posting (segment, term, count, rows) VALUES (?, ?, ?, ?)";

function putSegment(session: Session, unit: IndexUnit, segment: Omit<Segment, "id">): number {
  const { first, past, lengths, sections } = segment;
  const { lastInsertRowid } = session
    .statement("INSERT INTO segment (unit, first, past, lengths, sections) VALUES (?, ?, ?, ?, ?)")
    .run(unit, first, past, bytesOf(lengths), bytesOf(sections));
  return Number(lastInsertRowid);
}

function bytesOf(array: Uint16Array | Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Marks rows as gone; a segment without any other goes as a whole. */
export function removeRows(session: Session, unit: IndexUnit, ranges: readonly (readonly [number, number])[]): void {
  const gone = ranges.filter(([from, past]) => past > from);
  if (gone.length === 0) return;
  for (const segment of segmentsOf(session, unit)) {
    const own = gone.filter(([from, past]) => from < segment.past && past > segment.first);
    if (own.length === 0) continue;
    for (const [from, past] of own)
      segment.lengths.fill(0, Math.max(0, from - segment.first), Math.max(0, past - segment.first));
    if (segment.lengths.every((length) => length === 0)) dropSegment(session, segment.id);
    else session.statement("UPDATE segment SET lengths = ? WHERE id = ?").run(bytesOf(segment.lengths), segment.id);
  }
}

function dropSegment(session: Session, id: number): void {
  session.statement("DELETE FROM posting WHERE segment = ?").run(id);
  session.statement("DELETE FROM segment WHERE id = ?").run(id);
}

/** A segment is joined with the one before unless that is so many times larger. */
const growth = 3;
/** Of the rows of a segment that may be gone. */
const mostGone = 0.5;

/** Joins segments at the end, so that their number grows with the logarithm of the rows, and takes out rows that are gone. */
export function tidySegments(session: Session, unit: IndexUnit): void {
  for (;;) {
    const segments = segmentsOf(session, unit);
    const [before, last] = segments.slice(-2);
    if (before !== undefined && last !== undefined && rowsIn(before) < growth * rowsIn(last))
      joinSegments(session, unit, [before, last]);
    else {
      for (const segment of segments)
        if (rowsIn(segment) < (1 - mostGone) * (segment.past - segment.first)) joinSegments(session, unit, [segment]);
      return;
    }
  }
}

function rowsIn({ lengths }: Segment): number {
  let rows = 0;
  for (const length of lengths) if (length > 0) rows += 1;
  return rows;
}

function joinSegments(session: Session, unit: IndexUnit, segments: readonly Segment[]): void {
  const first = firstAlive(segments);
  const past = segments.at(-1)?.past ?? 0;
  const lengths = new Uint16Array(past - first);
  const sections = new Int32Array(past - first);
  for (const segment of segments) {
    const from = Math.max(0, first - segment.first);
    lengths.set(segment.lengths.subarray(from), segment.first + from - first);
    sections.set(segment.sections.subarray(from), segment.first + from - first);
  }
  const id = putSegment(session, unit, { first, past, lengths, sections });
  const marks = segments.map(() => "?").join(", ");
  const all = session
    .statement(`SELECT term, count, rows FROM posting WHERE segment IN (${marks}) ORDER BY term, segment`)
    .all(...segments.map((segment) => segment.id)) as readonly {
    readonly term: string;
    readonly count: number;
    readonly rows: Uint8Array;
  }[];
  const insert = session.statement(insertPosting);
  const isAlive = (row: number): number => lengths[row - first] ?? 0;
  for (let from = 0; from < all.length;) {
    const term = all[from]?.term ?? "";
    let to = from + 1;
    while (all[to]?.term === term) to += 1;
    const lists = all.slice(from, to).map(({ count, rows }) => parsePostings(rows, count, isAlive));
    const rows = lists.flatMap((list) => [...list.rows]);
    const counts = lists.flatMap((list) => [...list.counts]);
    if (rows.length > 0) insert.run(id, term, rows.length, printPostings(rows, counts));
    from = to;
  }
  for (const segment of segments) dropSegment(session, segment.id);
}

function firstAlive(segments: readonly Segment[]): number {
  for (const { first, lengths } of segments) {
    const at = lengths.findIndex((length) => length > 0);
    if (at >= 0) return first + at;
  }
  return segments.at(-1)?.past ?? 0;
}
