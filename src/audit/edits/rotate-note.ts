import { archiveFolder } from "../../tree/model/period.ts";
import { linesOf, readText, type MemoryText } from "../model/memory-text.ts";
import type { Edit } from "../model/edit.ts";
import type { NoteText } from "../model/note-text.ts";
import { estimateTokens } from "../model/token-estimate.ts";
import { rotationSummary } from "../../tree/model/shortened-note.ts";

/** Moves a note to the archive and leaves a summary of it. */
export function rotateNote({ note, text }: NoteText): Edit {
  const bytes = note.bytes.length;
  // Where it moves to is known when it moves; another number in the name makes it a byte or two longer.
  const summary = rotationSummary({ ...note, part: `${archiveFolder}/${note.day}.full.md` });
  return {
    path: note.path,
    before: note.sha256,
    change: { kind: "rotate" },
    actions: [
      {
        kind: "rotate",
        lines: [linesOf({ from: 0, to: text.lines.length })],
        bytes: bytes - summary.length,
        tokens: tokensOf(text) - tokensOf(readText({ path: note.path, bytes: summary })),
        message: `The note has ${bytes} bytes and moves to memory/archive/; a summary of it stays.`,
      },
    ],
  };
}

function tokensOf({ lines }: MemoryText): number {
  return estimateTokens(lines.map((line) => line.text).join("\n"));
}
