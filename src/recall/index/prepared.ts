import type { IndexState, SearchIndex } from "./search-index.ts";
import type { Warning } from "../../base/errors.ts";
import type { NamedEmbedder } from "../memory.ts";

/** An index that a query may ask, and what it lacks. */
export interface PreparedIndex {
  readonly index: SearchIndex;
  /** What made its vectors; absent when it has none. */
  readonly embedder?: NamedEmbedder;
  /** Sources that are not in it as they are now. */
  readonly not_indexed: number;
  /** Sources in all. */
  readonly sources: number;
  readonly warnings: readonly Warning[];
}

/** What a process saw when it last looked whether a source had changed. */
interface Look {
  /** By `performance.now()`. */
  readonly at: number;
  readonly indexed: IndexState["sources"];
  readonly prepared: PreparedIndex;
}

const looks = new WeakMap<SearchIndex, Look>();

export function lastLook(index: SearchIndex): Look | undefined {
  return looks.get(index);
}

export function keepLook(index: SearchIndex, look: Look): void {
  looks.set(index, look);
}

/** Makes the next query look again: something was written. */
export function forgetLook(index: SearchIndex): void {
  looks.delete(index);
}
