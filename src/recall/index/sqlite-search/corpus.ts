import { firstPlace } from "../../vectors/int8.ts";
import { columnsOf, isIn, ofSource, passingRanges, type IdRange, type Session } from "./schema.ts";
import { once, remembering } from "../../../base/lines.ts";
import type { IndexTerm, IndexFilter, SectionHits } from "../search-index.ts";

/** Rows read to estimate the length of a list: FTS5 can only count what it reads. */
const firstRows = 2000;
/** Rows read to estimate how many rows contain a word. */
const fewRows = 500;
/** Maximum number of rows in cached lists: 32 MB. */
const mostHeld = 8_000_000;
const mostCounts = 50_000;

/** What ranking needs to know about the chunks, cached until a write. */
export class Corpus {
  readonly rows: number;
  /** One more than the largest id. */
  readonly past: number;
  /** Average characters per chunk. */
  readonly usual: number;
  readonly #session: Session;
  readonly #lists = new Map<string, Int32Array>();
  /** Number of rows in the cached lists. */
  #held = 0;

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
  }

  /** All ids in an order that does not depend on the order of writes: sources without a day, then newest day first. */
  readonly inOrder = once(() => {
    const ids = new Int32Array(this.rows);
    let at = 0;
    for (const { from, to } of sourcesInOrder(this.#session, "chunk", {}))
      for (let row = from; row < to; row++) ids[at++] = row;
    return ids;
  });

  /** The ids of the rows that contain a term, ascending. */
  listOf(term: IndexTerm): Int32Array {
    const key = matchOf(term);
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    if (this.#held > mostHeld) {
      this.#lists.clear();
      this.#held = 0;
    }
    // Matching alone takes a twentieth of the time of FTS5's `bm25()`.
    const [ids = []] = columnsOf(this.#session, ["id"], matching, [key, -1]);
    const rows = new Int32Array(ids);
    this.#lists.set(key, rows);
    this.#held += rows.length;
    return rows;
  }

  /** How many rows contain a term; an estimate for long lists that are not cached. */
  countOf(term: IndexTerm): number {
    const key = matchOf(term);
    return this.#lists.get(key)?.length ?? this.#countFirst(key, firstRows);
  }

  /** The same estimate for a word, from fewer rows. Ignores cached lists, so that the result does not depend on earlier queries. */
  readonly frequencyOf = remembering(
    (word) => this.#countFirst(matchOf({ kind: "word", text: word }), fewRows),
    mostCounts,
  );

  sectionOf(row: number): number {
    const { ids, pasts } = this.#sections();
    return ids[firstPlace(ids.length, (at) => (pasts[at] ?? 0) <= row)] ?? 0;
  }

  /** For each term, how many rows of each section in `rows` contain it. */
  hitsOf(terms: readonly IndexTerm[], rows: SectionHits["rows"]): SectionHits {
    const { ids, pasts } = this.#sections();
    const hitsOf = (list: Int32Array): ReadonlyMap<number, number> => {
      const hits = new Map<number, number>();
      let section = 0;
      for (const row of list) {
        while ((pasts[section] ?? Number.POSITIVE_INFINITY) <= row) section += 1;
        const id = ids[section] ?? 0;
        if (rows.has(id)) hits.set(id, (hits.get(id) ?? 0) + 1);
      }
      return hits;
    };
    return { rows, terms: terms.map((term) => hitsOf(this.listOf(term))) };
  }

  /** The number of rows in every section that passes the filter. */
  rowsBySection(filter: IndexFilter): SectionHits["rows"] {
    const { types, since, until } = filter;
    const isBySource = types === undefined && since === undefined && until === undefined;
    const ranges = isBySource ? undefined : passingRanges(this.#session, "chunk", filter);
    const { ids, firsts, pasts } = this.#sections();
    const rows = new Map<number, number>();
    for (const { from, to } of sourcesInOrder(this.#session, "section", filter)) {
      let at = firstPlace(ids.length, (place) => (ids[place] ?? 0) < from);
      for (; (ids[at] ?? to) < to; at++) {
        const first = firsts[at] ?? 0;
        if (ranges === undefined || isIn(ranges, first)) rows.set(ids[at] ?? 0, (pasts[at] ?? 0) - first);
      }
    }
    return rows;
  }

  /** Counts at most `most` rows and extrapolates. Counting takes half as long as listing. */
  #countFirst(key: string, most: number): number {
    const sql = `SELECT count(*) AS rows, max(id) AS last FROM (${matching})`;
    const found = this.#session.statement(sql).get(key, most) as {
      readonly rows: number;
      readonly last: number | null;
    };
    return found.rows < most ? found.rows : Math.round((found.rows * this.past) / Math.max(1, found.last ?? 0));
  }

  /** The sections that have rows, ascending, each with its rows `[first, past)`: ids of sections and of rows grow together. */
  readonly #sections = once(() => {
    const rows = "SELECT id, chunk_from, chunk_to FROM section WHERE chunk_to > chunk_from ORDER BY id";
    const [ids = [], firsts = [], pasts = []] = columnsOf(this.#session, ["id", "chunk_from", "chunk_to"], rows);
    return { ids, firsts, pasts };
  });
}

/** The ids of the rows of each source, in an order that does not depend on the order of writes: sources without a day, then newest day first. */
function sourcesInOrder(session: Session, unit: "section" | "chunk", filter: IndexFilter): readonly IdRange[] {
  const { where, values } = ofSource(filter);
  const rows = `SELECT ${unit}_from AS first, ${unit}_to AS past FROM source ${where} ORDER BY until = '' DESC, until DESC, key`;
  const [from = [], to = []] = columnsOf(session, ["first", "past"], rows, values);
  return from.map((first, at) => ({ from: first, to: to[at] ?? 0 }));
}

const matching = "SELECT rowid AS id FROM chunk_words WHERE chunk_words MATCH ? ORDER BY rowid LIMIT ?";

/** A term as an FTS5 expression. Its text is quoted, so only quotes in it need escaping. */
function matchOf(term: IndexTerm): string {
  const quoted = `"${term.text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
  if (term.kind === "part") return `parts : ${quoted}`;
  return term.kind === "prefix" ? `${quoted} *` : quoted;
}
