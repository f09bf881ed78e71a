import type { Memory } from "./memory.ts";

/** Removes temporary files of interrupted runs; their targets are whole, old or new. Call it with the `tree` lock held. */
export async function removeLeftovers(memory: Memory, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await memory.files.commit(paths.map((path) => ({ path, bytes: undefined, expect: "anything" })));
}
