import type { Warning } from "../base/errors.ts";
import type { Call } from "../base/operation.ts";
import type { Pointed } from "./run/follow-nodes.ts";
import type { RecallQuery } from "./run/query.ts";
import type { ThreadStore } from "../threads/store/thread-store.ts";
import type { TreeMemory } from "../tree/memory.ts";
import type { Embedder } from "./index/embedder.ts";
import type { SearchIndex } from "./index/search-index.ts";

/** An opened project folder as search and recall see it. */
export interface RecallMemory extends TreeMemory {
  readonly threads: ThreadStore;
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

/** A model that chooses among the topics of nodes. What it does wrong is a warning. */
export interface Chooser {
  /** Asks once for each message and manifest. Errors: `aborted`. */
  choose(message: string, call: Call): Promise<Choice>;
  close(): Promise<void>;
}

export interface Choice {
  /** What to tell of it; nothing when nobody was asked. */
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** Where the chosen topics lead. */
  follow(index: SearchIndex, query: RecallQuery): Promise<readonly Pointed[]>;
}
