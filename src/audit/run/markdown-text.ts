import { visibleLine } from "../../text/visible.ts";

/**
 * Any text as one line of Markdown that reads as it stands there, wherever in a line it is put: no emphasis, link, code, table cell, HTML or comment begins
 * or ends in it. What could turn or hide text is shown as `visible` shows it.
 */
export function plainMarkdown(text: string): string {
  return visibleLine(text)
    .replace(/[\\`*_[\]<>&|~$!#@]/g, "\\$&")
    .trim();
}

/** A table; its cells are Markdown already. No rows, no table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map((name) => (NUMBERS.has(name) ? "---:" : "---")).join("|")}|`, ...rows.map(line)];
}

/** Columns that are aligned to the right. */
const NUMBERS: ReadonlySet<string> = new Set(["line", "tokens", "bytes", "times", "saves bytes", "saves tokens"]);
