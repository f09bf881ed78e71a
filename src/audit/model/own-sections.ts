import type { Section } from "./memory-text.ts";
import type { NoteText } from "./note-text.ts";

/** The index of the first line of a note's own text: behind its rotation summary, else 0. */
export function firstOwnLine({ note, text }: NoteText): number {
  if (note.state === "edited" || note.ownFrom === 0) return 0;
  const index = text.lines.findIndex((line) => line.from >= note.ownFrom);
  return index < 0 ? text.lines.length : index;
}

/** The sections of a note's own text without derived ones. The one in which a rotation summary ends begins behind it and is a `header`. */
export function ownSections(note: NoteText): readonly Section[] {
  const first = firstOwnLine(note);
  return note.text.sections.flatMap((section): readonly Section[] => {
    if (section.derived || section.to <= first) return [];
    return section.from >= first ? [section] : [{ ...section, heading: "header", level: 0, from: first }];
  });
}
