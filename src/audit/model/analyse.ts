import {
  checkEncoding,
  checkFrontMatter,
  checkKnowledgeReferences,
  checkNoteSize,
  checkSecrets,
  isCaptured,
  measureNote,
} from "../checks/file-checks.ts";
import { judgeMemory } from "../checks/memory-checks.ts";
import {
  type CrossFileIssue,
  type SectionMatch,
  findRedundantSections,
  matchSections,
} from "../checks/redundant-sections.ts";
import { compressMemory } from "../edits/compress-memory.ts";
import { cutNote } from "../edits/cut-note.ts";
import { rotationSummary, cutBytes } from "../../tree/model/moved-format.ts";
import { type AuditFinding, compareFindings, createFinding, thresholds, type Edit } from "./finding.ts";
import { type MemoryText, type NoteText, keysOf, linesOf, openNote, readText, estimateTokens } from "./memory-text.ts";
import { oneLine } from "./shown-text.ts";
import { type AuditMode, type Workspace, isKnowledge, isLiving, isNode, isRoot } from "./workspace.ts";
import type { Day } from "../../base/calendar.ts";
import { compareTexts } from "../../base/lists.ts";
import { archiveFolder } from "../../tree/model/period.ts";

/** The result of all checks: figures, sorted findings, and proposed edits by path. */
export type Analysis = ReturnType<typeof analyse>;

/** Checks a workspace. Deterministic and linear in its bytes. A missing MEMORY.md is treated as empty. */
export function analyse(workspace: Workspace, mode: AuditMode) {
  const { today } = workspace;
  const text = readText(workspace.memory ?? { path: "MEMORY.md", bytes: new Uint8Array(0) });
  const judged = judgeMemory(text, mode.maxMemoryKb);
  const notes = workspace.notes.map(openNote);
  const measured = notes.flatMap((note) => {
    const figures = measureNote(note, today);
    return figures === undefined ? [] : [{ figures, findings: checkNoteSize(note, figures) }];
  });
  const matches = matchSections(text, notes);
  const issues = findRedundantSections(text, notes, matches);
  const findings = [
    ...workspace.findings,
    ...judged.findings,
    ...measured.flatMap((note) => note.findings),
    ...issues.map(redundantSection),
    ...judgeFiles(workspace, text),
  ];
  return {
    ...judged,
    issues,
    notes: measured.map(({ figures }) => figures),
    findings: findings.toSorted(compareFindings),
    edits: proposeEdits({ memory: text, notes, today, mode, matches }),
  };
}

function judgeFiles(workspace: Workspace, memory: MemoryText): readonly AuditFinding[] {
  const { notes, others } = workspace;
  return [workspace.memory, ...notes, ...others].flatMap((file) => {
    if (file === undefined) return [];
    const { path } = file;
    const [refers, isMade] = [isLiving(path) || isRoot(path), isNode(path) || isRoot(path) || isKnowledge(path)];
    const text = file === workspace.memory ? memory : refers || isMade ? readText(file) : undefined;
    return [
      ...checkSecrets(file),
      ...checkEncoding(file),
      ...(refers && text !== undefined ? checkKnowledgeReferences(text, workspace.knowledge) : []),
      ...(isMade && text !== undefined ? checkFrontMatter(text) : []),
    ];
  });
}

function redundantSection(issue: CrossFileIssue): AuditFinding {
  const { path, section, lines, similarity, severity, against, against_lines } = issue;
  const name = section === "header" ? "The text before the first heading" : `Section "${oneLine([section], 60)}"`;
  const where = against === "MEMORY.md" ? against : `"${oneLine([against], 60)}" in MEMORY.md`;
  const advice =
    severity === "high"
      ? "`heartwood audit --apply` removes the lines that MEMORY.md already has; the rest is up to you"
      : "keep decisions and action items, remove the rest";
  const message = `${name} repeats ${where} (lines ${against_lines.join("-")}, similarity ${similarity}): ${advice}.`;
  return createFinding("redundant_section", path, message, lines, severity);
}

/** The edits that `--apply` would make: one per file, MEMORY.md first, then by path. */
export function proposeEdits({
  memory,
  notes,
  today,
  mode,
  matches,
}: {
  readonly memory: MemoryText;
  readonly notes: readonly NoteText[];
  readonly today: Day;
  readonly mode: AuditMode;
  /** The result of `matchSections`, if already known. */
  readonly matches?: readonly SectionMatch[];
}): readonly Edit[] {
  const isAggressive = mode.aggressive === "yes";
  const compressed = isAggressive ? compressMemory(memory) : undefined;
  const after =
    compressed?.change.kind === "cut"
      ? readText({ path: memory.path, bytes: cutBytes(memory.bytes, compressed.change.spans) })
      : memory;
  const found = (after === memory ? matches : undefined) ?? matchSections(after, notes);
  const high = Map.groupBy(
    found.filter(({ severity }) => severity === "high"),
    ({ note }) => note,
  );
  const keys = keysOf(after);
  const ofNotes = notes
    .toSorted((a, b) => compareTexts(a.note.path, b.note.path))
    .filter(({ note }) => note.state !== "edited")
    .flatMap((note) => {
      if (isAggressive && rotates(note, today)) return rotateNote(note);
      const own = high.get(note);
      return own === undefined ? [] : (cutNote({ note, matches: own, keys }) ?? []);
    });
  return compressed === undefined ? ofNotes : [compressed, ...ofNotes];
}

/** Whether an aggressive audit moves the note to the archive. */
function rotates(own: NoteText, today: Day): boolean {
  const { note } = own;
  return note.day < today && note.bytes.length - note.ownFrom > thresholds.noteRotation && !isCaptured(own);
}

/** Moves a note to the archive and leaves a summary in its place. */
function rotateNote({ note, text }: NoteText): Edit {
  const bytes = note.bytes.length;
  // The final name is chosen when the note moves. A number in it would make the summary a few bytes longer.
  const summary = rotationSummary({ ...note, part: `${archiveFolder}/${note.day}.full.md` });
  return {
    path: note.path,
    before: note.sha256,
    change: { kind: "rotated" },
    actions: [
      {
        kind: "rotate",
        lines: [linesOf({ from: 0, to: text.lines.length })],
        bytes: bytes - summary.length,
        tokens: tokensOf(text) - tokensOf(readText({ path: note.path, bytes: summary })),
        message: `The note has ${bytes} bytes and moves to memory/archive/; a summary of it remains.`,
      },
    ],
  };
}

function tokensOf({ lines }: MemoryText): number {
  return estimateTokens(lines.map((line) => line.text).join("\n"));
}
