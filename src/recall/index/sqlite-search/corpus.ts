import { columnsOf, isIn, passingRanges, type Session } from "./schema.ts";
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
  /** All ids in an order that does not depend on the order of writes: sources without a day, then newest day first. */
  readonly inOrder: Int32Array;
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
    this.inOrder = new Int32Array(this.rows);
    const sources = "SELECT chunk_from, chunk_to FROM source ORDER BY until = '' DESC, until DESC, key";
    const [from = [], to = []] = columnsOf(session, ["chunk_from", "chunk_to"], sources);
    let at = 0;
    from.forEach((first, source) => {
      for (let row = first; row < (to[source] ?? 0); row++) this.inOrder[at++] = row;
    });
  }

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
    return this.#sections().of[row] ?? 0;
  }

  /** For each term, how many rows of each section in `rows` contain it. */
  hitsOf(terms: readonly IndexTerm[], rows: SectionHits["rows"]): SectionHits {
    const hitsOf = (list: Int32Array): ReadonlyMap<number, number> => {
      const hits = new Map<number, number>();
      for (let at = 0; at < list.length;) {
        const section = this.sectionOf(list[at] ?? 0);
        const from = at;
        // The rows of a section are consecutive.
        do at += 1;
        while (at < list.length && this.sectionOf(list[at] ?? 0) === section);
        if (rows.has(section)) hits.set(section, at - from);
      }
      return hits;
    };
    return { rows, terms: terms.map((term) => hitsOf(this.listOf(term))) };
  }

  /** The number of rows in every section that passes the filter. */
  rowsBySection(filter: IndexFilter): SectionHits["rows"] {
    const ranges = passingRanges(this.#session, "chunk", filter);
    const { of, sizes } = this.#sections();
    const rows = new Map<number, number>();
    for (let at = 0; at < this.inOrder.length;) {
      const first = this.inOrder[at] ?? 0;
      const size = Math.max(1, sizes[first] ?? 0);
      // A section passes a filter as a whole, and its rows are consecutive.
      if (ranges === undefined || isIn(ranges, first)) rows.set(of[first] ?? 0, size);
      at += size;
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

  /** `of`: the section of each chunk; `sizes`: number of chunks of a section, by its first chunk. */
  readonly #sections = once(() => {
    const sections = "SELECT id, chunk_from, chunk_to FROM section ORDER BY id";
    const [ids = [], from = [], to = []] = columnsOf(this.#session, ["id", "chunk_from", "chunk_to"], sections);
    const [of, sizes] = [new Int32Array(this.past), new Int32Array(this.past)];
    ids.forEach((id, at) => {
      const [first = 0, past = 0] = [from[at], to[at]];
      if (past <= first) return;
      of.fill(id, first, past);
      sizes[first] = past - first;
    });
    return { of, sizes };
  });
}

const matching = "SELECT rowid AS id FROM chunk_words WHERE chunk_words MATCH ? ORDER BY rowid LIMIT ?";

/** A term as an FTS5 expression. Its text is quoted, so only quotes in it need escaping. */
function matchOf(term: IndexTerm): string {
  const quoted = `"${term.text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
  if (term.kind === "part") return `parts : ${quoted}`;
  return term.kind === "prefix" ? `${quoted} *` : quoted;
}
