import { byFilter, columnsOf, isIn, ofSource, passingRanges, type Session } from "./schema.ts";
import { once, remembering } from "../../../base/lines.ts";
import type { IndexTerm, SectionHits } from "../search-index.ts";

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
    const columns = ["chunk_from", "chunk_to"];
    const [from = [], to = []] = columnsOf(
      this.#session,
      columns,
      `SELECT ${columns.join(", ")} FROM source ${inOrder}`,
    );
    let at = 0;
    from.forEach((first, source) => {
      for (let row = first; row < (to[source] ?? 0); row++) ids[at++] = row;
    });
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
    return this.sectionsIn({}).of[row] ?? 0;
  }

  /** For each term, how many rows of each section contain it. */
  hitsOf(terms: readonly IndexTerm[], { rows, of }: Sections): SectionHits {
    const hitsOf = (list: Int32Array): ReadonlyMap<number, number> => {
      const hits = new Map<number, number>();
      for (let at = 0; at < list.length;) {
        const section = of[list[at] ?? 0] ?? 0;
        const from = at;
        // The rows of a section are consecutive.
        do at += 1;
        while (at < list.length && of[list[at] ?? 0] === section);
        if (section !== 0) hits.set(section, at - from);
      }
      return hits;
    };
    return { rows, terms: terms.map((term) => hitsOf(this.listOf(term))) };
  }

  /** The sections that pass the filter. */
  readonly sectionsIn = byFilter((filter): Sections => {
    const { types, since, until } = filter;
    const isBySource = types === undefined && since === undefined && until === undefined;
    const ranges = isBySource ? undefined : passingRanges(this.#session, "chunk", filter);
    const { where, values } = ofSource(filter);
    // The lists are JSON already.
    const lists =
      "json_group_array(section_from) AS ids, json_group_array(chunk_from) AS firsts, group_concat(sizes) AS sizes";
    const sources = `SELECT section_from, chunk_from, sizes FROM source ${where} ${inOrder}`;
    const read = this.#session.statement(`SELECT ${lists} FROM (${sources})`).get(...values);
    const { ids, firsts, sizes } = read as {
      readonly ids: string;
      readonly firsts: string;
      readonly sizes: string | null;
    };
    const [allIds, allFirsts] = [JSON.parse(ids), JSON.parse(firsts)] as readonly (readonly number[])[];
    const all = JSON.parse(`[${sizes ?? ""}]`) as readonly (readonly number[])[];
    const found: Sections = { rows: new Map(), of: new Int32Array(this.past) };
    for (const [source, own] of all.entries()) {
      let [id, first] = [allIds?.[source] ?? 0, allFirsts?.[source] ?? 0];
      for (const size of own) {
        if (size > 0 && (ranges === undefined || isIn(ranges, first))) {
          found.rows.set(id, size);
          found.of.fill(id, first, first + size);
        }
        id += 1;
        first += size;
      }
    }
    return found;
  });

  /** Counts at most `most` rows and extrapolates. Counting takes half as long as listing. */
  #countFirst(key: string, most: number): number {
    const sql = `SELECT count(*) AS rows, max(id) AS last FROM (${matching})`;
    const found = this.#session.statement(sql).get(key, most) as {
      readonly rows: number;
      readonly last: number | null;
    };
    return found.rows < most ? found.rows : Math.round((found.rows * this.past) / Math.max(1, found.last ?? 0));
  }
}

/** Does not depend on the order of writes: sources without a day, then newest day first. */
const inOrder = "ORDER BY until = '' DESC, until DESC, key";

/** `rows`: the number of rows of each section that has any. `of`: the section of each row, or 0 if it does not pass. */
interface Sections {
  readonly rows: Map<number, number>;
  readonly of: Int32Array;
}

const matching = "SELECT rowid AS id FROM chunk_words WHERE chunk_words MATCH ? ORDER BY rowid LIMIT ?";

/** A term as an FTS5 expression. Its text is quoted, so only quotes in it need escaping. */
function matchOf(term: IndexTerm): string {
  const quoted = `"${term.text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
  if (term.kind === "part") return `parts : ${quoted}`;
  return term.kind === "prefix" ? `${quoted} *` : quoted;
}
