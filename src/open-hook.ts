import { join } from "node:path";
import { createFileOnce } from "./adapters/file-once.ts";
import { createNodeBackground } from "./adapters/node-background.ts";
import { createNodeFiles } from "./adapters/node-files/index.ts";
import { shippedFile } from "./adapters/program-facts.ts";
import type { HookHost } from "./engine/hooks/hook-call.ts";
import type { Memory } from "./engine/memory.ts";
import { guardFiles, guardOnce, openLocalState } from "./open-local-state.ts";
import type { Files } from "./ports/files.ts";

export { nearestChosenFolder } from "./adapters/project-folder.ts";

/** What hooks need besides a memory, with the adapters of this machine. */
export function openHookHost(memory: Memory): HookHost {
  const once = createFileOnce({ folder: join(memory.dir, ".heartwood", "hooks", "injected") });
  return {
    memory,
    once: guardOnce(once, openLocalState(memory.dir)),
    background: createNodeBackground({ dir: memory.dir, program: shippedFile("dist/bin.js") }),
  };
}

/** The project folder alone, for when there is no memory to be opened. */
export function openHookFiles(dir: string): Files {
  return guardFiles(createNodeFiles({ root: dir }), openLocalState(dir));
}
