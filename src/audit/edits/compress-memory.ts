import { type LinesGone, cutEdit, cutLines, describeGone } from "./line-cut.ts";
import { thresholds, type Edit, type EditAction } from "../model/finding.ts";
import { type MemoryLine, type MemoryText, isBlank, charactersOf } from "../model/memory-text.ts";

/** Removes repeated lines and extra blank lines from MEMORY.md: docs/formats/audit.md, "MEMORY.md". `undefined` if nothing can be removed. */
export function compressMemory(memory: MemoryText): Edit | undefined {
  const repeats = repeatedLines(memory);
  const gone: LinesGone = new Set([...repeats, ...furtherBlanks(memory, repeats)]);
  const spans = cutLines(memory, 0, gone);
  if (spans === undefined) return undefined;
  const all = [...memory.lines.keys()].filter((index) => gone.has(index));
  const ofRepeats = removal(
    memory,
    "remove_duplicates",
    all.filter((index) => repeats.has(index)),
  );
  const ofBlanks = removal(
    memory,
    "merge_blank_lines",
    all.filter((index) => !repeats.has(index)),
  );
  return cutEdit(memory, spans, [...ofRepeats, ...ofBlanks]);
}

function removal(memory: MemoryText, kind: EditAction["kind"], lines: readonly number[]): readonly EditAction[] {
  if (lines.length === 0) return [];
  const what = kind === "merge_blank_lines" ? "blank " : "";
  const message = `${lines.length} repeated ${what}${lines.length === 1 ? "line is" : "lines are"} removed.`;
  return [{ kind, ...describeGone(memory, lines), message }];
}

/** Lines that also occur further up. Derived sections, front matter and fences do not count. */
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
    // Keeps horizontal rules and the underlines of headings.
    !/^(?:(?:[-*_][ \t]*)+|=+)$/u.test(text)
  );
}

/** All blank lines of each run except the first. */
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
