import { thresholds, type Edit, type EditAction } from "../model/finding.ts";
import {
  type MemoryLine,
  type MemoryText,
  isBlank,
  charactersOf,
  readText,
  estimateTokens,
} from "../model/memory-text.ts";
import { cutBytes, type ByteSpan } from "../../tree/model/moved-format.ts";
import { sha256 } from "../../base/digest.ts";

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

/** The lines to remove from a file, by index. */
export type LinesGone = Set<number>;

/**
 * The cut that removes these lines. A file without a final line end still has none afterwards; empty lines that would end up last are then removed too and
 * added to `gone`. `undefined` if nothing is removed, or if a person has to decide because the remaining lines would be parsed differently (a removed heading
 * ended a fence or the Core, or a rule becomes front matter). `from`: the first line that may change.
 */
export function cutLines(text: MemoryText, from: number, gone: LinesGone): readonly ByteSpan[] | undefined {
  if (gone.size === 0) return undefined;
  const end = endOf(text, gone, from);
  if (end === "frozen") return undefined;
  const spans = spansOf(text, gone, end);
  return isReadAsBefore(text, gone, spans) ? spans : undefined;
}

/** The edit for a cut. Bytes that belong to no action, such as the line end of the new last line, count toward the last action. */
export function cutEdit(text: MemoryText, spans: readonly ByteSpan[], actions: readonly EditAction[]): Edit {
  let rest = spans.reduce((sum, [from, to]) => sum + to - from, 0);
  for (const { bytes } of actions) rest -= bytes;
  const last = actions.length - 1;
  return {
    path: text.path,
    before: sha256(text.bytes),
    change: { kind: "cut", spans },
    actions: actions.map((action, at) => (at === last ? { ...action, bytes: action.bytes + rest } : action)),
  };
}

function spansOf(text: MemoryText, gone: LinesGone, end: number | undefined): readonly ByteSpan[] {
  const spans: [number, number][] = [];
  for (const [index, line] of text.lines.entries()) {
    if (!gone.has(index)) continue;
    const last = spans.at(-1);
    if (last?.[1] === line.from) last[1] = line.to;
    else spans.push([line.from, line.to]);
  }
  const tail = spans.at(-1);
  if (end !== undefined && tail !== undefined) tail[0] = end;
  return spans;
}

/** Where a file without a final line end must end after the cut; `undefined` if nothing needs to change. `frozen`: the line end may not be removed. */
function endOf(text: MemoryText, gone: LinesGone, from: number): number | "frozen" | undefined {
  const last = text.lines.length - 1;
  if (text.bytes.at(-1) === 10 || !gone.has(last)) return undefined;
  for (let index = last - 1; index >= 0; index--) {
    const line = text.lines[index];
    if (line === undefined || gone.has(index)) continue;
    if (line.part !== "free" || index < from) return "frozen";
    const last = line.to - 1;
    const end = last > line.from && text.bytes[last - 1] === 13 ? last - 1 : last;
    if (end > line.from) return end;
    gone.add(index);
  }
  return undefined;
}

function isReadAsBefore(text: MemoryText, gone: LinesGone, spans: readonly ByteSpan[]): boolean {
  const after = readText({ path: text.path, bytes: cutBytes(text.bytes, spans) }).lines;
  const kept = text.lines.filter((_, index) => !gone.has(index));
  return kept.every(({ kind, level, part, text: said }, at) => {
    const now = after[at];
    return now?.kind === kind && now.level === level && now.part === part && now.text === said;
  });
}

/** Removed lines, in order, as pairs of 1-based numbers, with their bytes and tokens. */
export function describeGone(
  text: MemoryText,
  gone: readonly number[],
): Pick<EditAction, "lines" | "bytes" | "tokens"> {
  const pairs: [number, number][] = [];
  for (const index of gone) {
    const last = pairs.at(-1);
    if (last?.[1] === index) last[1] = index + 1;
    else pairs.push([index + 1, index + 1]);
  }
  const lines = pairs.flatMap(([from, to]) => text.lines.slice(from - 1, to));
  return {
    lines: pairs,
    bytes: lines.reduce((sum, line) => sum + line.to - line.from, 0),
    tokens: estimateTokens(lines.map((line) => line.text).join("\n")),
  };
}
