import type { MemoryType } from "../../base/memory-type.ts";
import type { Term, Weighted } from "../../text/words/query.ts";
import type { SectionCounts } from "../rank/scores.ts";
import type { IndexedSection, SourceKind, SourceLevel, StatementContext, StoredRow } from "../passages/sections.ts";

export type { SectionCounts } from "../rank/scores.ts";
export type { IndexedSection, IndexedText, SourceKind, SourceLevel, StoredRow } from "../passages/sections.ts";

/**
 * The search index of a memory. It is a cache: everything in it comes from the sources, and an implementation may drop all of it at any time, as long as
 * `state` reports that. Everything written to it has been redacted. Any number of processes may use the same index.
 */
export interface SearchIndex {
  /** Changes when the stored format changes: an index with another id is rebuilt. */
  readonly id: string;

  /** What is indexed, of all sources or only of those of some kinds and levels. An index that is missing, damaged, from another version or built with other rules is `absent`. Errors: `io`. */
  state(
    rules: string,
    options?: { readonly signal?: AbortSignal | undefined; readonly of?: Pick<IndexFilter, "kinds" | "levels"> },
  ): Promise<IndexState>;

  /**
   * Adds, replaces or removes sources atomically. A statement keeps its vector if the replaced source had one with the same text. Creates the index if it is
   * absent, replacing whatever was there. Errors: `busy`, `io`, `disk_full`, `newer_store` for an index made by a newer version.
   */
  write(rules: string, changes: readonly SourceChange[], options?: IndexWriteOptions): Promise<void>;

  /**
   * Matching chunks, best first. Ties: sources without a day first, then the newest, then by key and place. Empty if the index is absent. Without `any` and
   * `all`: every chunk that passes the filter and contains none of the terms in `none`, with score 0, newest day first, chunks without a day last.
   */
  find(query: IndexQuery): Promise<readonly FoundRow[]>;

  /** Rows with their text, in the order of the ids. Rows that no longer exist are left out. */
  rows(unit: IndexUnit, ids: readonly number[]): Promise<readonly StoredRow[]>;

  /** All rows of one unit in these sections: sections in the given order, rows in source order. */
  rowsOfSections(unit: IndexUnit, sections: readonly number[]): Promise<readonly StoredRow[]>;

  /** Rows of one unit that overlap these places, each once, in the order of the places. */
  rowsAt(unit: IndexUnit, places: readonly IndexPlace[]): Promise<readonly StoredRow[]>;

  /** The stored sections of a source, in order, without vectors. Empty if the source or the index is absent. */
  sectionsOf(key: string): Promise<readonly IndexedSection[]>;

  /** The vectors by one embedder (its id) of all statements that pass the filter. Cached in memory until the index changes. */
  vectors(embedder: string, filter: IndexFilter): Promise<VectorTable>;

  /** How many statements can have a vector, and how many lack one by this embedder. Both 0 if the index is absent. */
  vectorCounts(embedder: string): Promise<VectorCounts>;

  /**
   * Statements that lack a vector by this embedder, at most `limit`: those of sources without a day first, then of the newest. `others`: `kept` leaves out sources that have
   * vectors by another embedder, which `putVectors` would replace.
   */
  lackingVectors(embedder: string, limit: number, others?: "kept"): Promise<readonly EmbeddedText[]>;

  /**
   * Stores vectors, atomically. Leaves out those of statements that no longer exist or have another text or context. A vector replaces those by other embedders or of
   * another length in its source. A blank one counts as stored, but is not returned. Does nothing if the index is absent. Errors: `busy`, `io`, `disk_full`.
   */
  putVectors(embedder: string, vectors: readonly StatementVector[]): Promise<void>;

  /**
   * For each term, in order: how many chunks of each section contain it. Also the number of chunks in every section that passes the filter, needed to rank
   * whole sections. Empty if the index is absent.
   */
  sectionHits(terms: readonly IndexTerm[], filter: IndexFilter): Promise<SectionHits>;

  /** How many chunks contain each word (an estimate for frequent words), and how many chunks there are. */
  frequencies(words: readonly string[]): Promise<WordFrequencies>;

  /** Number of rows of a unit. */
  count(unit: IndexUnit): Promise<number>;

  /**
   * Changes with every write by any process; empty if the index is absent. Ids refer to the same rows as long as it stays the same, so a caller that runs
   * several queries compares it before and after.
   */
  generation(): Promise<string>;

  /** The index can be used again afterwards. */
  close(): Promise<void>;
}

export interface IndexWriteOptions {
  readonly signal?: AbortSignal;
  /** `anew`: drops the current index first, unless a newer version made it. Default `kept`. */
  readonly before?: "kept" | "anew";
  /**
   * `settle`: a lot was written, and not much will be for a while. An implementation may spend a tenth of the write time on making later writes cheaper.
   * Default `nothing`.
   */
  readonly after?: "nothing" | "settle";
}

export type IndexUnit = "chunk" | "statement";

export interface IndexState {
  /** `newer`: made by a newer version of the program. It is never written to. */
  readonly is: "ready" | "absent" | "newer";
  /** Why it is absent although there is a file. */
  readonly because?: "damaged" | "other_version" | "other_rules";
  readonly sources: readonly IndexedSource[];
  /** Bytes on disk. */
  readonly bytes: number;
}

export interface IndexedSource {
  /** `memory/2026-03-15.md`, `thread:ID`. */
  readonly key: string;
  readonly kind: SourceKind;
  readonly stamp: string;
  readonly digest: string;
  /** `none`: no secret was found in it when it had this stamp. Default: unknown. */
  readonly secrets?: "none";
}

export type SourceChange =
  | { readonly key: string; readonly remove: true }
  | { readonly key: string; readonly restamp: string }
  | { readonly key: string; readonly put: SourceContent };

/** A source, redacted and cut into sections. Lines are 1-based and inclusive; in a thread they are seqs. */
export interface SourceContent {
  /** The value of `StoredRow.source` when several sources are parts of the same thing, such as a long thread. Default: the key. */
  readonly name?: string;
  readonly kind: SourceKind;
  readonly level: SourceLevel;
  /** The local calendar days it covers; empty for a source without a day. */
  readonly from: string;
  readonly to: string;
  readonly stamp: string;
  readonly digest: string;
  /** See `IndexedSource`. */
  readonly secrets?: "none";
  readonly sections: readonly IndexedSection[];
}

export interface IndexFilter {
  readonly kinds?: readonly SourceKind[];
  readonly levels?: readonly SourceLevel[];
  readonly types?: readonly MemoryType[];
  /** Inclusive days. A source without a day passes only if neither is given; a node only if all of its days pass. */
  readonly since?: string;
  readonly until?: string;
}

/** The sources that recall returns passages from, and whose statements can have vectors. Nodes are left out because they repeat their logs. */
export const recallSources: IndexFilter & { readonly kinds: readonly SourceKind[] } = {
  kinds: ["raw", "thread", "knowledge", "memory"],
};

/** A statement below this weight has no vector: it is hardly ever returned. */
export const leastEmbedded = 0.1;

export interface IndexQuery extends IndexFilter {
  /** Alternatives. Their scores add up. */
  readonly any: readonly WeightedTerm[];
  readonly all?: readonly IndexTerm[];
  readonly none?: readonly IndexTerm[];
  /** At most 10,000. */
  readonly limit: number;
}

/**
 * `word`: stemmed, in the text or its parts; `prefix`: a word or part that begins with it; `phrase`: consecutive words in the text or its parts; `part`: only
 * in `IndexedText.parts`; several parts, separated by spaces, must be consecutive. A term of several words with any separator (`src/a.ts`, `E_CONN`) matches
 * those words in a row; in a `prefix`, only the last word may be incomplete. Parts contain only lower-case letters and digits.
 */
export interface IndexTerm extends Term {}

/** `weight`: a whole number from 1 to 8 that multiplies the term's score. */
export interface WeightedTerm extends Weighted {}

export interface FoundRow {
  readonly id: number;
  readonly section: number;
  /** BM25, higher is better. An implementation may estimate it for all but the best few hundred rows. */
  readonly score: number;
}

/** Row `i` is `vectors[i * dimensions … (i + 1) * dimensions)`. */
export interface VectorTable {
  readonly dimensions: number;
  /** Ids of the statements, ascending, one per row. */
  readonly ids: Int32Array;
  readonly sections: Int32Array;
  readonly vectors: Int8Array;
}

export const noVectors: VectorTable = {
  dimensions: 0,
  ids: new Int32Array(),
  sections: new Int32Array(),
  vectors: new Int8Array(),
};

export interface VectorCounts {
  readonly statements: number;
  readonly lacking: number;
}

/** A statement to embed, with its context. */
export interface EmbeddedText extends StatementContext {
  readonly id: number;
  readonly text: string;
}

/** What it was made of, and the vector. */
export interface StatementVector extends EmbeddedText {
  readonly vector: Vector;
}

export interface IndexPlace extends Pick<StoredRow, "source" | "lines"> {}

export interface SectionHits {
  /** Number of chunks of each section: sources without a day first, then the newest, then by key and place. Cached in memory until the index changes. */
  readonly rows: SectionCounts;
  /** For each term, the number of chunks of each section that has it, by ascending id. */
  readonly terms: readonly SectionCounts[];
}

export interface WordFrequencies {
  readonly rows: number;
  readonly counts: readonly number[];
}

/**
 * A unit vector: each component is multiplied by 254, rounded, and clipped to -127…127. The dot product of two vectors divided by 254² is their cosine. All
 * zeros: the embedder recognizes too little of the text.
 */
export type Vector = Int8Array;

/** Turns texts into vectors that are close if the texts have similar meanings. Must not store or log texts. */
export interface Embedder {
  /** Names the implementation, its version and its model or table (`static-1:1f0c5a20d3b4e691`). Changes when its vectors change. One line without spaces. */
  readonly id: string;
  /** Length of each vector. 0 until the first `embed`, if only the model knows it. */
  readonly dimensions: number;
  /**
   * Returns one vector per text, in order. If a text is too long for the model, only its beginning is used. `purpose`: some models need to know whether a text
   * is a `query` or a `passage`. Errors: `io` (a table is missing or damaged), `model_unavailable` (package or model file missing, endpoint unreachable or too
   * slow), `model_refused` (key or model rejected), `model_answer` (not vectors, or not one per text), `aborted`. No error contains a key.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Vector[]>;
  /** Frees its resources. The embedder can be used again afterwards. */
  close?(): Promise<void>;
}

export interface EmbedOptions {
  readonly purpose: "query" | "passage";
  readonly signal?: AbortSignal;
}
