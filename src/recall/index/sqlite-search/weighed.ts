import { isPlain } from "../../../text/words/scripts.ts";
import type { FoundRow, WeightedTerm } from "../search-index.ts";
import { rawWords, termOf, wordsBeginningLike } from "../../../text/words/index-terms.ts";
import type { Corpus } from "./corpus.ts";
import type { OwnOfRow } from "./held-rows.ts";
import { holds } from "./lists.ts";

/** A term with what one point of it is worth. */
export interface RatedTerm {
  readonly term: WeightedTerm;
  readonly rarity: number;
  /** The rows that hold it; `undefined` for a word so frequent that it is only counted in rows that others found. */
  readonly list: Int32Array | undefined;
}

/** Constants of BM25 (Robertson and Zaragoza 2009); FTS5 has the same. */
const saturation = 1.2;
const lengthShare = 0.75;

/** BM25 of rows, from their text, in their order. What is not a single word counts once. */
export function weighedRows(
  { usual }: Corpus,
  of: { readonly rows: readonly OwnOfRow[]; readonly terms: readonly RatedTerm[] },
): readonly FoundRow[] {
  const counter = new Counter(of.terms);
  return of.rows.map(({ id, section, text }) => {
    const counts = counter.countIn(text);
    const length = saturation * (1 - lengthShare + (lengthShare * text.length) / usual);
    let score = 0;
    of.terms.forEach(({ rarity, list }, at) => {
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
export function stemOf({ kind, text }: WeightedTerm): string | undefined {
  const words = kind === "word" ? rawWords(text) : [];
  return words.length === 1 && words[0] !== undefined ? termOf(words[0]) : undefined;
}
