import type { TreeMemory } from "../tree/memory.ts";
import type { ThreadSummarizer } from "./model/summary.ts";
import type { ThreadStore } from "./store/thread-store.ts";

/** An opened project folder, with what threads need. */
export interface ThreadMemory extends TreeMemory {
  /** The frames of all threads. Opened by the first operation on threads and kept open until `close`. */
  readonly threads: ThreadStore;
  /** Writes the lines of thread summaries. Default: the built-in summarizer, which needs no model. */
  readonly threadSummarizer?: ThreadSummarizer;
}
