import { wordKeysInOrder } from "../../base/word-keys.ts";
import type { IndexTerm, SearchIndex } from "../../ports/search-index.ts";
import type { Call } from "../operation.ts";

/** A message as it is looked for. */
export interface RecallQuery {
  readonly text: string;
  /** Rarest first. */
  readonly terms: readonly QueryTerm[];
}

export interface QueryTerm {
  readonly term: IndexTerm;
  /** In how many chunks it stands, and its inverse document frequency. */
  readonly count: number;
  readonly idf: number;
}

/** Characters at the beginning and at the end of a message that are looked at; in a long one the ask stands at one of them. */
const mostRead = 4000;
/** Words that are looked for: the rarest. */
const mostTerms = 32;

/** The words of a message, by how rare they are. */
export async function queryOf(index: SearchIndex, text: string, call: Call): Promise<RecallQuery> {
  const read = text.length <= 2 * mostRead ? text : `${text.slice(0, mostRead)}\n${text.slice(-mostRead)}`;
  const words = [...new Set(wordKeysInOrder(read.toWellFormed()))].filter((word) => word.length > 1).slice(0, 400);
  const { rows, counts } = await index.frequencies("chunk", words, call);
  const terms = words.map((word, at): QueryTerm => {
    const count = counts[at] ?? 0;
    return { term: { kind: "word", text: word }, count, idf: Math.log((rows - count + 0.5) / (count + 0.5) + 1) };
  });
  const known = terms.filter(({ count }) => count > 0).toSorted((a, b) => a.count - b.count);
  return { text, terms: known.slice(0, mostTerms) };
}
