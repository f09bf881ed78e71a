import { numbersIn, isIn, passingRanges, type Session } from "./schema.ts";
import type { IndexTerm, IndexFilter, SectionHits, WordFrequencies } from "../search-index.ts";

/** What ranking needs of the chunks, held while nothing is written. */
export interface Corpus {
  readonly rows: number;
  /** Ids are less than this. */
  readonly past: number;
  /** Their ids in an order that does not tell in which order sources were written: of newer days first, what has no day before all. */
  readonly inOrder: Int32Array;
  /** Letters of a chunk, in the mean. */
  readonly usual: number;
  /** Lists that were read, by expression. */
  readonly lists: Map<string, List>;
  /** How many rows hold a word, as far as it was asked, by expression. */
  readonly counts: Map<string, number>;
  /** Rows in them. */
  held: number;
  sections: Sections | undefined;
}

/** The ids of the rows that hold a term, ascending. `cut`: only the first of them. */
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

export function loadCorpus(session: Session): Corpus {
  const found = session
    .statement("SELECT sum(chunk_to - chunk_from) AS rows, max(chunk_to) AS past, sum(letters) AS letters FROM source")
    .get() as { readonly rows: number | null; readonly past: number | null; readonly letters: number | null };
  const [rows, past] = [found.rows ?? 0, found.past ?? 0];
  const usual = Math.max(1, (found.letters ?? 0) / Math.max(1, rows));
  const inOrder = loadOrder(session, rows);
  return { rows, past, inOrder, usual, lists: new Map(), counts: new Map(), held: 0, sections: undefined };
}

function loadOrder(session: Session, rows: number): Int32Array {
  const { from, to } = session
    .statement(
      `SELECT json_group_array(chunk_from) AS "from", json_group_array(chunk_to) AS "to"
      FROM (SELECT chunk_from, chunk_to FROM source ORDER BY until = '' DESC, until DESC, key)`,
    )
    .get() as { readonly from: string; readonly to: string };
  const past = numbersIn(to);
  const inOrder = new Int32Array(rows);
  let at = 0;
  numbersIn(from).forEach((first, source) => {
    for (let row = first; row < (past[source] ?? 0); row++) inOrder[at++] = row;
  });
  return inOrder;
}

function sectionsOf(session: Session, corpus: Corpus): Sections {
  return (corpus.sections ??= loadSections(session, corpus.past));
}

/** As JSON: a row of numbers as an object takes several times as long. */
function loadSections(session: Session, past: number): Sections {
  const found = session
    .statement(
      `SELECT json_group_array(id) AS ids, json_group_array(chunk_from) AS "from", json_group_array(chunk_to) AS "to"
      FROM (SELECT id, chunk_from, chunk_to FROM section ORDER BY id)`,
    )
    .get() as { readonly ids: string; readonly from: string; readonly to: string };
  const [ids, from, to] = [numbersIn(found.ids), numbersIn(found.from), numbersIn(found.to)];
  const [of, sizes] = [new Int32Array(past), new Int32Array(past)];
  ids.forEach((id, at) => {
    const [first = 0, behind = 0] = [from[at], to[at]];
    if (behind <= first) return;
    of.fill(id, first, behind);
    sizes[first] = behind - first;
  });
  return { of, sizes };
}

/** Rows of a list that are read to learn how long it is: FTS5 can only count what it reads. */
const firstRows = 2000;
/** Rows in the lists that are held between queries, at most: 32 MB. */
const mostHeld = 8_000_000;
/** Counts that are held. */
const mostCounts = 50_000;

/** The rows that hold a term, all of them. */
export function listOf(session: Session, corpus: Corpus, term: IndexTerm): Int32Array {
  const key = matchOf(term);
  const known = corpus.lists.get(key);
  if (known?.is === "whole") return known.rows;
  return held(corpus, key, { is: "whole", rows: readRows(session, key, -1) }).rows;
}

/** Rows by which it is estimated how many hold a word, where nobody needs to know which. */
const fewRows = 500;

/** The same without reading which rows: an estimate by fewer of them. */
function roughCountOf(session: Session, corpus: Corpus, term: IndexTerm): number {
  const key = matchOf(term);
  const counted = corpus.counts.get(key);
  if (counted !== undefined) return counted;
  // By the first rows alone even of a list that is known: what was asked before must not matter.
  const known = corpus.lists.get(key)?.rows;
  const { rows, last } = known === undefined ? firstRowsOf(session, key) : firstOfList(known);
  const count = rows < fewRows ? rows : Math.round((rows * corpus.past) / Math.max(1, last));
  if (corpus.counts.size > mostCounts) corpus.counts.clear();
  corpus.counts.set(key, count);
  return count;
}

interface FirstRows {
  readonly rows: number;
  readonly last: number;
}

function firstOfList(list: Int32Array): FirstRows {
  const rows = Math.min(fewRows, list.length);
  return { rows, last: list[rows - 1] ?? 0 };
}

/** To count takes half as long as to list. */
function firstRowsOf(session: Session, key: string): FirstRows {
  const { rows, last } = session
    .statement(
      `SELECT count(*) AS rows, max(id) AS last
      FROM (SELECT rowid AS id FROM chunk_words WHERE chunk_words MATCH ? ORDER BY rowid LIMIT ?)`,
    )
    .get(key, fewRows) as { readonly rows: number; readonly last: number | null };
  return { rows, last: last ?? 0 };
}

/** How many rows hold a term; of many it is an estimate by the first of them. */
export function countOf(session: Session, corpus: Corpus, term: IndexTerm): number {
  const key = matchOf(term);
  const { is, rows } = corpus.lists.get(key) ?? held(corpus, key, firstOf(session, key));
  const last = rows.at(-1) ?? 0;
  return is === "whole" ? rows.length : Math.round((rows.length * corpus.past) / Math.max(1, last));
}

function firstOf(session: Session, key: string): List {
  const rows = readRows(session, key, firstRows);
  return { is: rows.length < firstRows ? "whole" : "cut", rows };
}

/** Matching alone takes FTS5 a twentieth of the time of its `bm25()`, and numbers as JSON a third of that as rows. */
function readRows(session: Session, match: string, limit: number): Int32Array {
  const found = session
    .statement(
      `SELECT json_group_array(id) AS ids
      FROM (SELECT rowid AS id FROM chunk_words WHERE chunk_words MATCH ? ORDER BY rowid LIMIT ?)`,
    )
    .get(match, limit) as { readonly ids: string };
  return new Int32Array(numbersIn(found.ids));
}

function held(corpus: Corpus, key: string, list: List): List {
  if (corpus.held > mostHeld) {
    corpus.lists.clear();
    corpus.held = 0;
  }
  corpus.lists.set(key, list);
  corpus.held += list.rows.length;
  return list;
}

export function holds(list: Int32Array, row: number): boolean {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = list[middle] ?? 0;
    if (at === row) return true;
    if (at < row) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** A term as an expression of FTS5. All text of others stands in quotes, where only a quote means something. */
function matchOf(term: IndexTerm): string {
  const quoted = `"${term.text.replaceAll('"', '""').replaceAll("\0", " ")}"`;
  if (term.kind === "part") return `parts : ${quoted}`;
  return term.kind === "prefix" ? `${quoted} *` : quoted;
}

/** How many rows of each section that passes hold each term. */
export function hitsOf(
  session: Session,
  corpus: Corpus,
  of: { readonly terms: readonly IndexTerm[]; readonly rows: SectionHits["rows"] },
): SectionHits {
  const sections = sectionsOf(session, corpus).of;
  const terms = of.terms.map((term) => {
    const hits = new Map<number, number>();
    const list = listOf(session, corpus, term);
    for (let at = 0; at < list.length;) {
      const section = sections[list[at] ?? 0] ?? 0;
      const from = at;
      // The rows of a section follow one another.
      do at += 1;
      while (at < list.length && sections[list[at] ?? 0] === section);
      if (of.rows.has(section)) hits.set(section, at - from);
    }
    return hits;
  });
  return { rows: of.rows, terms };
}

/** The number of rows of every section that passes. */
export function rowsBySection(session: Session, corpus: Corpus, filter: IndexFilter): SectionHits["rows"] {
  const ranges = passingRanges(session, "chunk", filter);
  const { of, sizes } = sectionsOf(session, corpus);
  const { inOrder } = corpus;
  const rows = new Map<number, number>();
  for (let at = 0; at < inOrder.length;) {
    const first = inOrder[at] ?? 0;
    const size = Math.max(1, sizes[first] ?? 0);
    // A filter passes whole sections.
    if (ranges === undefined || isIn(ranges, first)) rows.set(of[first] ?? 0, size);
    // The rows of a section follow one another.
    at += size;
  }
  return rows;
}

export function frequenciesOf(session: Session, corpus: Corpus, words: readonly string[]): WordFrequencies {
  return { rows: corpus.rows, counts: words.map((text) => roughCountOf(session, corpus, { kind: "word", text })) };
}
