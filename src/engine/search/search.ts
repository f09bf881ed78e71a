import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../operation.ts";
import type { Memory } from "../memory.ts";
import type { SearchInput } from "./inputs.ts";
import type { SearchResult } from "./results.ts";

/** Finds words in everything that is remembered. Errors: `invalid_query`, `invalid_date`, `io`. */
export async function runSearch(_memory: Memory, _input: SearchInput, _call: Call): Promise<SearchResult> {
  throw new MemoryError("internal", "Search is not there yet.");
}
