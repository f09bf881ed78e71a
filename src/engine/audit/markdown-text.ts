/**
 * Any text as one line of Markdown that reads as it stands there, wherever in a line it is put: no emphasis, link, code, table cell, HTML or comment begins
 * or ends in it. Control characters and marks that reorder text are shown as `\u{1b}`.
 */
export function plainMarkdown(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(UNSEEN, (found) => `\\u{${found.codePointAt(0)?.toString(16) ?? ""}}`)
    .replace(/[\\`*_[\]<>&|~$!#@]/g, "\\$&")
    .trim();
}

const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/gu;

/** A table; its cells are Markdown already. No rows, no table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map((name) => (NUMBERS.has(name) ? "---:" : "---")).join("|")}|`, ...rows.map(line)];
}

/** Columns that are aligned to the right. */
const NUMBERS: ReadonlySet<string> = new Set(["line", "tokens", "bytes", "times", "saves bytes", "saves tokens"]);
