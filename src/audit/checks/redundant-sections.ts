import type { CrossFileIssue } from "../analysis.ts";
import { linesOf, textOf, type MemoryText, type Section } from "../memory-text.ts";
import type { NoteText } from "../note-text.ts";
import { ownSections } from "../own-sections.ts";
import { shownHeading } from "../shown-text.ts";
import { compareWith, type Likeness } from "../similarity.ts";
import { thresholds } from "../thresholds.ts";
import { quoteLines } from "./quoted-lines.ts";

/** A section of a note that stands in MEMORY.md too. */
export interface SectionMatch {
  readonly note: NoteText;
  readonly section: Section;
  readonly likeness: Likeness;
  readonly severity: "high" | "medium";
}

/** Sections of notes that stand in MEMORY.md too, by path and line. */
export function findRedundantSections(memory: MemoryText, notes: readonly NoteText[]): readonly CrossFileIssue[] {
  const quotes = quoteLines(memory);
  return matchSections(memory, notes).map((match): CrossFileIssue => {
    const { note, section, likeness, severity } = match;
    const against = likeness.section;
    return {
      file: note.note.path.replace(/^memory\//u, ""),
      path: note.note.path,
      section: shownHeading(note.text, section),
      lines: linesOf(section),
      similarity: Math.round(likeness.similarity * 1000) / 1000,
      shared_tokens: likeness.shared,
      section_tokens: likeness.tokens,
      severity,
      recommendation: recommendations[severity],
      against: against === undefined ? memory.path : shownHeading(memory, against),
      against_lines: linesOf(against ?? { from: 0, to: memory.lines.length }),
      quotes: quotes({ note: note.text, section, against }),
    };
  });
}

const recommendations = {
  high: "REMOVE — fully duplicated in MEMORY.md",
  medium: "COMPACT — keep only decisions and action items",
} as const;

/** The same as values of the text. Takes as long as the notes are, however many sections MEMORY.md has. */
export function matchSections(memory: MemoryText, notes: readonly NoteText[]): readonly SectionMatch[] {
  const compare = compareWith(memory);
  const sorted = notes.toSorted((a, b) => (a.note.path < b.note.path ? -1 : a.note.path > b.note.path ? 1 : 0));
  return sorted.flatMap((note) =>
    ownSections(note).flatMap((section): readonly SectionMatch[] => {
      const likeness = compare(textOf(note.text, section));
      if (likeness === undefined || likeness.similarity <= thresholds.similarity) return [];
      const severity = likeness.similarity > thresholds.highSimilarity ? "high" : "medium";
      return [{ note, section, likeness, severity }];
    }),
  );
}
