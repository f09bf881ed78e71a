import type { MemoryType } from "../../base/memory-type.ts";
import type { Term, Weighted } from "../../text/words/query.ts";
import type { IndexedSection, SourceKind, SourceLevel, StoredRow } from "../passages/sections.ts";

export type { IndexedSection, IndexedText, SourceKind, SourceLevel, StoredRow } from "../passages/sections.ts";

/**
 * The index over what is remembered. It is a cache: everything in it is made of the sources, and an implementation may forget all of it at any time, as
 * long as `state` says so. Whatever is written has been redacted. Any number of processes may use the same one.
 */
export interface SearchIndex {
  /** Changes when what the implementation stores changes: an index of another id is rebuilt. */
  readonly id: string;

  /** What is indexed. A damaged index, one of another version or of other rules, and none at all are `absent`. Errors: `io`. */
  state(rules: string, options?: { readonly signal?: AbortSignal }): Promise<IndexState>;

  /**
   * Puts sources in, replaces or removes them, all or none. Makes the index when it is absent (replacing what was there). Errors: `busy`, `io`,
   * `disk_full`, `newer_store` for an index that a newer version made.
   */
  write(rules: string, changes: readonly SourceChange[], options?: IndexWriteOptions): Promise<void>;

  /**
   * The chunks that match, best first; of equal scores the one of the newer source, then by key and place. Nothing when the index is absent. Without `any` and `all`: every one
   * that passes the filter and has `none` of the terms, of score 0, the newest day first, those without a day last.
   */
  find(query: IndexQuery): Promise<readonly FoundRow[]>;

  /** Rows with their text, in the order of the ids; those that are gone are left out. */
  rows(unit: IndexUnit, ids: readonly number[]): Promise<readonly StoredRow[]>;

  /** All rows of one unit in these sections, in the order of their place. */
  rowsOfSections(unit: IndexUnit, sections: readonly number[]): Promise<readonly StoredRow[]>;

  /** Rows of one unit with lines of these places, each once, in the order of the places. */
  rowsAt(unit: IndexUnit, places: readonly IndexPlace[]): Promise<readonly StoredRow[]>;

  /** What was written of a source, without vectors, in the order of its sections; nothing when the source or the index is absent. */
  sectionsOf(key: string): Promise<readonly IndexedSection[]>;

  /** The vectors of statements, over all sources that pass the filter, kept in memory between calls while nothing changed. */
  vectors(filter: IndexFilter): Promise<VectorTable>;

  /**
   * How often each term is in each section: in how many of its chunks. With the number of chunks of every section that passes the filter, so
   * that whole sections can be ranked. In the order of the terms. Nothing when the index is absent.
   */
  sectionHits(terms: readonly IndexTerm[], filter: IndexFilter): Promise<SectionHits>;

  /** In how many chunks each word is, about when there are thousands; and how many chunks there are. */
  frequencies(words: readonly string[]): Promise<WordFrequencies>;

  /** How many rows of a unit there are. */
  count(unit: IndexUnit): Promise<number>;

  /**
   * Changes with every write of any process; empty when the index is absent. Ids mean the same rows while it is the same: a caller that asks several things compares it
   * before and after.
   */
  generation(): Promise<string>;

  /** Can be used again afterwards. */
  close(): Promise<void>;
}

export interface IndexWriteOptions {
  readonly signal?: AbortSignal;
  /** `anew`: what is indexed is forgotten first, whatever it is; an index of a newer version stays. Default `kept`. */
  readonly before?: "kept" | "anew";
  /**
   * `settle`: much has been written and little will be for a while; an implementation may take a tenth of the time it took to make later writes cheap.
   * Default `nothing`.
   */
  readonly after?: "nothing" | "settle";
}

export type IndexUnit = "chunk" | "statement";

export interface IndexState {
  /** `newer`: a newer version of the program made it; it is read when possible and never written. */
  readonly is: "ready" | "absent" | "newer";
  /** Why it is absent, when there was a file. */
  readonly because?: "damaged" | "other_version" | "other_rules";
  readonly sources: readonly IndexedSource[];
  /** Bytes on the disk. */
  readonly bytes: number;
}

export interface IndexedSource {
  /** `memory/2026-03-15.md`, `thread:ID`. */
  readonly key: string;
  readonly kind: SourceKind;
  readonly stamp: string;
  readonly digest: string;
}

export type SourceChange =
  | { readonly key: string; readonly remove: true }
  | { readonly key: string; readonly restamp: string }
  | { readonly key: string; readonly put: SourceContent };

/** One source, redacted and cut. Lines are 1-based and inclusive; of a thread they are seqs. */
export interface SourceContent {
  /** What `StoredRow.source` says, where several sources are parts of one (a long thread). Default: the key. */
  readonly name?: string;
  readonly kind: SourceKind;
  readonly level: SourceLevel;
  /** The local calendar days it covers; empty for a source without a day. */
  readonly from: string;
  readonly to: string;
  readonly stamp: string;
  readonly digest: string;
  readonly sections: readonly IndexedSection[];
}

export interface IndexFilter {
  readonly kinds?: readonly SourceKind[];
  readonly levels?: readonly SourceLevel[];
  readonly types?: readonly MemoryType[];
  /** Inclusive days; a source without a day passes only when neither is given, a node when all of its days do. */
  readonly since?: string;
  readonly until?: string;
}

export interface IndexQuery extends IndexFilter {
  /** Alternatives that add up. */
  readonly any: readonly WeightedTerm[];
  readonly all?: readonly IndexTerm[];
  readonly none?: readonly IndexTerm[];
  /** At most 10,000. */
  readonly limit: number;
}

/**
 * `word`: stemmed, in the text or among its parts; `prefix`: words or parts that begin so; `phrase`: words in a row, in the text or among its parts;
 * `part`: only among `IndexedText.parts`, several with spaces between are in a row there. A text that holds several words, whatever is between
 * them (`src/a.ts`, `E_CONN`), is these words in a row, and of a `prefix` the last one begins so. Parts are letters and digits only, in lower case.
 */
export interface IndexTerm extends Term {}

/** `weight`: a whole number from 1 to 8: how many times its part of the score counts. */
export interface WeightedTerm extends Weighted {}

export interface FoundRow {
  readonly id: number;
  readonly section: number;
  /** BM25, higher is better; an implementation may take an estimate of it for all but the best hundreds. */
  readonly score: number;
}

/** Row `i` is `vectors[i * dimensions … (i + 1) * dimensions)`. */
export interface VectorTable {
  readonly dimensions: number;
  /** Ids of the statements, ascending, in the order of the rows. */
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

export interface IndexPlace extends Pick<StoredRow, "source" | "lines"> {}

export interface SectionHits {
  /** Chunks, by section id, the newest source first (then by key and place); kept in memory between calls while nothing changed. */
  readonly rows: ReadonlyMap<number, number>;
  /** For each term, by section id; sections without it are absent. */
  readonly terms: readonly ReadonlyMap<number, number>[];
}

export interface WordFrequencies {
  readonly rows: number;
  readonly counts: readonly number[];
}

/**
 * A vector of unit length: each number is 254 times its part, rounded, from -127 to 127. The dot product of two of them divided by
 * 254² is their cosine. All zeros: too little of the text is known to say what it means.
 */
export type Vector = Int8Array;

/** Makes vectors of texts: texts that mean alike get vectors that lie close. It judges no text, remembers none, and writes nothing down. */
export interface Embedder {
  /** Names the implementation, its version and its model or table, as `static-1:1f0c5a20d3b4e691`; changes when its vectors would. One line without spaces. */
  readonly id: string;
  /** How many numbers each vector has. Known from the first `embed` on where a model has to be asked; 0 until then. */
  readonly dimensions: number;
  /**
   * One vector a text, in their order. A text longer than the model can take counts with its beginning. `purpose`: some models want to know whether a text is
   * asked for (`query`) or found (`passage`). Errors: `io` (a table is missing or damaged), `model_unavailable` (package or model file missing, endpoint not reached, too slow), `model_refused`
   * (key, model), `model_answer` (what came back are no vectors, or not as many as texts), `aborted`. No error contains a key.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Vector[]>;
  /** Frees its resources. It can be used again afterwards. */
  close?(): Promise<void>;
}

export interface EmbedOptions {
  readonly purpose: "query" | "passage";
  readonly signal?: AbortSignal;
}
