import { linesOf } from "../memory-text.ts";
import type { Edit } from "../edit.ts";
import type { NoteText } from "../note-text.ts";
import { estimateTokens } from "../token-estimate.ts";

/** Moves a note to the archive and leaves a summary of it. */
export function rotateNote({ note, text }: NoteText): Edit {
  const bytes = note.bytes.length;
  return {
    path: note.path,
    before: note.sha256,
    change: { kind: "rotate" },
    actions: [
      {
        kind: "rotate",
        lines: [linesOf({ from: 0, to: text.lines.length })],
        bytes,
        tokens: estimateTokens(text.lines.map((line) => line.text).join("\n")),
        message: `The note has ${bytes} bytes and moves to memory/archive/; a summary of it stays.`,
      },
    ],
  };
}
