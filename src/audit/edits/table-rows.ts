import type { MemoryLine } from "../model/memory-text.ts";

/** The rows of tables, by index: lines that begin with a pipe, and those around a delimiter row (GitHub Flavored Markdown 0.29, 4.10). */
export function tableRows(lines: readonly MemoryLine[]): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const [index, { text }] of lines.entries()) {
    if (text.trimStart().startsWith("|")) rows.add(index);
    if (!text.includes("|") || !delimiter.test(text)) continue;
    rows.add(index - 1);
    for (let at = index; (lines[at]?.text.trim() ?? "") !== "" && !rows.has(at + 1); at++) rows.add(at);
  }
  return rows;
}

const delimiter = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$/u;
