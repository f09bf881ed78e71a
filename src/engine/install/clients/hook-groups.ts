import type { JsonEntry } from "../json-put.ts";
import { commandLine } from "../script.ts";
import type { ClientRequest, Wanted } from "../wanted.ts";
import { pathIn } from "../places.ts";

/** The events of `heartwood hook`. */
export type HookEvent = "session-start" | "prompt" | "turn-end" | "before-compaction" | "session-end";

/** Seconds after which a client ends a hook. Each answers in a fraction of one; what takes longer it leaves to a process of its own. */
export const hookSeconds: Readonly<Record<HookEvent, number>> = {
  "session-start": 10,
  prompt: 5,
  "turn-end": 10,
  "before-compaction": 10,
  "session-end": 3,
};

export function hookCommand({ places, script }: ClientRequest, client: string, event: HookEvent): string {
  return commandLine(places, [script, "hook", client, event]);
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
