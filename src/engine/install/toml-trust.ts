import { keysOf, tomlLines } from "./toml-lines.ts";
import { withoutTables } from "./toml-without.ts";

/**
 * The text without the tables in which Codex remembers that hooks of these files are trusted (`[hooks.state."FILE:event:group:index"]`): the files are gone. With the last
 * of them goes the table `[hooks.state]` when it is empty. Tables that stood there before stay.
 */
export function takeTrust(text: string, gone: readonly string[], before: string | undefined): string {
  const known = new Set(tomlLines(before ?? "").lines.map(({ said }) => said.trim()));
  const taken = withoutTables(text, (keys, header) => isTrust(keys, gone) && !known.has(header));
  if (taken === text || holdsStates(taken)) return taken;
  return withoutTables(taken, (keys, header) => isStates(keys) && keys.length === 2 && !known.has(header));
}

/** Whether anything is said in `[hooks.state]` or in a table below it, and be it a comment. */
function holdsStates(text: string): boolean {
  let keys: readonly string[] = [];
  return tomlLines(text).lines.some(({ said, kind }) => {
    if (kind !== "header") return isStates(keys) && said.trim() !== "";
    keys = keysOf(said);
    return isStates(keys) && keys.length > 2;
  });
}

function isStates([first, second]: readonly string[]): boolean {
  return first === "hooks" && second === "state";
}

function isTrust(keys: readonly string[], gone: readonly string[]): boolean {
  const [, , key = ""] = keys;
  if (!isStates(keys) || keys.length > 3) return false;
  return gone.some((path) => key.startsWith(`${path}:`) || key.startsWith(`${path.replaceAll("\\", "\\\\")}:`));
}
