import { join } from "node:path";
import { createFileOnce } from "./adapters/file-once.ts";
import { createNodeBackground } from "./adapters/node-background.ts";
import { createNodeFiles } from "./adapters/node-files/index.ts";
import { shippedFile } from "./adapters/program-facts.ts";
import type { HookHost } from "./engine/hooks/hook-call.ts";
import type { Memory } from "./engine/memory.ts";
import type { Files } from "./ports/files.ts";
import type { Once } from "./ports/once.ts";

export { nearestChosenFolder } from "./adapters/project-folder.ts";
export { forgetOldSessions, lostMemory, noteMemory } from "./adapters/session-memories.ts";
export { endProcess } from "./adapters/end-process.ts";

/** Who of several hooks of a project is the first. */
export function openHookOnce(dir: string): Once {
  return createFileOnce({ folder: join(dir, ".heartwood", "hooks", "injected") });
}

/** What hooks need besides a memory, with the adapters of this machine. */
export function openHookHost(memory: Memory): HookHost {
  return {
    memory,
    once: openHookOnce(memory.dir),
    background: createNodeBackground({ dir: memory.dir, program: shippedFile("dist/bin.js") }),
  };
}

/** The project folder alone, for when there is no memory to be opened. */
export function openHookFiles(dir: string): Files {
  return createNodeFiles({ root: dir });
}
