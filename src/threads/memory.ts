import type { ArtifactStore } from "../platform/file-artifacts.ts";
import type { StoreAddress } from "../platform/user-settings/store.ts";
import type { TreeMemory } from "../tree/memory.ts";
import type { ThreadSummarizer } from "./model/summary.ts";
import type { ThreadStore } from "./store/thread-store.ts";

/** An opened project folder, with what threads need. */
export interface ThreadMemory extends TreeMemory {
  /** The frames of all threads. Opened by the first operation on threads and kept open until `close`. */
  readonly threads: ThreadStore;
  /** Writes the lines of thread summaries. Default: the built-in summarizer, which needs no model. */
  readonly threadSummarizer?: ThreadSummarizer;
  /** The server in the user's settings, if any. */
  readonly team?: TeamServer;
}

/** A server that keeps the threads of some projects. */
export interface TeamServer {
  readonly address: StoreAddress;
  readonly pooler?: "transaction";
  /** This folder's part; absent if its threads are in its files. */
  readonly project?: {
    /** The name of its threads on the server. */
    readonly tenant: string;
    /** The stores in the folder, which are not used meanwhile. */
    readonly embedded: ThreadStores;
  };
}

/** Threads, and the artifacts that they name. */
export interface ThreadStores {
  readonly threads: ThreadStore;
  readonly artifacts: ArtifactStore;
}
