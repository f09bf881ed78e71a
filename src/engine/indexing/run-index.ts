import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../operation.ts";
import type { Memory } from "../memory.ts";
import type { IndexInput } from "../search/inputs.ts";
import type { IndexResult } from "../search/results.ts";

/** Brings the whole index up to date. Errors: `busy`, `newer_store`, `disk_full`, `io`. */
export async function runIndex(_memory: Memory, _input: IndexInput, _call: Call): Promise<IndexResult> {
  throw new MemoryError("internal", "The index is not there yet.");
}
