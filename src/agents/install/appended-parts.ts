import { MemoryError } from "../../base/errors.ts";
import { getStaticTOMLValue, parseTOML, ParseError, type AST } from "toml-eslint-parser";

const begin = "<!-- heartwood:begin -->";
const end = "<!-- heartwood:end -->";

/** Whether the part is there, with this text inside. */
export function hasPart(text: string, part: string): boolean {
  return text.replaceAll("\r\n", "\n").includes(partOf(part, "\n"));
}

/** The text with the part at its end, after one blank line, in place of any older part. Errors: `invalid_config` for one mark without the other. */
export function putPart(path: string, text: string, part: string): string {
  if (hasPart(text, part)) return text;
  const free = withoutPart(text, { lineEnd: "", blank: "\n" }, undefined);
  if (rawLines(free).some((line) => isMark(line, begin) || isMark(line, end)))
    throw new MemoryError(
      "invalid_config",
      `${path} has ${begin} or ${end} without the other one; take the line out and run the command again.`,
      { path },
    );
  const added = endOfText(free);
  return free + added.lineEnd + added.blank + partOf(part, lineEndOf(free));
}

function partOf(part: string, lineEnd: string): string {
  return [begin, ...part.trimEnd().split("\n"), end].map((line) => line + lineEnd).join("");
}

/**
 * The text without the part and what was added before it; lines inside that are not in `part` stay. `before`: the text to which it was added. If there was no file before and nothing is
 * left, there is none.
 */
export function takePart(text: string, before: string | undefined, part: string): string | undefined {
  const rest = withoutPart(text, endOfText(before ?? ""), part);
  return rest === "" && before === undefined ? undefined : rest;
}

/** `part`: what is ours inside; absent: all is. */
function withoutPart(text: string, added: AddedEnd, part: string | undefined): string {
  const lines = rawLines(text);
  const from = lines.findIndex((line) => isMark(line, begin));
  const to = lines.findIndex((line, at) => at > from && isMark(line, end));
  if (from < 0 || to < 0) return text;
  const theirs = part === undefined ? [] : linesBesides(lines.slice(from + 1, to), part);
  const after = [...theirs, ...lines.slice(to + 1)].join("");
  const isBlank = added.blank !== "" && lines[from - 1]?.trim() === "";
  const head = lines.slice(0, isBlank ? from - 1 : from).join("");
  const mark = from === 0 && text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return mark + (added.lineEnd !== "" && after === "" ? head.replace(/\r?\n$/u, "") : head) + after;
}

function isMark(line: string, mark: string): boolean {
  return line.replace(/^\uFEFF/u, "").trim() === mark;
}

/** The lines that the part does not have, or not as often; blank ones do not count. */
function linesBesides(lines: readonly string[], part: string): readonly string[] {
  const ours = part.split("\n").map((line) => line.trim());
  return lines.filter((line) => {
    const at = ours.indexOf(line.trim());
    if (at >= 0) ours.splice(at, 1);
    return at < 0 && line.trim() !== "";
  });
}

/** Lines with their line ends. */
function rawLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

/** What goes at the end of a text before something of ours. */
interface AddedEnd {
  readonly lineEnd: "" | "\n" | "\r\n";
  readonly blank: "" | "\n" | "\r\n";
}

/** The line end that the last line lacks, and a blank line; nothing for an empty text. */
function endOfText(text: string): AddedEnd {
  const lineEnd = lineEndOf(text);
  if (text === "" || text === "\uFEFF") return { lineEnd: "", blank: "" };
  return { lineEnd: text.endsWith("\n") ? "" : lineEnd, blank: lineEnd };
}

export function lineEndOf(text: string): "\n" | "\r\n" {
  return /^[^\n]*\r\n/u.test(text) ? "\r\n" : "\n";
}

/** A table of ours at the end of a TOML file, below a comment that says whose it is. */
export interface TomlTable {
  /** From the outermost: `["mcp_servers", "heartwood"]`, each a bare key. */
  readonly name: readonly string[];
  /** The lines under its header. */
  readonly lines: readonly string[];
}

const remark = "# Written by heartwood install; heartwood uninstall takes it out.";

/** Whether exactly this table is there. */
export function hasTable(text: string, table: TomlTable): boolean {
  return text.replaceAll("\r\n", "\n").includes(blockOf(table, "\n"));
}

/** The text with the table at its end. Errors: `invalid_config` if the text is not TOML, or something else has the table's name. */
export function putTable(path: string, text: string, table: TomlTable): string {
  if (hasTable(text, table)) return text;
  const { name } = table;
  const taken = statementsIn(parsed(path, text)).find(
    ({ keys, kind }) => startsWith(keys, name) || (kind !== "table" && startsWith(name, keys)),
  );
  if (taken !== undefined)
    throw new MemoryError(
      "invalid_config",
      `${path} has ${taken.keys.join(".")}, which heartwood did not write, and it is left as it is; remove or rename that entry and run the command again.`,
      { path },
    );
  const added = endOfText(text);
  return text + added.lineEnd + added.blank + blockOf(table, lineEndOf(text));
}

function blockOf({ name, lines }: TomlTable, lineEnd: string): string {
  return [remark, `[${name.join(".")}]`, ...lines].map((line) => line + lineEnd).join("");
}

/**
 * The text without the table, the tables below it and the blank line before it; `undefined` if there was no file before and nothing is left. Also removed: the tables in which Codex
 * remembers that the user trusts hooks of the files that are `gone` (`[hooks.state."FILE:event:group:index"]`), and `[hooks.state]` if that empties it. What was there `before` stays.
 * Errors: `invalid_config`.
 */
export function takeTable(
  path: string,
  text: string,
  { table: { name }, before, gone }: TableTaking,
): string | undefined {
  const old = new Set(statementsIn(parsed(path, before ?? "")).map(({ keys }) => JSON.stringify(keys)));
  const added = (all: string): readonly Statement[] =>
    statementsIn(parsed(path, all)).filter(({ keys }) => !old.has(JSON.stringify(keys)));
  const trust = added(text).filter(({ keys }) => isTrust(keys, gone));
  let left = without(text, trust);
  const states = statementsIn(parsed(path, left)).filter(({ keys }) => startsWith(keys, ["hooks", "state"]));
  const emptied = added(left).filter(({ keys, kind }) => kind === "table" && keys.join(".") === "hooks.state");
  if (trust.length > 0 && states.length === 1)
    left = without(
      left,
      emptied.filter((state) => isBlank(left, state)),
    );
  const ours = added(left).filter(({ keys }) => startsWith(keys, name));
  const start = ours[0] === undefined ? left.length : linesOf(left, ours[0]).from;
  left = without(left, ours);
  if (isSet(parsed(path, left), name))
    throw new MemoryError(
      "invalid_config",
      `${path} has ${name.join(".")} within an inline table; remove it and run the command again.`,
      { path },
    );
  const isLast = ours.length > 0 && left.length === start;
  if (isLast && endOfText(before ?? "").lineEnd !== "") left = left.replace(/\r?\n$/u, "");
  return left === "" && before === undefined ? undefined : left;
}

interface TableTaking {
  readonly table: TomlTable;
  readonly before: string | undefined;
  readonly gone: readonly string[];
}

/** A table as far as its last value, or a value. */
interface Statement {
  readonly kind: "table" | "array" | "value";
  readonly keys: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Errors: `invalid_config`, with the line. A byte order mark is a blank, so that offsets stay. */
function parsed(path: string, text: string): AST.TOMLProgram {
  try {
    return parseTOML(text.replace(/^\uFEFF/u, " "));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new MemoryError(
      "invalid_config",
      `${path} is not valid TOML: line ${error.lineNumber}, ${error.message}; it is left as it is: fix it and run the command again.`,
      { path, line: error.lineNumber },
    );
  }
}

function statementsIn({ body: [{ body }] }: AST.TOMLProgram): readonly Statement[] {
  return body.flatMap((node): readonly Statement[] => {
    if (node.type === "TOMLKeyValue") return [valueAt(node, [])];
    const keys = node.resolvedKey.filter((key) => typeof key === "string");
    const [from, to] = node.range;
    const kind = node.kind === "array" ? "array" : "table";
    return [{ kind, keys, from, to }, ...node.body.map((value) => valueAt(value, keys))];
  });
}

function valueAt({ key, range: [from, to] }: AST.TOMLKeyValue, table: readonly string[]): Statement {
  return { kind: "value", keys: [...table, ...getStaticTOMLValue(key)], from, to };
}

function startsWith(keys: readonly string[], start: readonly string[]): boolean {
  return keys.length >= start.length && start.every((key, at) => key === keys[at]);
}

function isTrust(keys: readonly string[], gone: readonly string[]): boolean {
  const [, , file = ""] = keys;
  return startsWith(keys, ["hooks", "state"]) && keys.length === 3 && gone.some((path) => file.startsWith(`${path}:`));
}

function isSet(program: AST.TOMLProgram, name: readonly string[]): boolean {
  let value: unknown = getStaticTOMLValue(program);
  for (const key of name) value = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  return value !== undefined;
}

/** Whether not even a comment is in a table without values. */
function isBlank(text: string, { to }: Statement): boolean {
  const [, next = ""] = /\n([^[]*)/u.exec(text.slice(to)) ?? [];
  return next.trim() === "";
}

/** The text without the lines of the statements. */
function without(text: string, statements: readonly Statement[]): string {
  const outer = statements.filter(
    (one) => !statements.some((other) => other !== one && other.from <= one.from && one.to <= other.to),
  );
  let left = text;
  for (const statement of outer.toReversed()) {
    const { from, to } = linesOf(left, statement);
    left = left.slice(0, from) + left.slice(to);
  }
  return left;
}

/** With our remark and one blank line before it. */
function linesOf(text: string, statement: Statement): { readonly from: number; readonly to: number } {
  const lineAt = (at: number): number => text.lastIndexOf("\n", at - 1) + 1;
  const lineBefore = (at: number): string | undefined =>
    at === 0
      ? undefined
      : text
          .slice(lineAt(at - 1), at)
          .replace(/^\uFEFF/u, "")
          .trim();
  let from = lineAt(statement.from);
  if (lineBefore(from) === remark) from = lineAt(from - 1);
  if (lineBefore(from) === "") from = lineAt(from - 1);
  const end = text.indexOf("\n", statement.to);
  return { from: from === 0 && text.startsWith("\uFEFF") ? 1 : from, to: end < 0 ? text.length : end + 1 };
}
