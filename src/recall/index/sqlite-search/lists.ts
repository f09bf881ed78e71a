import type { IndexTerm } from "../search-index.ts";
import { numbersIn, type Corpus, type List } from "./corpus.ts";
import { matchOf } from "./match.ts";
import type { Session } from "./session.ts";

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
export function roughCountOf(session: Session, corpus: Corpus, term: IndexTerm): number {
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
