import { isCaptured } from "../checks/file-checks.ts";
import { matchSections } from "../checks/redundant-sections.ts";
import { compressMemory } from "./compress-memory.ts";
import { cutNote } from "./cut-note.ts";
import { rotationSummary } from "./rotation-summary.ts";
import { type Edit, cutBytes } from "../model/edit.ts";
import { thresholds } from "../model/finding.ts";
import { type MemoryText, type NoteText, keysOf, linesOf, readText } from "../model/memory-text.ts";
import { estimateTokens } from "../model/tokens.ts";
import type { AuditMode } from "../model/workspace.ts";
import type { Day } from "../../base/calendar.ts";
import { archiveFolder } from "../../tree/model/period.ts";

interface ProposalInput {
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

/** Moves a note to the archive and leaves a summary of it. */
function rotateNote({ note, text }: NoteText): Edit {
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
