import type { Day } from "../../base/calendar.ts";
import type { NoteFigures } from "../model/analysis.ts";
import { isCaptured } from "../model/captured.ts";
import { createFinding, type AuditFinding } from "../model/finding.ts";
import type { NoteText } from "../model/note-text.ts";
import { thresholds } from "../model/thresholds.ts";

/** A note that is over a threshold or was shortened; else `undefined`. Only notes before today are over rotation. */
export function measureNote({ note, text }: NoteText, today: Day): NoteFigures | undefined {
  const bytes = note.bytes.length - (note.state === "shortened" ? note.ownFrom : 0);
  const isOld = note.day < today;
  const over =
    bytes > thresholds.noteRotation && isOld ? "rotation" : bytes > thresholds.noteBloat ? ("bloat" as const) : null;
  if (over === null && note.state === "whole") return undefined;
  return { path: note.path, bytes, over, captured: isCaptured(text), shortened: note.state !== "whole" };
}

/** `note_over_rotation`, or else `note_bloat`. A captured note is as long as its sessions were: that is no finding. */
export function checkNoteSize({ note }: NoteText, figures: NoteFigures): readonly AuditFinding[] {
  const { path, bytes, over, captured } = figures;
  if (over === null || captured) return [];
  if (over === "bloat") {
    const message = `The note has ${bytes} bytes, ${thresholds.noteBloat} are wanted at most: keep its conclusions, move detail to knowledge/.`;
    return [createFinding({ code: "note_bloat", path, message })];
  }
  const what =
    note.state === "edited"
      ? "its summary was edited, so no audit moves it: move it by hand"
      : "`heartwood audit --aggressive --apply` moves it to memory/archive/ and leaves a summary";
  const message = `The note has ${bytes} bytes, ${thresholds.noteRotation} are wanted at most: ${what}.`;
  return [createFinding({ code: "note_over_rotation", path, message })];
}
