import { createNodeBackground } from "./platform/commands.ts";
import { createNodeFiles } from "./platform/node-files/node-files.ts";
import { nearestMemory, otherOwners, personalMemory } from "./platform/folders.ts";
import { shippedFile } from "./platform/program.ts";
import type { HookHost } from "./agents/hooks/hook-call.ts";
import type { Memory } from "./operations/operation.ts";
import { guardFiles } from "./platform/local-state/guards.ts";
import { openLocalState } from "./platform/local-state.ts";
import { openTrusted, type Consent } from "./platform/trust.ts";
import type { Files } from "./platform/files.ts";

/** Finds the nearest memory, searching upward, or else the personal one, and whether it is trusted. `undefined` if there is none, or if it is untrusted and either has no configuration or contains other users' files. */
export function nearestForHook(
  from: string,
  consent: Consent,
): { readonly dir: string; readonly trust: "trusted" | "untrusted" } | undefined {
  const found = nearestMemory(from);
  if (found === undefined) {
    const personal = personalMemory();
    return personal !== undefined && openTrusted().isTrusted(personal)
      ? { dir: personal, trust: "trusted" }
      : undefined;
  }
  if (consent === "given" || openTrusted().isTrusted(found.dir)) return { dir: found.dir, trust: "trusted" };
  // Do not announce another user's folder: anyone can put one above a shared folder.
  const isOwn = found.configured === "yes" && otherOwners(found.dir).length === 0;
  return isOwn ? { dir: found.dir, trust: "untrusted" } : undefined;
}

/** A memory plus a way to start background processes on this machine, which hooks need. */
export function openHookHost(memory: Memory, consent: Consent): HookHost {
  const background = createNodeBackground({ dir: memory.dir, program: shippedFile("dist/bin.js") });
  return {
    memory,
    background: {
      ...background,
      // A background hook needs the same consent; other commands do not check it.
      start: (words) => background.start(words[0] === "hook" && consent === "given" ? [...words, "--trust"] : words),
    },
  };
}

/** The files of a project folder, for hooks that cannot open the memory. */
export function openHookFiles(dir: string): Files {
  return guardFiles(createNodeFiles({ root: dir }), openLocalState(dir));
}
