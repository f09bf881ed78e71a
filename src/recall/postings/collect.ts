import { partKey, rawWords, termOf } from "./tokens.ts";

interface List {
  readonly rows: number[];
  readonly counts: number[];
}

/** Collects the postings of rows that are given with ascending ids. */
export class PostingCollector {
  /** By the word as it stands in a text: most stand there again and again. */
  readonly #words = new Map<string, List>();
  readonly #partWords = new Map<string, List>();
  readonly #lists = new Map<string, List>();

  /** Takes a row in; how many words its text and parts have. */
  add(row: number, text: string, parts: string): number {
    const words = rawWords(text);
    for (const word of words) note(this.#words.get(word) ?? this.#listOf(word, "word"), row);
    if (parts === "") return words.length;
    const partWords = rawWords(parts);
    for (const word of partWords) note(this.#partWords.get(word) ?? this.#listOf(word, "part"), row);
    return words.length + partWords.length;
  }

  /** The postings by term, in the order of the terms by code unit. */
  lists(): readonly (readonly [term: string, list: List])[] {
    return [...this.#lists].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  #listOf(word: string, kind: "word" | "part"): List {
    const term = kind === "word" ? termOf(word) : partKey(termOf(word));
    const list = this.#lists.get(term) ?? { rows: [], counts: [] };
    this.#lists.set(term, list);
    (kind === "word" ? this.#words : this.#partWords).set(word, list);
    return list;
  }
}

function note(list: List, row: number): void {
  const last = list.rows.length - 1;
  if (list.rows[last] === row) list.counts[last] = Math.min(255, (list.counts[last] ?? 0) + 1);
  else {
    list.rows.push(row);
    list.counts.push(1);
  }
}
