import { createFinding, type AuditFinding } from "../model/finding.ts";
import { isBlank } from "../model/line-key.ts";
import type { MemoryText } from "../model/memory-text.ts";
import { shownHeading } from "../model/shown-text.ts";
import { thresholds } from "../model/thresholds.ts";

/** `adaptive_over_target`: `## Adaptive…` with more than 50 lines that are not blank, up to the next heading of level 1 or 2. */
export function checkAdaptive(text: MemoryText): readonly AuditFinding[] {
  return text.sections.flatMap((section, index) => {
    if (section.level !== 2 || section.derived || !section.heading.startsWith("Adaptive")) return [];
    let next = index + 1;
    while ((text.sections[next]?.level ?? 0) > 2) next += 1;
    const to = text.sections[next]?.from ?? text.lines.length;
    const count = text.lines.slice(section.from + 1, to).filter((line) => !isBlank(line)).length;
    if (count <= thresholds.adaptiveLines) return [];
    const message =
      `"${shownHeading(text, section)}" has ${count} lines, ${thresholds.adaptiveLines} are wanted at most: ` +
      "merge the oldest ones, move detail to knowledge/.";
    return [createFinding({ code: "adaptive_over_target", path: text.path, lines: [section.from + 1, to], message })];
  });
}
