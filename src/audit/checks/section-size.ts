import type { SectionFigures } from "../model/analysis.ts";
import { createFinding, type AuditFinding } from "../model/finding.ts";
import { isBlank } from "../model/line-key.ts";
import type { MemoryText, Section } from "../model/memory-text.ts";
import { decodeLoosely, oneLine, shownHeading, shownLines } from "../model/shown-text.ts";
import { thresholds } from "../model/thresholds.ts";
import { estimateTokens } from "../model/token-estimate.ts";

const previewCharacters = 120;

/** The sections of MEMORY.md in their order, without the derived one and without a `header` of blank lines. */
export function measureSections(text: MemoryText): readonly SectionFigures[] {
  return text.sections
    .filter((section) => !section.derived && !(section.level === 0 && isAllBlank(text, section)))
    .map((section) => measureSection(text, section));
}

function isAllBlank(text: MemoryText, section: Section): boolean {
  return text.lines.slice(section.from, section.to).every(isBlank);
}

function measureSection(text: MemoryText, section: Section): SectionFigures {
  const from = section.level === 0 ? section.from : section.from + 1;
  const tokens = estimateTokens(rawText(text, from, section.to));
  return {
    heading: shownHeading(text, section),
    level: section.level,
    line: section.from + 1,
    lines: section.to - from,
    tokens,
    preview: oneLine(shownLines(text).slice(from, section.to), previewCharacters),
    bloated: tokens > thresholds.sectionTokens,
  };
}

/** All that stands in the lines, also what is too long or no UTF-8. */
function rawText({ bytes, lines }: MemoryText, from: number, to: number): string {
  const [first, last] = [lines[from], lines[to - 1]];
  return first === undefined || last === undefined || to <= from
    ? ""
    : decodeLoosely(bytes.subarray(first.from, last.to));
}

/** `section_bloat`: a section with more than 500 tokens. */
export function checkSectionBloat(path: string, sections: readonly SectionFigures[]): readonly AuditFinding[] {
  return sections
    .filter(({ bloated }) => bloated)
    .map(({ heading, level, line, lines, tokens }) => {
      const name = level === 0 ? "What stands before the first heading" : `Section "${oneLine([heading], 60)}"`;
      const message = `${name} has ${tokens} tokens, ${thresholds.sectionTokens} are wanted at most: split it, or keep its conclusion.`;
      return createFinding({
        code: "section_bloat",
        path,
        lines: [line, line + lines - (level === 0 ? 1 : 0)],
        message,
      });
    });
}
