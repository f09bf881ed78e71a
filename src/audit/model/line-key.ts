import { parseEntryComment } from "../../base/memory-type.ts";
import { parseHeading } from "../../base/markdown.ts";
import { textOf, type MemoryLine, type MemoryText, type Section } from "./memory-text.ts";

/**
 * The text of a line, by which lines of a note and of MEMORY.md are the same: without indentation and trailing blanks, the marks of a heading or of a
 * list item (`-`, `*`, `+`), and emphasis around it (`**`, `__`). A checkbox, a number, a quote mark are text. Empty: it equals no other line.
 */
export function keyOf(line: Pick<MemoryLine, "text" | "kind" | "reading">): string {
  if (line.reading !== "exact") return "";
  const heading = line.kind === "heading" ? parseHeading(line.text)?.text : undefined;
  const text = (heading ?? line.text).trim().replace(/^[-*+](?:\s+|$)/u, "");
  return text
    .replace(/^(?:\*\*|__)(?=\S)/u, "")
    .replace(/(?<=\S)(?:\*\*|__)$/u, "")
    .trim();
}

/** The texts of MEMORY.md's lines, those of its derived section aside. */
export function keysOf(memory: MemoryText): ReadonlySet<string> {
  const keys = new Set(memory.lines.map((line) => (line.part === "derived" ? "" : keyOf(line))));
  keys.delete("");
  return keys;
}

/** Whether nothing but blanks stands there. */
export function isBlank(line: MemoryLine): boolean {
  return line.reading === "exact" && line.text.trim() === "";
}

/** Whether a line is the comment of the entry whose heading stands above it. */
export function isOwnComment(text: MemoryText, index: number): boolean {
  const line = text.lines[index];
  if (line === undefined || text.lines[index - 1]?.kind !== "heading") return false;
  return parseEntryComment(line.text) !== undefined;
}

/** What of a section is compared: its heading and its lines, without the comment of an entry. */
export function comparedText(text: MemoryText, section: Pick<Section, "from" | "to">): string {
  const all = textOf(text, section);
  if (!all.includes("<!-- hw ")) return all;
  const lines = text.lines.slice(section.from, section.to);
  return lines.flatMap((line, at) => (isOwnComment(text, section.from + at) ? [] : [line.text])).join("\n");
}
