import type { CrossFileIssue } from "../model/analysis.ts";
import { comparedText } from "../model/line-key.ts";
import { linesOf, type MemoryText, type Section } from "../model/memory-text.ts";
import type { NoteText } from "../model/note-text.ts";
import { ownSections } from "../model/own-sections.ts";
import { shownHeading } from "../model/shown-text.ts";
import { compareWith, type Likeness } from "../model/similarity.ts";
import { thresholds } from "../model/thresholds.ts";
import { TokenTable } from "../model/token-table.ts";
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

/** The same before anything is said of them, and also of notes that no edit may touch. Linear in the notes, however many sections MEMORY.md has. */
export function matchSections(memory: MemoryText, notes: readonly NoteText[]): readonly SectionMatch[] {
  const { table, sections } = tokensOf(notes);
  const compare = compareWith(memory, table);
  return sections.flatMap(({ note, section, tokens }): readonly SectionMatch[] => {
    const likeness = compare(tokens);
    if (likeness === undefined || likeness.similarity <= thresholds.similarity) return [];
    const severity = likeness.similarity > thresholds.highSimilarity ? "high" : "medium";
    return [{ note, section, likeness, severity }];
  });
}

interface SectionTokens {
  readonly note: NoteText;
  readonly section: Section;
  readonly tokens: Int32Array;
}

interface NoteTokens {
  readonly table: TokenTable;
  /** By path and line. */
  readonly sections: readonly SectionTokens[];
}

function tokensOf(notes: readonly NoteText[]): NoteTokens {
  const known = noteTokens.get(notes);
  if (known !== undefined) return known;
  const table = new TokenTable();
  const sorted = notes.toSorted((a, b) => (a.note.path < b.note.path ? -1 : a.note.path > b.note.path ? 1 : 0));
  const sections = sorted.flatMap((note) =>
    ownSections(note).map((section): SectionTokens => {
      return { note, section, tokens: table.tokensOf(comparedText(note.text, section)).slice() };
    }),
  );
  noteTokens.set(notes, { table, sections });
  return { table, sections };
}

/** Most of the work; the same notes are judged for the report, and for the edits against MEMORY.md as it will be. */
const noteTokens = new WeakMap<readonly NoteText[], NoteTokens>();
