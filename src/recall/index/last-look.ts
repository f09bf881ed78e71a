import type { IndexState, SearchIndex } from "./search-index.ts";
import type { PreparedIndex } from "./prepare.ts";

/** What a process saw when it last looked whether a source had changed. */
export interface Look {
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
