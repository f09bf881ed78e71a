import { getStaticTOMLValue, parseTOML, ParseError, type AST } from "toml-eslint-parser";
import { MemoryError } from "../../base/errors.ts";
import { appended, endOfText, lineEndOf, refusal } from "./appended-part.ts";

/** Our table at the end of a TOML file, below a comment that marks it as ours. */
export interface TomlTable {
  /** Outermost first: `["mcp_servers", "heartwood"]`, each a bare key. */
  readonly name: readonly string[];
  /** The lines below its header. */
  readonly lines: readonly string[];
}

const remark = "# Written by heartwood install; heartwood uninstall takes it out.";

/** Whether exactly this table is there. */
export function hasTable(text: string, table: TomlTable): boolean {
  return text.replaceAll("\r\n", "\n").includes(blockOf(table, "\n"));
}

/** Appends the table. Errors: `invalid_config` if the text is not TOML, or something else has the table's name. */
export function putTable(path: string, text: string, table: TomlTable): string {
  if (hasTable(text, table)) return text;
  const { name } = table;
  const taken = statementsIn(parsed(path, text)).find(
    ({ keys, kind }) => startsWith(keys, name) || (kind !== "table" && startsWith(name, keys)),
  );
  if (taken === undefined) return appended(text, blockOf(table, lineEndOf(text)));
  throw refusal(
    path,
    `has ${taken.keys.join(".")}, which heartwood did not write, so the file was left unchanged; remove or rename that entry and run the command again.`,
  );
}

function blockOf({ name, lines }: TomlTable, lineEnd: string): string {
  return [remark, `[${name.join(".")}]`, ...lines].map((line) => line + lineEnd).join("");
}

/** Removes the table, its subtables and the blank line before it; `undefined` if there was no file `before` and nothing is left. Errors: `invalid_config`. */
export function takeTable(
  path: string,
  text: string,
  { name }: TomlTable,
  before: string | undefined,
): string | undefined {
  const table = statementsIn(parsed(path, text)).filter(({ keys }) => startsWith(keys, name));
  const left = without(text, table);
  if (isSet(parsed(path, left), name))
    throw refusal(path, `has ${name.join(".")} within an inline table; remove it and run the command again.`);
  const wasLast = table[0] !== undefined && left.length === linesOf(text, table[0]).from;
  const rest = wasLast && endOfText(before ?? "").lineEnd !== "" ? left.replace(/\r?\n$/u, "") : left;
  return rest === "" && before === undefined ? undefined : rest;
}

/** A table up to its last value, or a value. */
interface Statement {
  readonly kind: "table" | "array" | "value";
  readonly keys: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Errors: `invalid_config`, with the line. Treats a byte order mark as a space, which keeps the offsets. */
function parsed(path: string, text: string): AST.TOMLProgram {
  try {
    return parseTOML(text.replace(/^\uFEFF/u, " "));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new MemoryError(
      "invalid_config",
      `${path} is not valid TOML (line ${error.lineNumber}: ${error.message}). It was left unchanged; fix it and run the command again.`,
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

function isSet(program: AST.TOMLProgram, name: readonly string[]): boolean {
  let value: unknown = getStaticTOMLValue(program);
  for (const key of name) value = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  return value !== undefined;
}

/** Removes the lines of the statements. */
function without(text: string, statements: readonly Statement[]): string {
  const outer = statements.filter(
    (one) => !statements.some((other) => other !== one && other.from <= one.from && one.to <= other.to),
  );
  let left = text;
  for (const statement of outer.toSorted((a, b) => b.from - a.from)) {
    const { from, to } = linesOf(left, statement);
    left = left.slice(0, from) + left.slice(to);
  }
  return left;
}

/** The lines of a statement, including our comment and one blank line before it. */
function linesOf(text: string, statement: Statement): { readonly from: number; readonly to: number } {
  const lineAt = (at: number): number => text.lastIndexOf("\n", at - 1) + 1;
  const lineBefore = (at: number): string | undefined => {
    const line = at === 0 ? undefined : text.slice(lineAt(at - 1), at);
    return line?.replace(/^\uFEFF/u, "").trim();
  };
  let from = lineAt(statement.from);
  if (lineBefore(from) === remark) from = lineAt(from - 1);
  if (lineBefore(from) === "") from = lineAt(from - 1);
  const end = text.indexOf("\n", statement.to);
  return { from: from === 0 && text.startsWith("\uFEFF") ? 1 : from, to: end < 0 ? text.length : end + 1 };
}
