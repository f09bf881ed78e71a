import type { CrossFileIssue } from "../analysis.ts";
import type { MemoryText } from "../memory-text.ts";
import type { NoteText } from "../note-text.ts";

/** Sections of notes that stand in MEMORY.md too, by path and line. */
export function findRedundantSections(_memory: MemoryText, _notes: readonly NoteText[]): readonly CrossFileIssue[] {
  return [];
}
