import type { Day } from "../../base/calendar.ts";
import { isCaptured } from "./captured.ts";
import { matchSections } from "../checks/redundant-sections.ts";
import { cutBytes } from "../../tree/model/shortened-note.ts";
import type { Edit } from "./edit.ts";
import { compressMemory } from "../edits/compress-memory.ts";
import { cutNote } from "../edits/cut-note.ts";
import { rotateNote } from "../edits/rotate-note.ts";
import { keysOf } from "./line-key.ts";
import { readText, type MemoryText } from "./memory-text.ts";
import type { NoteText } from "./note-text.ts";
import { thresholds } from "./thresholds.ts";
import type { AuditMode } from "./workspace.ts";

export interface ProposalInput {
  readonly memory: MemoryText | undefined;
  readonly notes: readonly NoteText[];
  readonly today: Day;
  readonly mode: AuditMode;
}

/** What `--apply` would do, one edit a file, by path (MEMORY.md first). Empty when there is nothing to do. */
export function proposeEdits({ memory, notes, today, mode }: ProposalInput): readonly Edit[] {
  const isAggressive = mode.aggressive === "yes";
  const compressed = isAggressive && memory !== undefined ? compressMemory(memory) : undefined;
  const editable = notes.filter(({ note }) => note.state !== "edited");
  const rotating = new Set(isAggressive ? editable.filter((note) => rotates(note, today)) : []);
  const cuttable = new Set(editable.filter((note) => !rotating.has(note)));
  const cuts = memory === undefined ? [] : cutNotes(memoryAfter(memory, compressed), notes, cuttable);
  const ofNotes = [...[...rotating].map(rotateNote), ...cuts];
  return [...(compressed === undefined ? [] : [compressed]), ...ofNotes.toSorted(byPath)];
}

/** Whether an aggressive audit moves the note to the archive. */
function rotates({ note, text }: NoteText, today: Day): boolean {
  return note.day < today && note.bytes.length - note.ownFrom > thresholds.noteRotation && !isCaptured(text);
}

function memoryAfter(memory: MemoryText, edit: Edit | undefined): MemoryText {
  if (edit?.change.kind !== "compress") return memory;
  return readText({ path: memory.path, bytes: cutBytes(memory.bytes, edit.change.spans) });
}

function cutNotes(memory: MemoryText, notes: readonly NoteText[], cuttable: ReadonlySet<NoteText>): readonly Edit[] {
  const high = Map.groupBy(
    matchSections(memory, notes).filter(({ note, severity }) => severity === "high" && cuttable.has(note)),
    ({ note }) => note,
  );
  const keys = keysOf(memory);
  return [...high].flatMap(([note, matches]) => cutNote({ note, matches, keys }) ?? []);
}

function byPath(a: Edit, b: Edit): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
