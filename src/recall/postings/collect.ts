import { nextHash, WordTable } from "./word-table.ts";
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
  readonly #asciiWords = new WordTable<List>();
  readonly #make = (word: string): List => this.#listOf(word, "word");

  /** Takes a row in; how many words its text and parts have. */
  add(row: number, text: string, parts: string): number {
    const words = this.#addAscii(row, text) ?? this.#addAny(row, text);
    if (parts === "") return words;
    const partWords = rawWords(parts);
    for (const word of partWords) note(this.#partWords.get(word) ?? this.#listOf(word, "part"), row);
    return words + partWords.length;
  }

  /** Most texts are ASCII; `undefined` at the first letter that is not, with nothing taken in. */
  #addAscii(row: number, text: string): number | undefined {
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return undefined;
    let words = 0;
    for (let at = 0; at < text.length; at++) {
      const from = at;
      let hash = 0;
      for (let code = text.charCodeAt(at); isWordCode(code); code = text.charCodeAt(at)) {
        hash = nextHash(hash, code);
        at += 1;
      }
      if (at === from) continue;
      note(this.#asciiWords.at(text, { from, to: at, hash }, this.#make), row);
      words += 1;
    }
    return words;
  }

  #addAny(row: number, text: string): number {
    const words = rawWords(text);
    for (const word of words) note(this.#words.get(word) ?? this.#listOf(word, "word"), row);
    return words.length;
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

function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function note(list: List, row: number): void {
  const last = list.rows.length - 1;
  if (list.rows[last] === row) list.counts[last] = Math.min(255, (list.counts[last] ?? 0) + 1);
  else {
    list.rows.push(row);
    list.counts.push(1);
  }
}
