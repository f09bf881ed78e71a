import type { HookEvent } from "../../hooks/hook-call.ts";
import type { JsonEntry } from "../json-entries.ts";
import type { ClientRequest, Wanted } from "../wanted.ts";
import { pathIn } from "../places.ts";

/**
 * Milliseconds after which a client ends a hook that did not end by itself (docs/formats/hooks.md). Those of a prompt and of the end of its turn are together at most 2.5 seconds, so
 * that a client that starts the hooks of two installs one after another waits 5 at most.
 */
export const hookMilliseconds: Readonly<Record<HookEvent, number>> = {
  "session-start": 1600,
  prompt: 1600,
  "turn-end": 900,
  "before-compaction": 900,
  "session-end": 900,
};

/** For clients that take whole seconds and start all hooks of an event at once. */
export function hookSeconds(event: HookEvent): number {
  return Math.ceil(hookMilliseconds[event] / 1000);
}

/** The skills of the package, each a file of our own. */
export function skillFiles({ shipped: { skills }, places }: ClientRequest, folder: string): readonly Wanted[] {
  return skills.map(({ name, text }) => ({
    kind: "own",
    mode: "usual",
    path: pathIn(places, folder, name, "SKILL.md"),
    text,
  }));
}

/** An entry of `hooks.<Name>`, in the shape that Claude Code made common. */
export function groupEntry(name: string, group: JsonEntry["value"]): JsonEntry {
  return { as: "item", at: ["hooks", name], value: group };
}
