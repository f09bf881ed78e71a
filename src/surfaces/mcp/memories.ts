import { resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { Memory } from "../../operations/memory.ts";

/** The memories that a server may work in. */
export interface Memories {
  /** The server's own, opened by the first call that needs it. Errors: `no_memory` and those of opening. */
  memory(): Promise<Memory>;
  /** Another one, by the absolute path of its folder. Errors: as those of `memory`. */
  openFolder(folder: string): Promise<Memory>;
  /** Whether a folder is inside what is trusted. */
  isTrusted(folder: string): Promise<boolean>;
}

/**
 * Runs the work in the memory of the folder that a call names, or in the server's own: `auto`, no name, or its own folder. Errors: `invalid_path` for a
 * folder that is not trusted.
 */
export async function withMemory<T>(
  memories: Memories,
  named: string | undefined,
  work: (memory: Memory) => Promise<T>,
): Promise<T> {
  const own = await memories.memory();
  const folder = named === undefined || named === "auto" ? own.dir : resolve(own.dir, named);
  if (folder === own.dir) return work(own);
  if (!(await memories.isTrusted(folder))) {
    const sentence = `workspace is ${quoted(folder)}, which is not in a folder that the user trusts; give auto, or a folder inside ${own.dir}.`;
    throw new MemoryError("invalid_path", sentence, { field: "workspace" });
  }
  const other = await memories.openFolder(folder).catch((error: unknown) => {
    if (!(error instanceof MemoryError) || error.code !== "no_memory") throw error;
    const sentence = `workspace is ${quoted(folder)}, which has no memory; give auto, or a folder that contains memory/ or MEMORY.md.`;
    throw new MemoryError("no_memory", sentence, { field: "workspace" }, error);
  });
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}

function quoted(folder: string): string {
  return JSON.stringify(shown(folder, 200));
}
