import { MemoryError } from "../../base/errors.ts";
import {
  isValue,
  JsonFault,
  memberOf,
  nodeAt,
  parseJsonTree,
  type JsonList,
  type JsonNode,
  type JsonTree,
  type JsonValue,
} from "../../base/json-tree.ts";
import { indentAt, layoutOf, printedValue, styleOf, tokenBefore, type JsonStyle } from "./json-style.ts";

/**
 * Something that is to stand in a JSON file. `member`: the property at the path has the value. `item`: the array at the path has it among its items. `frame`: the property is to
 * be there, with any value, and is ours only while nothing else is in the file.
 */
export interface JsonEntry {
  readonly as: "member" | "item" | "frame";
  readonly at: readonly string[];
  readonly value: JsonValue;
}

/** Reads a configuration file. Errors: `invalid_config`, with the line, for what is no JSON object. */
export function readJsonFile(path: string, text: string): JsonTree {
  try {
    const tree = parseJsonTree(text);
    if (tree.root === undefined || tree.root.kind === "object") return tree;
    throw new JsonFault("no object", tree.root.from);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const line = text.slice(0, error.at).split("\n").length;
    throw new MemoryError(
      "invalid_config",
      `${path} cannot be read as JSON: line ${line} has ${error.message}; put it right, or move it away, and run the command again.`,
      { path, line },
    );
  }
}

export function hasEntry(tree: JsonTree, { as, at, value }: JsonEntry): boolean {
  const node = nodeAt(tree.root, at);
  if (node === undefined) return false;
  if (as === "frame") return true;
  if (as === "member") return isValue(node, value);
  return node.kind === "array" && node.items.some((item) => isValue(item.node, value));
}

/** The text with the entry; every other byte stays. Errors: `invalid_config` when something else stands in its place. */
export function putEntry(path: string, text: string, entry: JsonEntry): string {
  const tree = readJsonFile(path, text);
  if (hasEntry(tree, entry)) return text;
  if (tree.root === undefined) return withRoot(text, entry);
  const style = styleOf(text);
  let list: JsonNode = tree.root;
  for (const [depth, key] of entry.at.entries()) {
    refuseTwice(path, list, key);
    const next: JsonNode | undefined = memberOf(list, key)?.node;
    if (next === undefined)
      return inserted(text, { list: list as JsonList, key, value: nested(entry, depth + 1), style });
    const wanted = depth + 1 < entry.at.length ? "object" : entry.as === "item" ? "array" : "nothing";
    if (next.kind !== wanted) throw inTheWay(path, entry.at.slice(0, depth + 1), wanted);
    list = next;
  }
  return inserted(text, { list: list as JsonList, key: undefined, value: entry.value, style });
}

function withRoot(text: string, entry: JsonEntry): string {
  const style: JsonStyle = { lineEnd: text.includes("\r\n") ? "\r\n" : "\n", step: "  " };
  const blank = text === "" || text === "\uFEFF" || text.endsWith("\n") ? "" : style.lineEnd;
  return `${text}${blank}${printedValue(nested(entry, 0), style, { indent: "", layout: "lines" })}${style.lineEnd}`;
}

/** The value with the objects around it that the path still needs. */
function nested({ as, at, value }: JsonEntry, depth: number): JsonValue {
  const inner = as === "item" ? [value] : value;
  return at.slice(depth).reduceRight<JsonValue>((made, key) => ({ [key]: made }), inner);
}

function refuseTwice(path: string, node: JsonNode, key: string): void {
  if (node.kind !== "object" || node.items.filter((item) => item.key === key).length < 2) return;
  throw new MemoryError(
    "invalid_config",
    `${path} has ${JSON.stringify(key)} twice in one object; keep one of them and run the command again.`,
    { path },
  );
}

function inTheWay(path: string, at: readonly string[], wanted: "object" | "array" | "nothing"): MemoryError {
  const what = wanted === "nothing" ? "is taken by an entry that heartwood did not write" : `is not an ${wanted}`;
  return new MemoryError(
    "invalid_config",
    `${path}: ${at.join(".")} ${what} and was left unchanged. Remove or rename it, and run the command again.`,
    { path },
  );
}

interface Insertion {
  readonly list: JsonList;
  readonly key: string | undefined;
  readonly value: JsonValue;
  readonly style: JsonStyle;
}

/** Only adds text: what `json-take.ts` takes out again is exactly that. */
function inserted(text: string, insertion: Insertion): string {
  return insertion.list.items.length === 0 ? intoEmpty(text, insertion) : behindLast(text, insertion);
}

function intoEmpty(text: string, { list, key, value, style }: Insertion): string {
  const around = indentAt(text, list.from);
  const indent = around + style.step;
  const layout = text.includes("\n") || list.from <= 1 ? "lines" : "one_line";
  const said = saidAs(key, printedValue(value, style, { indent, layout }), layout);
  const at = list.from + 1;
  if (layout === "one_line") return text.slice(0, at) + said + text.slice(at);
  const inside = text.slice(at, list.to - 1);
  const closing = /^[ \t]*$/u.test(inside) ? style.lineEnd + around : "";
  return `${text.slice(0, at)}${style.lineEnd}${indent}${said}${closing}${text.slice(at)}`;
}

function behindLast(text: string, { list, key, value, style }: Insertion): string {
  const layout = layoutOf(text, list, "lines");
  const last = list.items.at(-1) as JsonList["items"][number];
  const indent = indentAt(text, last.from);
  const said = saidAs(key, printedValue(value, style, { indent, layout }), layout);
  const { comma, place } = placesBehind(text, last.node.to);
  const before = layout === "one_line" && !endsInLineComment(text, place) ? " " : style.lineEnd + indent;
  if (comma === "there") return `${text.slice(0, place)}${before}${said},${text.slice(place)}`;
  return `${text.slice(0, last.node.to)},${text.slice(last.node.to, place)}${before}${said}${text.slice(place)}`;
}

function saidAs(key: string | undefined, printed: string, layout: "lines" | "one_line"): string {
  if (key === undefined) return printed;
  return `${JSON.stringify(key)}:${layout === "lines" ? " " : ""}${printed}`;
}

function endsInLineComment(text: string, place: number): boolean {
  const last = tokenBefore(text, place);
  return last?.kind === "comment" && last.to === place && text.startsWith("//", last.from);
}

/** Where a new item goes behind the last one: after its comma, if it has one, and the comment that ends its line. */
function placesBehind(text: string, end: number): { readonly comma: "there" | "missing"; readonly place: number } {
  const { tokens } = parseJsonTree(text);
  const next = tokens.find(({ from, kind }) => from >= end && kind !== "comment");
  const comma = next !== undefined && text.slice(next.from, next.to) === "," ? "there" : "missing";
  let place = comma === "there" ? (next?.to ?? end) : end;
  for (const { kind, from, to } of tokens) {
    if (from < place) continue;
    if (kind !== "comment" || /\n/u.test(text.slice(place, to))) break;
    place = to;
  }
  return { comma, place };
}
