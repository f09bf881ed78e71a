import { MemoryError, type Warning } from "../../base/errors.ts";
import type { RecallMemory } from "../memory.ts";
import { rulesOf } from "./rules.ts";
import { runIndex } from "./run-index.ts";

/**
 * Brings the index up to date when there is one: a project that never searches has none. A failure is a warning: the tree is written already. Warnings that
 * were `told` of the same files are not told again. Call it without a lock.
 */
export async function refreshIndex(memory: RecallMemory, told: readonly Warning[]): Promise<readonly Warning[]> {
  try {
    const entries = await memory.files.list(".heartwood/search");
    if (!entries.some(({ name }) => name === "index.sqlite")) return [];
    const { is } = await memory.searchIndex.state(rulesOf(undefined));
    if (is === "newer") return [];
    const known = new Set(told.map(keyOf));
    return (await runIndex(memory, {}, {})).warnings.filter((warning) => !known.has(keyOf(warning)));
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [
      { code: "index_behind", message: `the tree is written, only the search index is behind: ${error.message}` },
    ];
  }
}

function keyOf({ code, path = "" }: Warning): string {
  return `${code} ${path}`;
}
