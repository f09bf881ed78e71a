import { MemoryError } from "../../base/errors.ts";
import { archiveFolder, memoryFolder, nodeLevels } from "../model/period.ts";
import { isTemporaryName } from "../../base/known-paths.ts";
import type { TreeMemory } from "../memory.ts";

/** Everywhere that a batch of changes may have been interrupted; the project folder itself for MEMORY.md. */
const flatFolders = ["", memoryFolder, ...nodeLevels.map((level) => `${memoryFolder}/${level}`)];
const deepFolders = [archiveFolder, ".heartwood"];

/**
 * Removes temporary files of interrupted runs; their targets are whole, old or new. Call it with the `tree` lock held; the `append` lock is taken,
 * so that no temporary file of a state file that is being counted is taken for a leftover.
 */
export async function removeLeftovers(memory: TreeMemory): Promise<void> {
  if ((await findLeftovers(memory)).length === 0) return;
  const lease = await memory.locks.acquire("append", { holder: "compact", waitMs: 30_000 });
  try {
    const paths = await findLeftovers(memory);
    await memory.files.commit(paths.map((path) => ({ path, bytes: undefined, expect: "anything" })));
  } finally {
    await lease.release();
  }
}

/** For a run that has nothing else to do. When another run is under way the files may be its own, and it removes the others. */
export async function removeLeftoversAlone(memory: TreeMemory): Promise<void> {
  try {
    const lease = await memory.locks.acquire("tree", { holder: "compact" });
    await removeLeftovers(memory).finally(() => lease.release());
  } catch (error) {
    if (!(error instanceof MemoryError && error.code === "busy")) throw error;
  }
}

/** Temporary files of interrupted runs, and of one that is under way. */
export async function findLeftovers(memory: TreeMemory): Promise<readonly string[]> {
  const found: string[] = [];
  const look = async (folder: string, depth: "flat" | "deep"): Promise<void> => {
    for (const entry of await memory.files.list(folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.kind === "file" && isTemporaryName(entry.name)) found.push(path);
      if (entry.kind === "folder" && depth === "deep") await look(path, depth);
    }
  };
  for (const folder of flatFolders) await look(folder, "flat");
  for (const folder of deepFolders) await look(folder, "deep");
  return found;
}
