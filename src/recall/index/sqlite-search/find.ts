import { lengthShare, saturation } from "../../rank/options.ts";
import { rarityOf } from "../../rank/scores.ts";
import type { FoundRow, IndexQuery, IndexTerm, WeightedTerm } from "../search-index.ts";
import { countOf, listOf, holds, type Corpus } from "./corpus.ts";
import type { HeldRows, OwnOfRow } from "./rows.ts";
import { isIn, passingRanges, type IdRange, type Session } from "./schema.ts";
import { isPlain } from "../../../text/words/scripts.ts";
import { wordsBeginningLike, rawWords, termOf } from "../../../text/words/index-terms.ts";

/** Rows whose text is looked at, at least: with them the best 50 are those of BM25 over all rows. */
const leastWeighed = 200;
const mostWeighed = 1000;
/** Rows of lists that are read at once, the shortest first; longer ones only when these have too few rows. */
const rowsAtOnce = 40_000;

/** The best rows: first by which terms they hold, then those at the top by BM25 of their text. */
export function findRows(session: Session, corpus: Corpus, held: HeldRows, query: IndexQuery): readonly FoundRow[] {
  const { any, all = [], none = [], limit } = query;
  const ranges = passingRanges(session, "chunk", query);
  if (ranges?.length === 0) return [];
  const excluded = none.map((term) => listOf(session, corpus, term));
  if (any.length + all.length === 0) return newestRows(session, ranges, excluded, limit);
  const isSame = (a: IndexTerm, b: IndexTerm): boolean => a.kind === b.kind && a.text === b.text;
  const required = all.map((term) => listOf(session, corpus, term));
  const others = all.filter((term) => !any.some((one) => isSame(one, term))).map((term) => ({ ...term, weight: 1 }));
  const weighed = Math.max(leastWeighed, Math.min(limit, mostWeighed));
  const search = new Search(corpus, passingRows(corpus, ranges, excluded, required));
  const terms = search.run(session, [...any, ...others], Math.max(limit, weighed));
  const best = search.best;
  const places = new Map(best.map(({ row, place }) => [row, place]));
  const placeOf = ({ id }: FoundRow): number => places.get(id) ?? 0;
  const rows = held.chunks(
    session,
    best.slice(0, weighed).map(({ row }) => row),
  );
  // The first `weighed` of the best by BM25; those after them keep their order, and score no more than these.
  const first = weighedRows(corpus, rows, terms).toSorted((a, b) => b.score - a.score || placeOf(a) - placeOf(b));
  const least = first.at(-1)?.score ?? 0;
  const section = session.statement("SELECT section FROM chunk WHERE id = ?");
  const rest = best.slice(weighed, limit).flatMap(({ row, score }) => {
    const found = section.get(row) as { readonly section: number } | undefined;
    return found === undefined ? [] : [{ id: row, section: found.section, score: Math.min(least, score) }];
  });
  return [...first, ...rest].slice(0, limit);
}

interface FoundPlace {
  readonly row: number;
  /** In the order of the corpus, by which equal scores stand. */
  readonly place: number;
  readonly score: number;
}

class Search {
  readonly #corpus: Corpus;
  readonly #scores: Float32Array;
  readonly #passing: Uint8Array | undefined;
  best: readonly FoundPlace[] = [];

  constructor(corpus: Corpus, passing: Uint8Array | undefined) {
    this.#corpus = corpus;
    this.#scores = new Float32Array(corpus.past);
    this.#passing = passing;
  }

  /** Adds up the shortest lists, and longer ones as long as there are fewer than `wanted` rows. */
  run(session: Session, terms: readonly WeightedTerm[], wanted: number): readonly RatedTerm[] {
    const counted = terms
      .map((term, at) => ({ term, at, count: countOf(session, this.#corpus, term) }))
      .toSorted((a, b) => a.count - b.count);
    // In the order of the query: that of estimates would tell in the last digits of sums which source was written first.
    const rated: RatedTerm[] = [];
    let read = 0;
    let most = rowsAtOnce;
    for (const { term, at, count } of counted) {
      if (read > 0 && read + count > most && stemOf(term) !== undefined) {
        if (this.#hasFound(wanted)) {
          rated[at] = { term, list: undefined, rarity: this.#rarityOf(term, count) };
          continue;
        }
        most += rowsAtOnce;
      }
      const list = listOf(session, this.#corpus, term);
      const rarity = this.#rarityOf(term, list.length);
      rated[at] = { term, list, rarity };
      const scores = this.#scores;
      for (let next = 0; next < list.length; next++) {
        const row = list[next] ?? 0;
        scores[row] = (scores[row] ?? 0) + rarity;
      }
      read += list.length;
    }
    this.#collect(wanted);
    return rated;
  }

  #rarityOf({ weight }: WeightedTerm, found: number): number {
    return weight * rarityOf(found, this.#corpus.rows);
  }

  /** Whether so many rows that pass have a score. */
  #hasFound(wanted: number): boolean {
    const [scores, passing] = [this.#scores, this.#passing];
    let found = 0;
    for (let row = 0; row < scores.length && found < wanted; row++)
      if ((scores[row] ?? 0) > 0 && (passing === undefined || passing[row] === 1)) found += 1;
    return found >= wanted;
  }

  #collect(wanted: number): void {
    const [scores, passing] = [this.#scores, this.#passing];
    const { inOrder } = this.#corpus;
    const inPlaces = new Float32Array(inOrder.length);
    for (let place = 0; place < inOrder.length; place++) {
      const row = inOrder[place] ?? 0;
      if (passing === undefined || passing[row] === 1) inPlaces[place] = scores[row] ?? 0;
    }
    this.best = bestPlaces(inPlaces, wanted).map((place) => ({
      row: inOrder[place] ?? 0,
      place,
      score: inPlaces[place] ?? 0,
    }));
  }
}

/** 1 for each row that passes; `undefined` when all do. */
function passingRows(
  { past }: Corpus,
  ranges: readonly IdRange[] | undefined,
  excluded: readonly Int32Array[],
  required: readonly Int32Array[],
): Uint8Array | undefined {
  if (ranges === undefined && excluded.length + required.length === 0) return undefined;
  const passing = new Uint8Array(past);
  for (const { from, to } of ranges ?? [{ from: 0, to: past }]) passing.fill(1, from, to);
  for (const list of excluded) for (const row of list) passing[row] = 0;
  for (const list of required) {
    // One that is required twice is required.
    for (const row of list) if (passing[row] === 1) passing[row] = 2;
    for (let row = 0; row < past; row++) passing[row] = (passing[row] ?? 0) >> 1;
  }
  return passing;
}

/** Without a word to look for: the newest day first. */
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

/**
 * The places of the best scores above 0, at most `most`, best first; of equal scores the smaller place is the better. A sort of the numbers alone, which is one call,
 * tells from which score on a place is one of them. n log n in the scores.
 */
export function bestPlaces(scores: Float32Array, most: number): readonly number[] {
  const sorted = scores.slice().sort();
  const least = sorted[Math.max(0, sorted.length - most)] ?? 0;
  const better: number[] = [];
  const equal: number[] = [];
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score > least && score > 0) better.push(place);
    else if (score === least && score > 0 && equal.length < most) equal.push(place);
  }
  better.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...better, ...equal].slice(0, most);
}

/** A term with what one point of it is worth. */
interface RatedTerm {
  readonly term: WeightedTerm;
  readonly rarity: number;
  /** The rows that hold it; `undefined` for a word so frequent that it is only counted in rows that others found. */
  readonly list: Int32Array | undefined;
}

/** BM25 of rows, from their text, in their order. What is not a single word counts once. */
function weighedRows({ usual }: Corpus, rows: readonly OwnOfRow[], terms: readonly RatedTerm[]): readonly FoundRow[] {
  const counter = new Counter(terms);
  return rows.map(({ id, section, text }) => {
    const counts = counter.countIn(text);
    const length = saturation * (1 - lengthShare + (lengthShare * text.length) / usual);
    let score = 0;
    terms.forEach(({ rarity, list }, at) => {
      const inText = counts[at] ?? 0;
      const count = list === undefined ? inText : holds(list, id) ? Math.max(1, inText) : 0;
      score += (rarity * (saturation + 1) * count) / (count + length);
    });
    return { id, section, score };
  });
}

/** Counts single words of a query in texts, by their stems. */
class Counter {
  readonly #places = new Map<string, number[]>();
  readonly #inAscii: RegExp;
  /** By the word as it stands in a text: the terms that it counts for. */
  readonly #known = new Map<string, readonly number[]>();
  readonly #counts: Uint16Array;

  constructor(terms: readonly RatedTerm[]) {
    this.#counts = new Uint16Array(terms.length);
    terms.forEach(({ term }, at) => {
      const stem = stemOf(term);
      if (stem === undefined) return;
      this.#places.set(stem, [...(this.#places.get(stem) ?? []), at]);
    });
    this.#inAscii = wordsBeginningLike(this.#places.keys());
  }

  /** By term; good until the next call. */
  countIn(text: string): Uint16Array {
    this.#counts.fill(0);
    const words = isPlain(text) ? text.match(this.#inAscii) : rawWords(text);
    for (const word of words ?? []) this.#count(word);
    return this.#counts;
  }

  #count(word: string): void {
    let places = this.#known.get(word);
    if (places === undefined) {
      places = this.#places.get(termOf(word)) ?? [];
      this.#known.set(word, places);
    }
    for (const at of places) this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }
}

/** The stem of a term that is one word. */
function stemOf({ kind, text }: WeightedTerm): string | undefined {
  const words = kind === "word" ? rawWords(text) : [];
  return words.length === 1 && words[0] !== undefined ? termOf(words[0]) : undefined;
}
