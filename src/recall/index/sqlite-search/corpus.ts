import { byFilter, columnsOf, isIn, ofSource, passingRanges, type Session } from "./schema.ts";
import { once, remembering } from "../../../base/lines.ts";
import type { IndexTerm, SectionCounts, SectionHits } from "../search-index.ts";

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

  /** The sources that pass, by id and so by row, with the number of chunks of each of their sections; and their numbers in an order that does not depend on the order of writes: those without a day, then newest day first. */
  readonly #sourcesIn = byFilter((filter) => {
    const { where, values } = ofSource(filter);
    const columns = ["id", "section_from", "section_to", "chunk_from", "chunk_to"];
    // The sizes are JSON already.
    const sizesIn = "group_concat(nullif(trim(sizes, '[]'), '')) AS sizes";
    const lists = [...columns.map((name) => `json_group_array(${name}) AS ${name}`), sizesIn];
    const rows = `SELECT ${columns.join(", ")}, sizes FROM source ${where} ORDER BY id`;
    const read = this.#session.statement(`SELECT ${lists.join(", ")} FROM (${rows})`).get(...values) as Readonly<
      Record<string, string | null>
    >;
    const numbers = (json: string | null | undefined): Int32Array =>
      new Int32Array(JSON.parse(json ?? "[]") as number[]);
    const ids = numbers(read["id"]);
    const ordered = `SELECT id FROM source ${where} ORDER BY until = '' DESC, until DESC, key`;
    const [inOrder = []] = columnsOf(this.#session, ["id"], ordered, values);
    const places = new Int32Array((ids.at(-1) ?? 0) + 1);
    for (let at = 0; at < ids.length; at++) places[ids[at] ?? 0] = at;
    return {
      sections: numbers(read["section_from"]),
      pastSections: numbers(read["section_to"]),
      firsts: numbers(read["chunk_from"]),
      pasts: numbers(read["chunk_to"]),
      sizes: numbers(`[${read["sizes"] ?? ""}]`),
      inOrder: new Int32Array(inOrder).map((id) => places[id] ?? 0),
    };
  });

  /** The place of each row in that order, which breaks ties, and the row at each place. */
  readonly places = once(() => {
    const { firsts, pasts, inOrder } = this.#sourcesIn({});
    const starts = new Int32Array(firsts.length);
    const startsInOrder = new Int32Array(firsts.length);
    let start = 0;
    inOrder.forEach((source, at) => {
      starts[source] = startsInOrder[at] = start;
      start += (pasts[source] ?? 0) - (firsts[source] ?? 0);
    });
    const lastUpTo = (list: Int32Array, wanted: number): number => firstAbove(list, 0, wanted) - 1;
    return {
      of: (row: number): number => {
        const source = lastUpTo(firsts, row);
        return (starts[source] ?? 0) + row - (firsts[source] ?? 0);
      },
      rowAt: (place: number): number => {
        const at = lastUpTo(startsInOrder, place);
        return (firsts[inOrder[at] ?? 0] ?? 0) + place - (startsInOrder[at] ?? 0);
      },
    };
  });

  /** The ranges of rows that pass, and 1 for each row in them; `undefined` if all pass. */
  readonly passing = byFilter((filter) => {
    const ranges = passingRanges(this.#session, "chunk", filter);
    if (ranges === undefined) return undefined;
    const rows = new Uint8Array(this.past);
    for (const { from, to } of ranges) rows.fill(1, from, to);
    return { ranges, rows };
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
    const found = this.#session.statement(matching).get(key) as { readonly ids: string };
    const rows = new Int32Array(JSON.parse(found.ids) as number[]);
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
    const { ids, pasts } = this.sectionsIn({});
    return ids[firstAbove(pasts, 0, row)] ?? 0;
  }

  /** For each term, how many rows of each section contain it. */
  hitsOf(terms: readonly IndexTerm[], { rows, ids, firsts, pasts }: Sections): SectionHits {
    const hitsOf = (list: Int32Array): SectionCounts => {
      const found = { ids: new Int32Array(list.length), counts: new Int32Array(list.length) };
      let [size, section] = [0, 0];
      for (let at = 0; at < list.length;) {
        const row = list[at] ?? 0;
        section = firstAbove(pasts, section, row);
        if (section === pasts.length) break;
        const id = ids[section] ?? 0;
        const first = firsts[section] ?? 0;
        const past = pasts[section] ?? 0;
        const from = at;
        if (row < first) at = firstAbove(list, at, first - 1);
        else
          do at += 1;
          while (at < list.length && (list[at] ?? 0) < past);
        if (row < first || id === 0) continue;
        found.ids[size] = id;
        found.counts[size++] = at - from;
      }
      return { ids: found.ids.slice(0, size), counts: found.counts.slice(0, size) };
    };
    return { rows, terms: terms.map((term) => hitsOf(this.listOf(term))) };
  }

  /** The sections that pass the filter. */
  readonly sectionsIn = byFilter((filter): Sections => {
    const { kinds, levels, types, since, until } = filter;
    const isBySource = types === undefined && since === undefined && until === undefined;
    const ranges = isBySource ? undefined : passingRanges(this.#session, "chunk", filter);
    const sources = this.#sourcesIn({ ...(kinds && { kinds }), ...(levels && { levels }) });
    const { sizes, inOrder } = sources;
    const [ids, firsts, pasts] = [
      new Int32Array(sizes.length),
      new Int32Array(sizes.length),
      new Int32Array(sizes.length),
    ];
    /** The first section of each source, in these lists. */
    const starts = new Int32Array(inOrder.length + 1);
    let at = 0;
    for (let source = 0; source < inOrder.length; source++) {
      const past = sources.pastSections[source] ?? 0;
      let row = sources.firsts[source] ?? 0;
      for (let id = sources.sections[source] ?? 0; id < past; id++) {
        ids[at] = id;
        firsts[at] = row;
        row += sizes[at] ?? 0;
        pasts[at++] = row;
      }
      starts[source + 1] = at;
    }
    if (ranges !== undefined || sizes.includes(0))
      for (at = 0; at < ids.length; at++) {
        const isEmpty = sizes[at] === 0;
        if (isEmpty || (ranges !== undefined && !isIn(ranges, firsts[at] ?? 0))) ids[at] = 0;
      }
    const rows = { ids: new Int32Array(ids.length), counts: new Int32Array(ids.length) };
    let place = 0;
    for (const source of inOrder) {
      const from = starts[source] ?? 0;
      const to = starts[source + 1] ?? 0;
      rows.ids.set(ids.subarray(from, to), place);
      rows.counts.set(sizes.subarray(from, to), place);
      place += to - from;
    }
    const isAll = !ids.includes(0);
    const counts = isAll ? rows.counts : rows.counts.filter((_, of) => rows.ids[of] !== 0);
    return { rows: { ids: isAll ? rows.ids : rows.ids.filter((id) => id !== 0), counts }, ids, firsts, pasts };
  });

  /** Counts at most `most` rows and extrapolates. Counting takes half as long as listing. */
  #countFirst(key: string, most: number): number {
    const sql = `SELECT count(*) AS rows, max(id) AS last FROM (${firstMatching})`;
    const found = this.#session.statement(sql).get(key, most) as {
      readonly rows: number;
      readonly last: number | null;
    };
    return found.rows < most ? found.rows : Math.round((found.rows * this.past) / Math.max(1, found.last ?? 0));
  }
}

/** `rows`: the number of rows of each section that has any and passes. Then all sections of the sources that pass, by row: their ids, 0 for one that does not pass, and their rows. */
interface Sections extends Pick<SectionHits, "rows"> {
  readonly ids: Int32Array;
  readonly firsts: Int32Array;
  readonly pasts: Int32Array;
}

/** The first index from `from` on of a number above `limit`, in an ascending list; its length if there is none. Fast if it is near. */
function firstAbove(list: Int32Array, from: number, limit: number): number {
  let low = from;
  let step = 1;
  for (; low + step <= list.length && (list[low + step - 1] ?? 0) <= limit; step *= 2) low += step;
  let high = Math.min(low + step - 1, list.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The rows that contain a term. Matching alone takes a twentieth of the time of FTS5's `bm25()`, and FTS5 returns rows by id: asked for that order, in a query around
 * it, SQLite takes twice as long.
 */
const matching = "SELECT json_group_array(rowid) AS ids FROM chunk_words WHERE chunk_words MATCH ?";

const firstMatching = "SELECT rowid AS id FROM chunk_words WHERE chunk_words MATCH ? ORDER BY rowid LIMIT ?";

/** A term as an FTS5 expression. Its text is quoted, so only quotes in it need escaping. */
function matchOf(term: IndexTerm): string {
  const quoted = `"${term.text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
  if (term.kind === "part") return `parts : ${quoted}`;
  return term.kind === "prefix" ? `${quoted} *` : quoted;
}
