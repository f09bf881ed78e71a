import { numbersIn, isIn, passingRanges, type Session } from "./schema.ts";
import type { IndexTerm, IndexFilter, SectionHits } from "../search-index.ts";

/** The ids of the rows that contain a term, ascending. `cut`: only the first of them. */
interface List {
  readonly rows: Int32Array;
  readonly is: "whole" | "cut";
}

interface Sections {
  /** The section of each chunk. */
  readonly of: Int32Array;
  /** By the first chunk of a section: how many it has. */
  readonly sizes: Int32Array;
}

/** Rows of a list that are read to learn how long it is: FTS5 can only count what it reads. */
const firstRows = 2000;
/** Rows by which it is estimated how many contain a word, where it does not matter which. */
const fewRows = 500;
/** Rows in the lists that are kept between queries, at most: 32 MB. */
const mostHeld = 8_000_000;
const mostCounts = 50_000;

/** What ranking needs of the chunks, kept while nothing is written. */
export class Corpus {
  readonly rows: number;
  /** Ids are less than this. */
  readonly past: number;
  /** Their ids in an order that does not show in which order sources were written: those without a day, then the newest day first. */
  readonly inOrder: Int32Array;
  /** Letters of a chunk, on average. */
  readonly usual: number;
  readonly #session: Session;
  readonly #lists = new Map<string, List>();
  readonly #counts = new Map<string, number>();
  /** Rows in the lists. */
  #held = 0;
  #sections: Sections | undefined;

  constructor(session: Session) {
    this.#session = session;
    const found = session
      .statement(
        "SELECT sum(chunk_to - chunk_from) AS rows, max(chunk_to) AS past, sum(letters) AS letters FROM source",
      )
      .get() as Readonly<Record<"rows" | "past" | "letters", number | null>>;
    this.rows = found.rows ?? 0;
    this.past = found.past ?? 0;
    this.usual = Math.max(1, (found.letters ?? 0) / Math.max(1, this.rows));
    this.inOrder = new Int32Array(this.rows);
    const { from, to } = session
      .statement(
        `SELECT json_group_array(chunk_from) AS "from", json_group_array(chunk_to) AS "to"
        FROM (SELECT chunk_from, chunk_to FROM source ORDER BY until = '' DESC, until DESC, key)`,
      )
      .get() as { readonly from: string; readonly to: string };
    const past = numbersIn(to);
    let at = 0;
    numbersIn(from).forEach((first, source) => {
      for (let row = first; row < (past[source] ?? 0); row++) this.inOrder[at++] = row;
    });
  }

  /** The rows that contain a term, all of them. */
  listOf(term: IndexTerm): Int32Array {
    const key = matchOf(term);
    const known = this.#lists.get(key);
    if (known?.is === "whole") return known.rows;
    return this.#keep(key, { is: "whole", rows: this.#read(key, -1) }).rows;
  }

  /** How many rows contain a term; of many it is an estimate by the first of them. */
  countOf(term: IndexTerm): number {
    const key = matchOf(term);
    const { is, rows } = this.#lists.get(key) ?? this.#keep(key, this.#firstOf(key));
    return is === "whole" ? rows.length : this.#estimate(rows.length, rows.at(-1) ?? 0);
  }

  /** The same without reading which rows: an estimate by fewer of them, even of a list that is known, so that earlier queries do not matter. */
  frequencyOf(word: string): number {
    const key = matchOf({ kind: "word", text: word });
    const counted = this.#counts.get(key);
    if (counted !== undefined) return counted;
    const known = this.#lists.get(key)?.rows.subarray(0, fewRows);
    const { rows, last } =
      known === undefined ? this.#countFirst(key) : { rows: known.length, last: known.at(-1) ?? 0 };
    const count = rows < fewRows ? rows : this.#estimate(rows, last ?? 0);
    if (this.#counts.size > mostCounts) this.#counts.clear();
    this.#counts.set(key, count);
    return count;
  }

  /** How many rows of each section that passes contain each term. */
  hitsOf(terms: readonly IndexTerm[], rows: SectionHits["rows"]): SectionHits {
    const sections = this.#sectionsOfRows().of;
    const hitsOf = (list: Int32Array): ReadonlyMap<number, number> => {
      const hits = new Map<number, number>();
      for (let at = 0; at < list.length;) {
        const section = sections[list[at] ?? 0] ?? 0;
        const from = at;
        // The rows of a section follow one another.
        do at += 1;
        while (at < list.length && sections[list[at] ?? 0] === section);
        if (rows.has(section)) hits.set(section, at - from);
      }
      return hits;
    };
    return { rows, terms: terms.map((term) => hitsOf(this.listOf(term))) };
  }

  /** The number of rows of every section that passes. */
  rowsBySection(filter: IndexFilter): SectionHits["rows"] {
    const ranges = passingRanges(this.#session, "chunk", filter);
    const { of, sizes } = this.#sectionsOfRows();
    const rows = new Map<number, number>();
    for (let at = 0; at < this.inOrder.length;) {
      const first = this.inOrder[at] ?? 0;
      const size = Math.max(1, sizes[first] ?? 0);
      // A filter passes whole sections, whose rows follow one another.
      if (ranges === undefined || isIn(ranges, first)) rows.set(of[first] ?? 0, size);
      at += size;
    }
    return rows;
  }

  #estimate(rows: number, last: number): number {
    return Math.round((rows * this.past) / Math.max(1, last));
  }

  #firstOf(key: string): List {
    const rows = this.#read(key, firstRows);
    return { is: rows.length < firstRows ? "whole" : "cut", rows };
  }

  /** Counting takes half as long as listing. */
  #countFirst(key: string): { readonly rows: number; readonly last: number | null } {
    const sql = `SELECT count(*) AS rows, max(id) AS last FROM (${matching})`;
    return this.#session.statement(sql).get(key, fewRows) as { readonly rows: number; readonly last: number | null };
  }

  /** Matching alone takes FTS5 a twentieth of the time of its `bm25()`, and numbers as JSON a third of that as rows. */
  #read(key: string, limit: number): Int32Array {
    const sql = `SELECT json_group_array(id) AS ids FROM (${matching})`;
    const found = this.#session.statement(sql).get(key, limit) as { readonly ids: string };
    return new Int32Array(numbersIn(found.ids));
  }

  #keep(key: string, list: List): List {
    if (this.#held > mostHeld) {
      this.#lists.clear();
      this.#held = 0;
    }
    this.#lists.set(key, list);
    this.#held += list.rows.length;
    return list;
  }

  #sectionsOfRows(): Sections {
    if (this.#sections !== undefined) return this.#sections;
    // As JSON: a row of numbers as an object takes several times as long.
    const found = this.#session
      .statement(
        `SELECT json_group_array(id) AS ids, json_group_array(chunk_from) AS "from", json_group_array(chunk_to) AS "to"
        FROM (SELECT id, chunk_from, chunk_to FROM section ORDER BY id)`,
      )
      .get() as { readonly ids: string; readonly from: string; readonly to: string };
    const [from, to] = [numbersIn(found.from), numbersIn(found.to)];
    const [of, sizes] = [new Int32Array(this.past), new Int32Array(this.past)];
    numbersIn(found.ids).forEach((id, at) => {
      const [first = 0, past = 0] = [from[at], to[at]];
      if (past <= first) return;
      of.fill(id, first, past);
      sizes[first] = past - first;
    });
    return (this.#sections = { of, sizes });
  }
}

const matching = "SELECT rowid AS id FROM chunk_words WHERE chunk_words MATCH ? ORDER BY rowid LIMIT ?";

/** A term as an expression of FTS5. All text of others is in quotes, where only a quote means something. */
function matchOf(term: IndexTerm): string {
  const quoted = `"${term.text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
  if (term.kind === "part") return `parts : ${quoted}`;
  return term.kind === "prefix" ? `${quoted} *` : quoted;
}
