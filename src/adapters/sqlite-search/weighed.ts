import type { FoundRow, WeightedTerm } from "../../ports/search-index.ts";
import { rawWords, termOf } from "../../recall/words/stored-words.ts";
import type { Corpus } from "./corpus.ts";
import { holds } from "./lists.ts";
import type { Session } from "./session.ts";

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

interface Text {
  readonly section: number;
  readonly text: string;
}

/** BM25 of rows, from their text, in the order given; those that are no more are left out. What is not a single word counts once. */
export function weighedRows(
  session: Session,
  { usual }: Corpus,
  of: { readonly rows: readonly number[]; readonly terms: readonly RatedTerm[] },
): readonly FoundRow[] {
  const counter = new Counter(of.terms);
  const one = session.statement("SELECT section, text FROM chunk WHERE id = ?");
  return of.rows.flatMap((row) => {
    const found = one.get(row) as Text | undefined;
    if (found === undefined) return [];
    const counts = counter.countIn(found.text);
    const length = saturation * (1 - lengthShare + (lengthShare * found.text.length) / usual);
    let score = 0;
    of.terms.forEach(({ rarity, list }, at) => {
      const inText = counts[at] ?? 0;
      const count = list === undefined ? inText : holds(list, row) ? Math.max(1, inText) : 0;
      score += (rarity * (saturation + 1) * count) / (count + length);
    });
    return { id: row, section: found.section, score };
  });
}

/** Counts single words of a query in texts, by their stems. */
class Counter {
  readonly #places = new Map<string, number[]>();
  /** By the code of a letter: whether a stem begins with it, in either case. */
  readonly #begins = new Uint8Array(128);
  /** By the word as it stands in a text: the terms that it counts for. */
  readonly #known = new Map<string, readonly number[]>();
  readonly #counts: Uint16Array;

  constructor(terms: readonly RatedTerm[]) {
    this.#counts = new Uint16Array(terms.length);
    terms.forEach(({ term }, at) => {
      const stem = stemOf(term);
      if (stem === undefined) return;
      this.#places.set(stem, [...(this.#places.get(stem) ?? []), at]);
      for (const letter of [stem.charAt(0), stem.charAt(0).toUpperCase()]) this.#begins[letter.charCodeAt(0)] = 1;
    });
  }

  /** By term; good until the next call. */
  countIn(text: string): Uint16Array {
    this.#counts.fill(0);
    for (let at = 0; at < text.length; at++) {
      const from = at;
      let code = text.charCodeAt(at);
      const isWanted = this.#begins[code] === 1;
      let isAscii = true;
      for (; isWordCode(code); code = text.charCodeAt(at)) {
        if (code > 127) isAscii = false;
        at += 1;
      }
      // A stem has the first letter of its word.
      if (!isAscii) for (const word of rawWords(text.slice(from, at))) this.#count(word);
      else if (isWanted) this.#count(text.slice(from, at));
    }
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

/** A letter or digit of ASCII, or anything that is no ASCII. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || code > 127 || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** The stem of a term that is one word. */
export function stemOf({ kind, text }: WeightedTerm): string | undefined {
  const words = kind === "word" ? rawWords(text) : [];
  return words.length === 1 && words[0] !== undefined ? termOf(words[0]) : undefined;
}
