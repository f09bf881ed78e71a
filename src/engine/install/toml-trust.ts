import { keysOf, tomlLines } from "./toml-lines.ts";

/**
 * The text without the tables in which Codex remembers that hooks of these files are trusted (`[hooks.state."FILE:event:group:index"]`), and the blank line before each: the files are gone. Tables that
 * stood there before stay.
 */
export function takeTrust(text: string, gone: readonly string[], before: string | undefined): string {
  const known = new Set(tomlLines(before ?? "").lines.map(({ said }) => said.trim()));
  const left: string[] = [];
  // Blank lines at the end of a table that goes are those before the next one.
  let blank: string[] = [];
  let doing: "keep" | "take" = "keep";
  for (const { raw, said, kind } of tomlLines(text).lines) {
    const next = stepAt({ said, kind, doing }, (keys) => isTrust(keys, gone) && !known.has(said.trim()));
    if (next === "take" && kind === "header" && doing === "keep" && left.at(-1)?.trim() === "") left.pop();
    if (next === "keep") left.push(...(doing === "take" ? blank : []), raw);
    blank = next === "take" && said.trim() === "" ? [...blank, raw] : [];
    doing = next;
  }
  return left.join("");
}

function stepAt(
  { said, kind, doing }: { readonly said: string; readonly kind: string; readonly doing: "keep" | "take" },
  goes: (keys: readonly string[]) => boolean,
): "keep" | "take" {
  if (kind === "header") return goes(keysOf(said)) ? "take" : "keep";
  // A comment is somebody's.
  return kind === "other" && /^\s*#/u.test(said) ? "keep" : doing;
}

function isTrust([first, second, key = "", ...more]: readonly string[], gone: readonly string[]): boolean {
  if (first !== "hooks" || second !== "state" || more.length > 0) return false;
  return gone.some((path) => key.startsWith(`${path}:`) || key.startsWith(`${path.replaceAll("\\", "\\\\")}:`));
}
