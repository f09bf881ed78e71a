import type { Warning } from "../../base/errors.ts";
import type { SearchIndex } from "./search-index.ts";
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

/** `whole`: bring everything in. Else at most so many milliseconds of work, the newest sources first. */
export type Patience = "whole" | Haste;

/** With `as_it_is` nothing is brought in, unless sources are gone. */
export interface Haste {
  readonly ms: number;
  readonly index?: "as_it_is";
}
