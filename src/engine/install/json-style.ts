import { parseJsonTree, type JsonList, type JsonToken, type JsonValue } from "../../base/json-tree.ts";

/** How a JSON text is laid out, so that what is put in looks like the rest. */
export interface JsonStyle {
  readonly lineEnd: "\n" | "\r\n";
  /** One step of indentation. */
  readonly step: string;
}

export function styleOf(text: string): JsonStyle {
  const lineEnd = /^[^\n]*\r\n/u.test(text) ? "\r\n" : "\n";
  const step = /^\uFEFF?\s*\{[^\n]*\n([ \t]+)"/u.exec(text)?.[1] ?? "  ";
  return { lineEnd, step };
}

/** The blanks in front of the line in which the offset stands. */
export function indentAt(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf("\n", at - 1), -1) + 1;
  return /^\uFEFF?([ \t]*)/u.exec(text.slice(start, at))?.[1] ?? "";
}

/** Whether the list has its items in lines of their own; an empty one does when `whenEmpty` says so. */
export function layoutOf(text: string, list: JsonList, whenEmpty: "lines" | "one_line"): "lines" | "one_line" {
  const [first] = list.items;
  if (first === undefined) return whenEmpty;
  return text.slice(list.from, first.from).includes("\n") ? "lines" : "one_line";
}

/** The value as text; lines but the first begin with `indent`. */
export function printedValue(
  value: JsonValue,
  style: JsonStyle,
  { indent, layout }: { readonly indent: string; readonly layout: "lines" | "one_line" },
): string {
  if (layout === "one_line") return JSON.stringify(value);
  return JSON.stringify(value, null, style.step).replaceAll("\n", `${style.lineEnd}${indent}`);
}

/** The token before the offset, comments among them. */
export function tokenBefore(text: string, at: number): JsonToken | undefined {
  return parseJsonTree(text).tokens.findLast(({ to }) => to <= at);
}
