import type { IndexTerm, IndexUnit } from "../../ports/search-index.ts";
import { parsePostings, unitedPostings, type Postings } from "../../recall/postings/posting-format.ts";
import { partKey, termsIn } from "../../recall/postings/tokens.ts";
import { matchOf } from "./match.ts";
import { segmentsOf, type Segment } from "./segments.ts";
import type { Session } from "./session.ts";

/** What ranking needs of one unit, held while nothing is written. Arrays have an element for each id. */
export interface Corpus {
  readonly rows: number;
  /** Ids are less than this. */
  readonly past: number;
  /** 0 for an id that is no row; else what BM25 adds to the count of a term in it. */
  readonly norms: Float32Array;
  readonly sections: Int32Array;
  readonly segments: readonly Segment[];
  /** Lists that were read. */
  readonly lists: Map<string, Postings>;
  held: number;
}

/** Constants of BM25 (Robertson and Zaragoza 2009); FTS5 has the same. */
export const saturation = 1.2;
const lengthShare = 0.75;

export function loadCorpus(session: Session, unit: IndexUnit): Corpus {
  const segments = segmentsOf(session, unit);
  const past = segments.at(-1)?.past ?? 0;
  const norms = new Float32Array(past);
  const sections = new Int32Array(past);
  let [rows, words] = [0, 0];
  for (const segment of segments) {
    sections.set(segment.sections, segment.first);
    for (const length of segment.lengths) {
      words += length;
      if (length > 0) rows += 1;
    }
  }
  const mean = words / Math.max(1, rows);
  for (const { first, lengths } of segments)
    lengths.forEach((length, at) => {
      if (length > 0) norms[first + at] = saturation * (1 - lengthShare + (lengthShare * length) / mean);
    });
  return { rows, past, norms, sections, segments, lists: new Map(), held: 0 };
}

/** Postings that are held between queries, at most: 5 bytes each. */
const mostHeld = 4_000_000;

/** The rows in which a term stands. */
export function postingsOf(session: Session, unit: IndexUnit, corpus: Corpus, term: IndexTerm): Postings {
  const key = `${term.kind} ${term.text}`;
  const known = corpus.lists.get(key);
  if (known !== undefined) return known;
  const postings = readPostings(session, unit, corpus, term);
  if (corpus.held > mostHeld) {
    corpus.lists.clear();
    corpus.held = 0;
  }
  corpus.lists.set(key, postings);
  corpus.held += postings.rows.length;
  return postings;
}

/** In how many rows a word stands: the lists say so without being read, unless the word is also a part of others. */
export function countOfRows(session: Session, unit: IndexUnit, corpus: Corpus, word: string): number {
  const [only, ...others] = termsIn(word);
  if (only !== undefined && others.length === 0 && storedCount(session, corpus, partKey(only)) === 0)
    return storedCount(session, corpus, only);
  return postingsOf(session, unit, corpus, { kind: "word", text: word }).rows.length;
}

function storedCount(session: Session, { segments }: Corpus, key: string): number {
  const one = session.statement("SELECT count FROM posting WHERE segment = ? AND term = ?");
  return segments.reduce((sum, { id }) => {
    const row = one.get(id, key) as { readonly count: number } | undefined;
    return sum + (row?.count ?? 0);
  }, 0);
}

function readPostings(session: Session, unit: IndexUnit, corpus: Corpus, term: IndexTerm): Postings {
  const words = termsIn(term.text);
  const [word] = words;
  if (word === undefined) return unitedPostings([]);
  if (words.length > 1 || term.kind === "prefix") return matchedPostings(session, unit, corpus, term);
  const parts = listOf(session, corpus, partKey(word));
  return term.kind === "part" ? parts : unitedPostings([listOf(session, corpus, word), parts]);
}

function listOf(session: Session, { segments }: Corpus, key: string): Postings {
  const one = session.statement("SELECT count, rows FROM posting WHERE segment = ? AND term = ?");
  const lists = segments.flatMap(({ id, first, lengths }) => {
    const row = one.get(id, key) as { readonly count: number; readonly rows: Uint8Array } | undefined;
    return row === undefined ? [] : [parsePostings(row.rows, row.count, (at) => lengths[at - first] ?? 0)];
  });
  return concatenated(lists);
}

/** Segments hold ascending ranges of rows. */
function concatenated(lists: readonly Postings[]): Postings {
  if (lists.length === 1 && lists[0] !== undefined) return lists[0];
  const size = lists.reduce((sum, { rows }) => sum + rows.length, 0);
  const all = { rows: new Int32Array(size), counts: new Uint8Array(size) };
  let at = 0;
  for (const { rows, counts } of lists) {
    all.rows.set(rows, at);
    all.counts.set(counts, at);
    at += rows.length;
  }
  return all;
}

/** What only FTS5 knows: words in a row, and beginnings. */
function matchedPostings(session: Session, unit: IndexUnit, corpus: Corpus, term: IndexTerm): Postings {
  const table = `${unit}_words`;
  const found = session
    .statement(`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid`)
    .all(matchOf(term)) as readonly { readonly id: number }[];
  const rows = Int32Array.from(
    found.filter(({ id }) => (corpus.norms[id] ?? 0) > 0),
    ({ id }) => id,
  );
  return { rows, counts: new Uint8Array(rows.length).fill(1) };
}
