import type { Warning } from "../base/errors.ts";
import type { Call } from "../base/operation.ts";
import type { RecallQuery } from "./run/query.ts";
import type { Role } from "../base/summary-line.ts";
import type { TreeMemory } from "../tree/memory.ts";
import type { Embedder, SearchIndex } from "./index/search-index.ts";

/** An opened project folder as search and recall see it. */
export interface RecallMemory extends TreeMemory {
  readonly threadReader: ThreadReader;
  /** Opened by the first query. */
  readonly searchIndex: SearchIndex;
  /** Makes vectors of texts; absent without one. Opened when the first vector is needed. */
  readonly embedder?: NamedEmbedder;
  /** The embedders of the user's settings, which a project may choose by name. */
  readonly embedders?: ReadonlyMap<string, NamedEmbedder>;
  /** Opens the model that the user's settings let choose among nodes, for one recall; `undefined` without one. */
  openChooser?(memory: RecallMemory): Promise<Chooser | undefined>;
}

/** An embedder whose id is known before it is opened: opening may load a table or a model. An opened one is kept. */
export interface NamedEmbedder extends Pick<Embedder, "id"> {
  /** `slow`: a query that finds new sources does not wait for their vectors; `index` makes them. Default: it waits. */
  readonly pace?: "slow";
  open(): Promise<Embedder>;
}

/** A model that chooses among the topics of nodes. Its failures are warnings. */
export interface Chooser {
  /** Asks once for each message and manifest. Errors: `aborted`. */
  choose(message: string, call: Call): Promise<Choice>;
  close(): Promise<void>;
}

export interface Choice {
  /** What to report of it; empty when no model was asked. */
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** Where the chosen topics lead. */
  follow(index: SearchIndex, query: RecallQuery): Promise<readonly Pointed[]>;
}

/** Source lines that a line of ROOT.md or of a node refers to. */
export interface Pointed {
  /** `chosen`: by a model, in the step `manifest`. */
  readonly step: "root" | "manifest" | "chosen";
  /** `memory/2026-03-15.md`. */
  readonly source: string;
  readonly lines: readonly [number, number];
  /** 0 to 1: the share of the message's weight in the line that leads here. */
  readonly strength: number;
}

/** The threads, as far as recall reads them. Errors of all: those of the store. */
export interface ThreadReader {
  list(): Promise<readonly ThreadSize[]>;
  /** Errors: `invalid_thread_id`, `thread_not_found`. */
  head(threadId: string): Promise<ThreadSize>;
  /** The messages whose seqs are in this range, both ends included, in their order. */
  messages(threadId: string, seqs: readonly [from: number, to: number]): Promise<readonly ThreadMessage[]>;
}

export interface ThreadSize {
  readonly thread_id: string;
  readonly title: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  /** The seq of the last frame; not every frame is a message. */
  readonly head_seq: number;
  readonly weight: number;
}

export interface ThreadMessage {
  readonly seq: number;
  readonly time_ms: number;
  readonly role: Role;
  readonly content: string;
}

/** An index that a query may ask, and what it lacks. */
export interface PreparedIndex {
  readonly index: SearchIndex;
  /** What made its vectors; absent when it has none. */
  readonly embedder?: NamedEmbedder;
  /** Sources that are not in it as they are now. */
  readonly not_indexed: number;
  readonly warnings: readonly Warning[];
}
