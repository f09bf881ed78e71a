import type { DuplicateLine } from "../model/analysis.ts";
import { createFinding, type AuditFinding } from "../model/finding.ts";
import type { MemoryText } from "../model/memory-text.ts";
import { oneLine, shownLines } from "../model/shown-text.ts";
import { thresholds } from "../model/thresholds.ts";
import { charactersOf } from "../model/token-estimate.ts";
import { listNumbers } from "./number-list.ts";

/**
 * Lines of more than 10 characters that stand in the text again, trimmed and case-folded, in the order in which they first stand there. The derived
 * section is left out; a line that is not read as it stands equals no other. Linear.
 */
export function findDuplicateLines(text: MemoryText): readonly DuplicateLine[] {
  const places = new Map<string, number[]>();
  text.lines.forEach((line, index) => {
    if (line.part === "derived" || line.reading !== "exact") return;
    const trimmed = line.text.trim();
    if (charactersOf(trimmed) <= thresholds.duplicateCharacters) return;
    const key = folded(trimmed);
    const known = places.get(key);
    if (known === undefined) places.set(key, [index + 1]);
    else known.push(index + 1);
  });
  return [...places.values()]
    .filter((lines) => lines.length > 1)
    .map((lines) => ({ text: shownLine(text, lines[0] ?? 1), count: lines.length, lines }));
}

/** Upper case first: it makes one of letters that lower case keeps apart (ß and ss, ς and σ). */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}

function shownLine(text: MemoryText, line: number): string {
  return oneLine([shownLines(text)[line - 1] ?? ""], 200);
}

/** `duplicate_line`: one for each line that stands there again. */
export function checkDuplicateLines(path: string, duplicates: readonly DuplicateLine[]): readonly AuditFinding[] {
  return duplicates.map(({ text, count, lines }) => {
    const first = lines[0] ?? 1;
    const message = `"${oneLine([text], 60)}" stands ${count} times (lines ${listNumbers(lines)}): once is enough.`;
    return createFinding({ code: "duplicate_line", path, lines: [first, first], message });
  });
}

/** How many lines repeat an earlier one. */
export function repeatsOf(duplicates: readonly DuplicateLine[]): number {
  return duplicates.reduce((sum, { count }) => sum + count - 1, 0);
}
