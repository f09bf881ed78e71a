import { lengthShare, saturation } from "../../rank/weights.ts";
import { cutoffOf, rarityOf } from "../../rank/scores.ts";
import type { FoundRow, IndexQuery, IndexTerm, WeightedTerm } from "../search-index.ts";
import type { Corpus } from "./corpus.ts";
import { placeOf } from "../../vectors/int8.ts";
import { rowsById, type OwnOfRow } from "./rows.ts";
import { isIn, type IdRange, type Session } from "./schema.ts";
import { isPlain } from "../../../text/words/scripts.ts";
import { wordsBeginningLike, rawWords, termOf } from "../../../text/words/index-terms.ts";

/** Minimum and maximum number of rows whose text is read. With 200, the best 50 are the same as with BM25 over all rows. */
const leastWeighed = 200;
const mostWeighed = 1000;
/** Lists are read shortest first, up to this many rows in all; longer ones are read only if too few rows were found. */
const rowsAtOnce = 40_000;

/** Finds the best rows: ranks them by the terms they contain, then re-ranks the top ones by BM25 of their text. */
export function findRows(session: Session, corpus: Corpus, query: IndexQuery): readonly FoundRow[] {
  const { any, all = [], none = [], limit, ...filter } = query;
  const filtered = corpus.passing(filter);
  if (filtered?.ranges.length === 0) return [];
  const excluded = none.map((term) => corpus.listOf(term));
  if (any.length + all.length === 0) return newestRows(session, filtered?.ranges, excluded, limit);
  const isSame = (a: IndexTerm, b: IndexTerm): boolean => a.kind === b.kind && a.text === b.text;
  const required = all.map((term) => corpus.listOf(term));
  const others = all.filter((term) => !any.some((one) => isSame(one, term))).map((term) => ({ ...term, weight: 1 }));
  const weighed = Math.max(leastWeighed, Math.min(limit, mostWeighed));
  const passing = passingRows(corpus, filtered?.rows, excluded, required);
  const { terms, best } = bestByLists(corpus, passing, [...any, ...others], Math.max(limit, weighed));
  const places = new Map(best.map(({ row, place }) => [row, place]));
  const placeOf = ({ id }: FoundRow): number => places.get(id) ?? 0;
  const rows = rowsById(
    session,
    "chunk",
    best.slice(0, weighed).map(({ row }) => row),
  );
  // The first `weighed` rows are sorted by BM25. The rest keep their order and never score more.
  const first = weighedRows(corpus, rows, terms).toSorted((a, b) => b.score - a.score || placeOf(a) - placeOf(b));
  const least = first.at(-1)?.score ?? 0;
  const rest = best.slice(weighed, limit).map(({ row, score }) => {
    return { id: row, section: corpus.sectionOf(row), score: Math.min(least, score) };
  });
  return [...first, ...rest].slice(0, limit);
}

/**
 * Adds up the scores of the shortest lists, and of longer ones until `wanted` rows are found. `terms`: in query order; `place`: breaks ties.
 */
function bestByLists(
  corpus: Corpus,
  passing: Uint8Array | undefined,
  wantedTerms: readonly WeightedTerm[],
  wanted: number,
) {
  const scores = new Float32Array(corpus.past);
  /** The rows with a score that pass. Few memories are so small that most rows have one. */
  const rows = new Int32Array(corpus.past);
  let found = 0;
  const rarity = ({ weight }: WeightedTerm, count: number): number => weight * rarityOf(count, corpus.rows);
  const counted = wantedTerms
    .map((term, at) => ({ term, at, count: corpus.countOf(term) }))
    .toSorted((a, b) => a.count - b.count);
  // In query order. The order of the estimates depends on which source was written first; the rounding errors of the sums must not.
  const terms: RatedTerm[] = [];
  let [read, most] = [0, rowsAtOnce];
  for (const { term, at, count } of counted) {
    if (read > 0 && read + count > most && stemOf(term) !== undefined) {
      if (found >= wanted) {
        terms[at] = { term, list: undefined, rarity: rarity(term, count) };
        continue;
      }
      most += rowsAtOnce;
    }
    const list = corpus.listOf(term);
    const one = rarity(term, list.length);
    terms[at] = { term, list, rarity: one };
    for (let next = 0; next < list.length; next++) {
      const row = list[next] ?? 0;
      if (passing !== undefined && passing[row] !== 1) continue;
      const before = scores[row] ?? 0;
      if (before === 0) rows[found++] = row;
      scores[row] = before + one;
    }
    read += list.length;
  }
  return { terms, best: bestRows(corpus, rows.subarray(0, found), scores, wanted) };
}

/** The best of these rows; ties in the order of `places`. */
function bestRows(corpus: Corpus, rows: Int32Array, scores: Float32Array, wanted: number) {
  const places = corpus.places();
  const own = new Float32Array(rows.length);
  for (let at = 0; at < own.length; at++) own[at] = scores[rows[at] ?? 0] ?? 0;
  const least = cutoffOf(own, wanted);
  const better = Array.from(
    rows.filter((_, at) => (own[at] ?? 0) > least),
    (row) => ({ row, place: places.of(row), score: scores[row] ?? 0 }),
  );
  better.sort((a, b) => b.score - a.score || a.place - b.place);
  const equal = rows
    .filter((_, at) => own[at] === least)
    .map(places.of)
    .sort()
    .subarray(0, wanted - better.length);
  return [...better, ...Array.from(equal, (place) => ({ row: places.rowAt(place), place, score: least }))];
}

/** 1 for each row that passes; `undefined` if all pass. */
function passingRows(
  { past }: Corpus,
  filtered: Uint8Array | undefined,
  excluded: readonly Int32Array[],
  required: readonly Int32Array[],
): Uint8Array | undefined {
  if (excluded.length + required.length === 0) return filtered;
  const passing = filtered?.slice() ?? new Uint8Array(past).fill(1);
  for (const list of excluded) for (const row of list) passing[row] = 0;
  for (const list of required) {
    // Keep only the rows in this list: they become 2, then halving makes them 1 and all others 0.
    for (const row of list) if (passing[row] === 1) passing[row] = 2;
    for (let row = 0; row < past; row++) passing[row] = (passing[row] ?? 0) >> 1;
  }
  return passing;
}

/** All rows that pass, newest day first, for a query without words. */
function newestRows(
  session: Session,
  ranges: readonly IdRange[] | undefined,
  excluded: readonly Int32Array[],
  limit: number,
): readonly FoundRow[] {
  const without = new Set(excluded.flatMap((rows) => [...rows]));
  const sections = session
    .statement(
      `SELECT section.id, section.chunk_from AS first, section.chunk_to AS past FROM section JOIN source ON source.id = section.source
      ORDER BY section.day DESC, source.key, section.id`,
    )
    .all() as readonly { readonly id: number; readonly first: number; readonly past: number }[];
  const found: FoundRow[] = [];
  for (const { id, first, past } of sections)
    for (let row = first; row < past; row++) {
      if (found.length >= limit) return found;
      if ((ranges === undefined || isIn(ranges, row)) && !without.has(row))
        found.push({ id: row, section: id, score: 0 });
    }
  return found;
}

/** A term and its rarity times its weight. */
interface RatedTerm {
  readonly term: WeightedTerm;
  readonly rarity: number;
  /** The rows that contain it; `undefined` for a word so frequent that it is only counted in rows found by other terms. */
  readonly list: Int32Array | undefined;
}

/** BM25 of rows from their text, in order. A term other than a single word counts at most once per row. */
function weighedRows({ usual }: Corpus, rows: readonly OwnOfRow[], terms: readonly RatedTerm[]): readonly FoundRow[] {
  const countIn = wordCounter(terms);
  return rows.map(({ id, section, text }) => {
    const counts = countIn(text);
    const length = saturation * (1 - lengthShare + (lengthShare * text.length) / usual);
    let score = 0;
    terms.forEach(({ rarity, list }, at) => {
      const inText = counts[at] ?? 0;
      const count = list === undefined ? inText : placeOf(list, id) >= 0 ? Math.max(1, inText) : 0;
      score += (rarity * (saturation + 1) * count) / (count + length);
    });
    return { id, section, score };
  });
}

/** Returns a function that counts the single-word terms in a text, by stem. Its result is valid until the next call. */
function wordCounter(terms: readonly RatedTerm[]): (text: string) => Uint16Array {
  const counts = new Uint16Array(terms.length);
  const places = Map.groupBy(terms.keys(), (at) => stemOf((terms[at] as RatedTerm).term));
  places.delete(undefined);
  const inAscii = wordsBeginningLike([...places.keys()].flatMap((stem) => stem ?? []));
  /** For each word as written, the terms it counts for. */
  const known = new Map<string, readonly number[]>();
  return (text) => {
    counts.fill(0);
    for (const word of (isPlain(text) ? text.match(inAscii) : rawWords(text)) ?? []) {
      const own = known.get(word) ?? places.get(termOf(word)) ?? [];
      known.set(word, own);
      for (const at of own) counts[at] = (counts[at] ?? 0) + 1;
    }
    return counts;
  };
}

/** The stem of a term that is one word, else `undefined`. */
function stemOf({ kind, text }: WeightedTerm): string | undefined {
  const words = kind === "word" ? rawWords(text) : [];
  return words.length === 1 && words[0] !== undefined ? termOf(words[0]) : undefined;
}
