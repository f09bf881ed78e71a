import { tomlLines } from "./toml-lines.ts";
import { withoutTables } from "./toml-without.ts";

/**
 * The text without the tables in which Codex remembers that hooks of these files are trusted (`[hooks.state."FILE:event:group:index"]`): the files are gone. Tables that stood there before stay.
 */
export function takeTrust(text: string, gone: readonly string[], before: string | undefined): string {
  const known = new Set(tomlLines(before ?? "").lines.map(({ said }) => said.trim()));
  return withoutTables(text, (keys, header) => isTrust(keys, gone) && !known.has(header));
}

function isTrust([first, second, key = "", ...more]: readonly string[], gone: readonly string[]): boolean {
  if (first !== "hooks" || second !== "state" || more.length > 0) return false;
  return gone.some((path) => key.startsWith(`${path}:`) || key.startsWith(`${path.replaceAll("\\", "\\\\")}:`));
}
