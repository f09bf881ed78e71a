import { isDeepStrictEqual } from "node:util";
import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser";
import { MemoryError } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { lineEndOf, refusal } from "./appended-part.ts";

/** A value that `JSON.parse` can return. */
type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * Our entry in a JSON file. `member`: the property at the path has this value. `item`: the array at the path contains it. `frame`: the property exists, with any value; it is ours
 * only as long as the file has nothing but our entries.
 */
export interface JsonEntry {
  readonly as: "member" | "item" | "frame";
  readonly at: readonly string[];
  readonly value: JsonValue;
}

export function member(at: readonly string[], value: JsonEntry["value"]): JsonEntry {
  return { as: "member", at, value };
}

export function item(at: readonly string[], value: JsonEntry["value"]): JsonEntry {
  return { as: "item", at, value };
}

/** Adds the entries and keeps every other byte. Errors: `invalid_config` if the text is not a JSON object, or another value is where an entry belongs. */
export function putEntries(path: string, text: string, entries: readonly JsonEntry[]): string {
  return entries.reduce((all, entry) => putEntry(path, all, entry), text);
}

/** Whether every entry is there and works, even if a user added to one of our objects or changed settings in an item that runs the same command. */
export function hasEntries(path: string, text: string, entries: readonly JsonEntry[]): boolean {
  const root = parsed(path, text);
  return entries.every((entry) => hasEntry(root, entry));
}

/**
 * Removes the entries and the objects and arrays that were created for them; `undefined` if the file should be removed. `before` is the text before the entries were added, which is
 * returned if the rest differs from it only in layout. Errors: `invalid_config`.
 */
export function takeEntries(
  path: string,
  text: string,
  entries: readonly JsonEntry[],
  before: string | undefined,
): string | undefined {
  const old = before === undefined ? undefined : parsed(path, before);
  const ours = entries.filter((entry) => !hasEntry(old, entry));
  const without = (all: string, entry: JsonEntry): string =>
    takeEntry(path, all, entry, { root: old, text: before ?? "" });
  const framed = ours.filter(({ as }) => as !== "frame").reduceRight(without, text);
  const bare = ours.filter(({ as }) => as === "frame").reduceRight(without, framed);
  const isEmpty = ["", "}\n{"].includes(layoutless(bare));
  if (old === undefined && isEmpty) return before;
  const left = old === undefined ? framed : bare;
  return before !== undefined && layoutless(left) === layoutless(before) ? before : left;
}

/** Parses JSON with comments and trailing commas; `undefined` for a text without a value. */
function parsed(path: string, text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(withoutMark(text), errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error === undefined && (root === undefined || root.type === "object")) return root;
  const line = text.slice(0, error?.offset).split("\n").length;
  const code = error && printParseErrorCode(error.error).replaceAll(/\B[A-Z]/gu, " $&");
  const problem = code ? `is not valid JSON: line ${line}, ${code.toLowerCase()}` : "is not a JSON object";
  throw new MemoryError("invalid_config", `${path} ${problem}; fix it or move it aside, and run the command again.`, {
    path,
    line,
  });
}

/** Replaces a byte order mark with a space, which keeps the offsets. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/u, " ");
}

function nodeAt(root: Node | undefined, at: readonly string[]): Node | undefined {
  return root === undefined ? undefined : findNodeAtLocation(root, [...at]);
}

/** The value with the usual prototypes, for comparisons. */
function valueOf(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

function hasEntry(root: Node | undefined, { as, at, value }: JsonEntry): boolean {
  const node = nodeAt(root, at);
  if (node === undefined || as === "frame") return node !== undefined;
  return as === "member" ? contains(valueOf(node), value) : findItem(node, value) !== undefined;
}

function contains(found: unknown, value: unknown): boolean {
  if (!isObject(found) || !isObject(value)) return isDeepStrictEqual(found, value);
  return Object.entries(value).every(([key, inner]) => contains(found[key], inner));
}

function putEntry(path: string, text: string, entry: JsonEntry): string {
  const root = parsed(path, text);
  if (hasEntry(root, entry)) return text;
  const { as, at, value } = entry;
  const inner = as === "item" ? [value] : value;
  const nested = (depth: number): JsonValue =>
    at.slice(depth).reduceRight<JsonValue>((made, key) => ({ [key]: made }), inner);
  if (root === undefined) {
    const end = lineEndOf(text);
    const blank = /^\uFEFF?$|\n$/u.test(text) ? "" : end;
    return `${text}${blank}${printed(nested(0), "  ", end)}${end}`;
  }
  let list = root;
  for (const [depth, key] of at.entries()) {
    const next = memberOf(path, list, key);
    if (next === undefined) return inserted(text, list, { key, value: nested(depth + 1) });
    const wanted = depth + 1 < at.length ? "object" : as === "item" ? "array" : undefined;
    if (next.type !== wanted) {
      const is = wanted === undefined ? "is taken by an entry that heartwood did not write" : `is not an ${wanted}`;
      const way = at.slice(0, depth + 1).join(".");
      throw refusal(path, `${way} ${is} and was left unchanged. Remove or rename it, and run the command again.`);
    }
    list = next;
  }
  return inserted(text, list, { value });
}

/** Errors: `invalid_config` if the object has the key twice, since clients may read either. */
function memberOf(path: string, object: Node, key: string): Node | undefined {
  const [property, second] = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  if (second === undefined) return property?.children?.[1];
  throw refusal(path, `has ${JSON.stringify(key)} twice in one object; keep one of them and run the command again.`);
}

function printed(value: JsonValue, step: string, lineStart: string): string {
  return JSON.stringify(value, null, step).replaceAll("\n", lineStart);
}

/** Inserts an entry without changing other text, on separate lines if the list already uses lines. */
function inserted(text: string, list: Node, { key, value }: { key?: string; value: JsonValue }): string {
  const last = list.children?.at(-1);
  const span = last === undefined ? text.trim() : text.slice(list.offset, list.children?.[0]?.offset);
  const inLines = span.includes("\n") || (last === undefined && list.parent === undefined);
  const step = /^\s*\{[^\n]*\n([ \t]+)"/u.exec(text)?.[1] ?? "  ";
  const lineStart = lineEndOf(text) + indentAt(text, last?.offset ?? list.offset) + (last === undefined ? step : "");
  const name = key === undefined ? "" : `${JSON.stringify(key)}:${inLines ? " " : ""}`;
  const entry = name + (inLines ? printed(value, step, lineStart) : JSON.stringify(value));
  // Insert after everything in the list, so a trailing comma stays last and comments stay on their lines.
  const end = last === undefined ? list.offset + 1 : last.offset + last.length;
  const close = list.offset + list.length - 1;
  const inside = tokensOf(text).filter(({ from, to }) => from >= end && to <= close);
  const place = inside.at(-1)?.to ?? end;
  const lead = inLines || inside.at(-1)?.said.startsWith("//") === true ? lineStart : last === undefined ? "" : " ";
  const comma = last === undefined ? "none" : inside.some(({ said }) => said === ",") ? "after" : "before";
  const isTight = last === undefined && inLines && !text.slice(place, close).includes("\n");
  return [
    text.slice(0, end),
    comma === "before" ? "," : "",
    text.slice(end, place),
    lead + entry,
    comma === "after" ? "," : "",
    isTight ? lineEndOf(text) + indentAt(text, list.offset) : "",
    text.slice(place),
  ].join("");
}

function indentAt(text: string, at: number): string {
  return /^\uFEFF?([ \t]*)/u.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[1] ?? "";
}

type Token = ReturnType<typeof tokensOf>[number];

/** All tokens except whitespace. */
function tokensOf(text: string) {
  const scanner = createScanner(withoutMark(text));
  const tokens: { readonly said: string; readonly from: number; readonly to: number }[] = [];
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const from = scanner.getTokenOffset();
    const to = from + scanner.getTokenLength();
    const said = text.slice(from, to);
    if (/[^\s\uFEFF]/u.test(said)) tokens.push({ said, from, to });
  }
  return tokens;
}

function isComment({ said }: Token): boolean {
  return said.startsWith("/");
}

function takeEntry(
  path: string,
  text: string,
  { as, at, value }: JsonEntry,
  old: { readonly root: Node | undefined; readonly text: string },
): string {
  // Refuses a duplicate key: our entry could remain in the other one.
  let list = parsed(path, text);
  for (const key of at) list = list === undefined ? undefined : memberOf(path, list, key);
  const found = as === "item" ? list && findItem(list, value) : list?.parent;
  // Another value in the place of a single one is the user's.
  const isTheirs = as === "member" && !isObject(value) && list !== undefined && valueOf(list) !== value;
  if (found === undefined || isTheirs) return text;
  let left = cut(text, found);
  for (let depth = as === "item" ? at.length : at.length - 1; depth > 0; depth--) {
    const node = nodeAt(parsed(path, left), at.slice(0, depth));
    if (node?.parent === undefined || node.children?.length !== 0) break;
    const was = nodeAt(old.root, at.slice(0, depth));
    const [inner, layout] = [textOf(left, node), was && textOf(old.text, was)];
    // Something that was empty before gets its old layout back.
    if (layout !== undefined && layoutless(layout) === layoutless(inner))
      return left.slice(0, node.offset) + layout + left.slice(node.offset + node.length);
    if (layout !== undefined || tokensOf(inner).some(isComment)) break;
    left = cut(left, node.parent);
  }
  return left;
}

function textOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

/** Finds our item: the same value, or else the item that runs the same command after a change. */
function findItem(list: Node, value: JsonValue): Node | undefined {
  if (list.type !== "array") return undefined;
  const same = list.children?.find((item) => isDeepStrictEqual(valueOf(item), value));
  return same ?? findCalling(list, commandsIn(value));
}

const commandKeys = ["command", "bash", "powershell"];

function commandsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner !== "string" ? commandsIn(inner) : commandKeys.includes(key) ? [inner] : [],
  );
}

/** Finds the innermost item that runs one of the commands, or its parent item if that contains nothing else. */
function findCalling(list: Node, commands: readonly unknown[]): Node | undefined {
  for (const item of list.children ?? []) {
    if (item.type !== "object") continue;
    for (const { children: [key, inner] = [] } of item.children ?? []) {
      if (key === undefined || inner === undefined) continue;
      if (commandKeys.includes(String(key.value)) && commands.includes(inner.value)) return item;
      const found = inner.type === "array" ? findCalling(inner, commands) : undefined;
      if (found !== undefined) return inner.children?.length === 1 ? item : found;
    }
  }
  return undefined;
}

/** Removes a property or item, the whitespace before it and one comma; keeps comments. */
function cut(text: string, { offset, length }: Node): string {
  const tokens = tokensOf(text);
  const end = offset + length;
  const next = tokens.find((token) => token.from >= end && !isComment(token));
  const ahead = tokens.findLast((token) => token.to <= offset && !isComment(token));
  const previous = tokens.findLast(({ to }) => to <= offset);
  const start = previous?.to ?? 0;
  let head = text.slice(0, start);
  let tail = text.slice(end);
  if (next?.said === ",") {
    const between = text.slice(end, next.from);
    tail = (between.trim() === "" ? "" : between) + text.slice(next.to);
  } else if (ahead?.said === ",") head = text.slice(0, ahead.from) + text.slice(ahead.to, start);
  const staysOpen = previous?.said.startsWith("//") === true && !/^[ \t]*\r?\n/u.test(tail);
  return head + (staysOpen ? text.slice(start, offset) : "") + tail;
}

/** Values and comments in reverse order, without whitespace and trailing commas. */
function layoutless(text: string): string {
  const all: string[] = [];
  let next = "";
  for (const token of tokensOf(text).toReversed()) {
    if (token.said === "," && (next === "}" || next === "]")) continue;
    if (!isComment(token)) next = token.said;
    all.push(token.said.trim());
  }
  return all.join("\n");
}
