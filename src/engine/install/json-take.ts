import {
  isValue,
  memberOf,
  nodeAt,
  parseJsonTree,
  saidIn,
  type JsonItem,
  type JsonList,
  type JsonNode,
  type JsonTree,
  type JsonValue,
} from "../../base/json-tree.ts";
import { hasEntry, type JsonEntry } from "./json-put.ts";

/**
 * The text without the entries, the last first: what `putEntry` adds, it takes away, wherever else somebody changed the text since. `before`: the text into which they were put, which tells the
 * objects and arrays that were made for them. `undefined`: no file is left. Throws `JsonFault` for a text that is no JSON.
 */
export function takeEntries(
  text: string,
  entries: readonly JsonEntry[],
  before: string | undefined,
): string | undefined {
  // What stood there before is not ours.
  const old = before === undefined ? undefined : parseJsonTree(before);
  const ours = entries.filter((entry) => old === undefined || !hasEntry(old, entry));
  let left = text;
  const frames = hasRoot(before) ? [] : ours.filter(({ as }) => as === "frame");
  for (const entry of ours.toReversed()) if (!frames.includes(entry)) left = takeOne(left, entry, before);
  const { root, tokens } = parseJsonTree(left);
  const isEmpty = root?.kind === "object" && root.items.every((item) => isFrame(item, frames));
  if (isEmpty && !hasRoot(before) && tokens.every(({ kind }) => kind !== "comment")) return before;
  return before !== undefined && left !== before && saidIn(left) === saidIn(before) ? before : left;
}

function hasRoot(before: string | undefined): boolean {
  return before !== undefined && parseJsonTree(before).root !== undefined;
}

function isFrame(item: JsonItem, frames: readonly JsonEntry[]): boolean {
  return frames.some(({ at, value }) => at.length === 1 && at[0] === item.key && isValue(item.node, value));
}

/** Whether the entry stands there so that it does its work: what somebody added to an object of ours, or set in an item that calls the same command, is theirs. */
export function keepsEntry(tree: JsonTree, entry: JsonEntry): boolean {
  if (hasEntry(tree, entry)) return true;
  const node = nodeAt(tree.root, entry.at);
  if (node === undefined) return false;
  if (entry.as === "member") return isWithin(node, entry.value);
  return node.kind === "array" && itemPlace(node, entry.value) !== undefined;
}

function isWithin(node: JsonNode, value: JsonValue): boolean {
  if (node.kind !== "object" || typeof value !== "object" || value === null || Array.isArray(value))
    return isValue(node, value);
  return Object.entries(value as Readonly<Record<string, JsonValue>>).every(([key, wanted]) => {
    const own = memberOf(node, key)?.node;
    return own !== undefined && isWithin(own, wanted);
  });
}

function takeOne(text: string, entry: JsonEntry, before: string | undefined): string {
  const { root } = parseJsonTree(text);
  const node = nodeAt(root, entry.at);
  if (node === undefined) return text;
  if (entry.as !== "item") return takeMember(text, entry.at, before);
  if (node.kind !== "array") return text;
  const place = itemPlace(node, entry.value);
  if (place === undefined) return text;
  return pruned(cut(text, place.list, place.item), entry.at, before);
}

interface ItemPlace {
  readonly list: JsonList;
  readonly item: JsonItem;
}

/** Our item: the same value, else what calls the same command, somewhere inside an item that somebody changed. */
function itemPlace(list: JsonList, value: JsonValue): ItemPlace | undefined {
  const same = list.items.find((item) => isValue(item.node, value));
  if (same !== undefined) return { list, item: same };
  const commands = commandsIn(value);
  return commands.size === 0 ? undefined : callingPlace(list, commands);
}

const commandKeys = new Set(["command", "bash", "powershell"]);

function commandsIn(value: JsonValue): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (part: JsonValue, key: string): void => {
    if (typeof part === "string") {
      if (commandKeys.has(key)) found.add(part);
    } else if (typeof part === "object" && part !== null)
      for (const [name, inner] of Object.entries(part)) look(inner as JsonValue, name);
  };
  look(value, "");
  return found;
}

/** The innermost item that has the command; an item that has nothing else inside goes with it. */
function callingPlace(list: JsonList, commands: ReadonlySet<string>): ItemPlace | undefined {
  for (const item of list.items) {
    if (calls(item.node, commands)) return { list, item };
    if (item.node.kind !== "object") continue;
    for (const member of item.node.items) {
      if (member.node.kind !== "array") continue;
      const inner = callingPlace(member.node, commands);
      if (inner !== undefined) return inner.list.items.length === 1 ? { list, item } : inner;
    }
  }
  return undefined;
}

function calls(node: JsonNode, commands: ReadonlySet<string>): boolean {
  if (node.kind !== "object") return false;
  return node.items.some(
    ({ key = "", node: own }) =>
      commandKeys.has(key) && own.kind === "scalar" && typeof own.value === "string" && commands.has(own.value),
  );
}

function takeMember(text: string, at: readonly string[], before: string | undefined): string {
  const { root } = parseJsonTree(text);
  const parent = nodeAt(root, at.slice(0, -1));
  const item = memberOf(parent, at.at(-1) ?? "");
  if (parent?.kind !== "object" || item === undefined) return text;
  return pruned(cut(text, parent, item), at.slice(0, -1), before);
}

/** An object or array that is empty now: goes when it was made for our entry, and has the blanks it had when it was empty before. */
function pruned(text: string, at: readonly string[], before: string | undefined): string {
  const node = nodeAt(parseJsonTree(text).root, at);
  if (node === undefined || node.kind === "scalar" || node.items.length > 0) return text;
  if (text.slice(node.from + 1, node.to - 1).trim() !== "") return text;
  const old = before === undefined ? undefined : nodeAt(parseJsonTree(before).root, at);
  if (old !== undefined && before !== undefined) {
    if (old.kind !== node.kind || old.items.length > 0) return text;
    return text.slice(0, node.from) + before.slice(old.from, old.to) + text.slice(node.to);
  }
  return at.length === 0 ? text : takeMember(text, at, before);
}

/** Takes out an item with the blanks before it and one comma: the one behind it, or else the one before it. */
function cut(text: string, list: JsonList, item: JsonItem): string {
  const { tokens } = parseJsonTree(text);
  const isComma = (token: (typeof tokens)[number] | undefined): boolean =>
    token !== undefined && text.slice(token.from, token.to) === ",";
  const code = tokens.filter(({ kind }) => kind !== "comment");
  const behind = code.find(({ from }) => from >= item.node.to);
  const ahead = code.findLast(({ to }) => to <= item.from);
  const previous = tokens.findLast(({ to }) => to <= item.from);
  const start = previous?.to ?? list.from + 1;
  let to = item.node.to;
  let head = text.slice(0, start);
  if (behind !== undefined && isComma(behind)) {
    // A comment between our item and its comma is not ours.
    to = behind.to;
    head += text.slice(item.node.to, behind.from).trim() === "" ? "" : text.slice(item.node.to, behind.from);
  } else if (ahead !== undefined && isComma(ahead)) head = text.slice(0, ahead.from) + text.slice(ahead.to, start);
  const tail = text.slice(to);
  const lineGoesOn =
    previous?.kind === "comment" && text.startsWith("//", previous.from) && !/^[ \t]*\r?\n/u.test(tail);
  return head + (lineGoesOn ? text.slice(start, item.from) : "") + tail;
}
