import { keysOf, tomlLines, type TomlLine } from "./toml-lines.ts";
import { pushAll } from "../../base/lists.ts";

/** The text without the tables that go, by the keys of their headers, and the blank line before each. Comments inside stay: they are somebody's. */
export function withoutTables(text: string, goes: (keys: readonly string[], header: string) => boolean): string {
  const left: string[] = [];
  // Blank lines at the end of a table that goes are those before the next one.
  let blank: string[] = [];
  let doing: "keep" | "take" = "keep";
  for (const line of tomlLines(text).lines) {
    const next = stepAt(line, doing, goes);
    if (next === "take" && line.kind === "header" && doing === "keep" && left.at(-1)?.trim() === "") left.pop();
    if (next === "keep") pushAll(left, doing === "take" ? [...blank, line.raw] : [line.raw]);
    blank = next === "take" && line.said.trim() === "" ? [...blank, line.raw] : [];
    doing = next;
  }
  return left.join("");
}

function stepAt(
  { said, kind }: TomlLine,
  doing: "keep" | "take",
  goes: (keys: readonly string[], header: string) => boolean,
): "keep" | "take" {
  if (kind === "header") return goes(keysOf(said), said.trim()) ? "take" : "keep";
  return kind === "other" && /^\s*#/u.test(said) ? "keep" : doing;
}
