import { type LinesGone, cutLines, describeGone } from "./line-cut.ts";
import type { Edit, EditAction } from "../model/edit.ts";
import { thresholds } from "../model/finding.ts";
import { type MemoryLine, type MemoryText, isBlank } from "../model/memory-text.ts";
import { charactersOf } from "../model/tokens.ts";
import { sha256 } from "../../base/digest.ts";

/** Takes repeated lines and further blank lines out of MEMORY.md: docs/formats/audit.md, "MEMORY.md". `undefined`: there are none. */
export function compressMemory(memory: MemoryText): Edit | undefined {
  const all = repeatedLines(memory);
  const lines = cutLines(memory, 0, new Set([...all, ...furtherBlanks(memory, all)]));
  if (lines === undefined) return undefined;
  const { spans, gone } = lines;
  const bytes = spans.reduce((sum, [from, to]) => sum + to - from, 0);
  const actions = actionsOf(memory, { repeats: all, gone, bytes });
  return { path: memory.path, before: sha256(memory.bytes), change: { kind: "compress", spans }, actions };
}

/** Lines that occur further up already. What is derived, a front matter or a fence does not count. */
function repeatedLines(memory: MemoryText): LinesGone {
  const repeats: LinesGone = new Set();
  const rows = tableRows(memory.lines);
  const seen = new Set<string>();
  for (const [index, line] of memory.lines.entries()) {
    if (line.reading !== "exact" || (line.part !== "free" && line.part !== "core")) continue;
    if (seen.has(line.text) && mayGo(line) && !rows.has(index)) repeats.add(index);
    seen.add(line.text);
  }
  return repeats;
}

function mayGo(line: MemoryLine): boolean {
  const text = line.text.trim();
  return (
    line.part === "free" &&
    line.kind === "text" &&
    charactersOf(text) > thresholds.duplicateCharacters &&
    // A rule, or the line below a heading that makes it one.
    !/^(?:(?:[-*_][ \t]*)+|=+)$/u.test(text)
  );
}

/** Of each run of blank lines all but the first. */
function furtherBlanks(memory: MemoryText, repeats: LinesGone): LinesGone {
  const blanks: LinesGone = new Set();
  let isInRun = false;
  for (const [index, line] of memory.lines.entries()) {
    if (repeats.has(index)) continue;
    const isFree = line.part === "free" && isBlank(line);
    if (isFree && isInRun) blanks.add(index);
    isInRun = isFree;
  }
  return blanks;
}

function actionsOf(
  memory: MemoryText,
  { repeats, gone, bytes }: { readonly repeats: LinesGone; readonly gone: LinesGone; readonly bytes: number },
): readonly EditAction[] {
  const sorted = [...gone].toSorted((a, b) => a - b);
  const further = sorted.filter((index) => !repeats.has(index));
  const lines = describeGone(
    memory,
    sorted.filter((index) => repeats.has(index)),
  );
  const blanks = describeGone(memory, further);
  // The line end of what becomes the last line.
  const rest = bytes - lines.bytes - blanks.bytes;
  const actions: EditAction[] = [];
  const removed = (count: number, what: string): string =>
    `${count} repeated ${what}${count === 1 ? "line is" : "lines are"} removed.`;
  if (lines.count > 0) {
    const { count, ...figures } = lines;
    const message = removed(count, "");
    actions.push({ kind: "remove_duplicates", ...figures, bytes: lines.bytes + rest, message });
  }
  if (further.length > 0) {
    const bytesGone = blanks.bytes + (lines.count > 0 ? 0 : rest);
    const message = removed(further.length, "blank ");
    actions.push({ kind: "merge_blank_lines", lines: blanks.lines, bytes: bytesGone, tokens: 0, message });
  }
  return actions;
}

/** The rows of tables, by index: lines that begin with a pipe, and those around a delimiter row (GitHub Flavored Markdown 0.29, 4.10). */
function tableRows(lines: readonly MemoryLine[]): ReadonlySet<number> {
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
