import type { Warning } from "../base/errors.ts";
import type { Call } from "../base/operation.ts";
import type { LayerName } from "./context/print.ts";
import type { RecallQuery } from "./run/query.ts";
import type { Role } from "../base/summary-line.ts";
import type { TreeMemory } from "../tree/memory.ts";
import type { Embedder, SearchIndex } from "./index/search-index.ts";

/** A memory that is asked after the project's own. */
export interface Layer {
  readonly name: LayerName;
  readonly memory: RecallMemory;
}

/** An open project folder, as search and recall see it. */
export interface RecallMemory extends TreeMemory {
  readonly threadReader: ThreadReader;
  /** Opened on the first query. */
  readonly searchIndex: SearchIndex;
  /** Turns text into vectors, if the project names no other. Opened when the first vector is needed; absent if none is installed. */
  readonly embedder?: NamedEmbedder | undefined;
  /** Used if no embedder is installed: finds other words for the same thing, but knows nothing of sentences. */
  readonly wordVectors?: NamedEmbedder;
  /** Embedders in the user's settings. A project can choose one by name. */
  readonly embedders?: ReadonlyMap<string, NamedEmbedder>;
  /** Opens the model that chooses among nodes, for a single recall; `undefined` if the user's settings allow none. */
  openChooser?(memory: RecallMemory): Promise<Chooser | undefined>;
  /** `personal`: the user's own memory, which capture never writes. Default: a project's. */
  readonly kind?: "personal";
  /** The memories under this one that the user trusts, in order; looked up on each call. Closed with this one. */
  under?(): Promise<readonly Layer[]>;
}

/** An embedder whose id is known before it is opened, because opening may load a table or a model. Once open, it stays open. */
export interface NamedEmbedder extends Pick<Embedder, "id"> {
  /**
   * `slow`: it may be on another machine or take seconds to load, so a prompt hook does without it. `instant`: it takes less than indexing does, so its vectors are made with the
   * index. Default: it answers within a few dozen milliseconds.
   */
  readonly pace?: "slow" | "instant";
  /** `bulk`: for thousands of texts, with more of the machine. */
  open(load?: "bulk"): Promise<Embedder>;
}

/** How many statements can have a vector by an embedder, and how many lack one. */
export interface EmbeddedCount {
  /** The id of the embedder. */
  readonly embedder: string;
  readonly embeddable: number;
  readonly not_embedded: number;
}

/** A model that chooses among the topics of nodes. Its failures become warnings. */
export interface Chooser {
  /** Asks once per message and manifest. Errors: `aborted`. */
  choose(message: string, call: Call): Promise<Choice>;
  close(): Promise<void>;
}

export interface Choice {
  /** What to report about the choice; empty if no model was asked. */
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** Other words for what the message is about; empty if no model was asked. */
  readonly words: readonly string[];
  /** The source lines that the chosen topics refer to. */
  follow(index: SearchIndex, query: RecallQuery): Promise<readonly Pointed[]>;
}

/** Source lines that a line of ROOT.md or of a node refers to. */
export interface Pointed {
  /** `chosen`: chosen by a model, in the step `manifest`. */
  readonly step: "root" | "manifest" | "chosen";
  /** `memory/2026-03-15.md`. */
  readonly source: string;
  readonly lines: readonly [number, number];
  /** 0 to 1: the share of the message's weight found in the referring line. */
  readonly strength: number;
}

/** What recall reads from threads. Every call can fail with the store's errors. */
export interface ThreadReader {
  /** `server`: the folder has no file by which it can be seen whether there are threads. Default: the folder. */
  readonly place?: "server";
  list(): Promise<readonly ThreadSize[]>;
  /** Errors: `invalid_thread_id`, `thread_not_found`. */
  head(threadId: string): Promise<ThreadSize>;
  /** The messages in this range of seqs (inclusive), in order. */
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

/** An index that is ready to query, and what is missing from it. */
export interface PreparedIndex {
  readonly index: SearchIndex;
  /** The embedder whose vectors are used; absent if there is none. */
  readonly embedder?: NamedEmbedder;
  /** How many statements lack a vector by it; absent without an embedder, and for a prompt hook, which does not say. */
  readonly embedded?: EmbeddedCount;
  /** Number of sources whose current content is not in the index. */
  readonly not_indexed: number;
  /** The logs whose current content may not be in the index, newest first. */
  readonly behind?: readonly string[];
  readonly warnings: readonly Warning[];
}
