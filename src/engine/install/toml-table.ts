import { MemoryError } from "../../base/errors.ts";
import { endFor, lineEndOf, withoutEnd } from "./added-end.ts";
import { keysOf, tomlLines, type TomlLine } from "./toml-lines.ts";
import { withoutTables } from "./toml-without.ts";

/** A table that is to stand at the end of a TOML file, behind a comment that says whose it is. */
export interface TomlTable {
  /** From the outermost: `["mcp_servers", "heartwood"]`, each a bare key. */
  readonly name: readonly string[];
  /** The lines under its header. */
  readonly lines: readonly string[];
}

const remark = "# Written by heartwood install; heartwood uninstall takes it out.";

/** Whether the table stands there just so. */
export function hasTable(text: string, table: TomlTable): boolean {
  return text.replaceAll("\r\n", "\n").includes(blockOf(table, "\n"));
}

/**
 * The text with the table at its end. Errors: `invalid_config` for a text that ends within a string or a list, or that has something else of the table's name.
 */
export function putTable(path: string, text: string, table: TomlTable): string {
  if (hasTable(text, table)) return text;
  refuseOther(path, text, table);
  const added = endFor(text);
  return text + added.lineEnd + added.blank + blockOf(table, lineEndOf(text));
}

function blockOf({ name, lines }: TomlTable, lineEnd: string): string {
  return [remark, `[${name.join(".")}]`, ...lines].map((line) => line + lineEnd).join("");
}

/**
 * The text without the table, those below it, and what was added before it; what somebody wrote behind it stays. `before`: the text to which it was added; absent: there was no file, and there is none when
 * nothing is left.
 */
export function takeTable(text: string, { name }: TomlTable, before: string | undefined): string | undefined {
  // What a client keeps of our server (`[mcp_servers.heartwood.tools.…]`) is none without it.
  const whole = withoutTables(text, (keys) => keys.length > name.length && isSame(keys.slice(0, name.length), name));
  const { lines } = tomlLines(whole);
  const header = lines.findIndex((line) => line.kind === "header" && isSame(keysOf(line.said), name));
  if (header < 0) return whole;
  const from = lines[header - 1]?.said.trim() === remark ? header - 1 : header;
  const behind = rawOf(lines.slice(endOfTable(lines, header)));
  const head = lines.slice(0, from).map(({ raw }) => raw);
  const bom = from === 0 && whole.startsWith("\uFEFF") ? "\uFEFF" : "";
  const rest = bom + withoutEnd(head, endFor(before ?? ""), behind === "" ? "nothing" : "something") + behind;
  return rest === "" && before === undefined ? undefined : rest;
}

/** Comments and blank lines in front of the next table are that table's. */
function endOfTable(lines: readonly TomlLine[], header: number): number {
  const next = lines.findIndex(({ kind }, at) => at > header && kind === "header");
  let end = next < 0 ? lines.length : next;
  while (end > header + 1 && /^\s*(#.*)?$/u.test(lines[end - 1]?.said ?? "")) end -= 1;
  return end;
}

function rawOf(lines: readonly TomlLine[]): string {
  return lines.map(({ raw }) => raw).join("");
}

function isSame(keys: readonly string[], name: readonly string[]): boolean {
  return keys.length === name.length && keys.every((key, at) => key === name[at]);
}

function refuseOther(path: string, text: string, { name }: TomlTable): void {
  const { lines, end } = tomlLines(text);
  if (end === "open") throw refused(path, "ends within a string or a list");
  let table: readonly string[] = [];
  for (const { kind, said } of lines) {
    if (kind === "within") continue;
    if (kind === "header") table = keysOf(said);
    const keys = kind === "header" ? table : [...table, ...keysOf(said)];
    const isAssigned = kind === "other" && keys.length > table.length;
    const isIn = name.every((key, at) => keys[at] === key);
    // A parent with a value of its own (`mcp_servers = {…}`) cannot be added to.
    const isParent = isAssigned && keys.every((key, at) => key === name[at]);
    if ((isIn && (kind === "header" || isAssigned)) || isParent)
      throw refused(path, `has ${keys.join(".")}, which heartwood did not write`);
  }
}

function refused(path: string, what: string): MemoryError {
  return new MemoryError(
    "invalid_config",
    `${path} ${what}, and it is left as it is; put it right and run the command again.`,
    { path },
  );
}
