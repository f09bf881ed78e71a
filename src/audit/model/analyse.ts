import type { Edit } from "./edit.ts";
import {
  type MemoryFigures,
  type SectionFigures,
  type DuplicateLine,
  checkAdaptive,
  checkDuplicateLines,
  findDuplicateLines,
  checkLoaderLimits,
  checkMemoryMax,
  measureMemory,
  noMemory,
  checkSectionBloat,
  measureSections,
} from "../checks/memory-checks.ts";
import {
  type NoteFigures,
  checkNoteSize,
  measureNote,
  checkEncoding,
  checkFrontMatter,
  checkKnowledgeReferences,
  checkSecrets,
} from "../checks/file-checks.ts";
import { type CrossFileIssue, findRedundantSections } from "../checks/redundant-sections.ts";
import { compareFindings, createFinding, type AuditFinding } from "./finding.ts";
import { isKnowledge, isLiving, isNode, isRoot, type AuditMode, type FileAsRead, type Workspace } from "./workspace.ts";
import { readText, type MemoryText, type NoteText } from "./memory-text.ts";
import { proposeEdits } from "../edits/propose-edits.ts";
import { oneLine } from "./shown-text.ts";

/** Judges a workspace: the same for the same bytes, on any machine. Linear in its bytes. */
export function analyse(workspace: Workspace, mode: AuditMode): Analysis {
  const { today } = workspace;
  const memory = workspace.memory === undefined ? undefined : readText(workspace.memory);
  const notes = workspace.notes.map((note): NoteText => ({ note, text: readText(note) }));
  const measured = memory === undefined ? nothing : judgeMemory(memory, mode);
  const judgedNotes = judgeNotes(notes, today);
  const issues = memory === undefined ? [] : findRedundantSections(memory, notes);
  const findings = [
    ...workspace.findings,
    ...measured.findings,
    ...judgedNotes.findings,
    ...issues.map(redundantSection),
    ...judgeFiles(workspace, memory),
  ];
  return {
    memory: measured.memory,
    sections: measured.sections,
    issues,
    duplicates: measured.duplicates,
    notes: judgedNotes.notes,
    findings: findings.toSorted(compareFindings),
    edits: proposeEdits({ memory, notes, today, mode }),
  };
}

type OfMemory = Pick<Analysis, "memory" | "sections" | "duplicates" | "findings">;

const nothing: OfMemory = { memory: noMemory, sections: [], duplicates: [], findings: [] };

function judgeMemory(text: MemoryText, mode: AuditMode): OfMemory {
  const { path } = text;
  const memory = measureMemory(text);
  const sections = measureSections(text);
  const duplicates = findDuplicateLines(text);
  const findings = [
    ...checkMemoryMax({ ...memory, path }, mode.maxMemoryKb),
    ...checkLoaderLimits(text),
    ...checkSectionBloat(path, sections),
    ...checkDuplicateLines(path, duplicates),
    ...checkAdaptive(text),
  ];
  return { memory, sections, duplicates, findings };
}

function judgeNotes(notes: readonly NoteText[], today: Workspace["today"]): Pick<Analysis, "notes" | "findings"> {
  const measured = notes.flatMap((note) => {
    const figures = measureNote(note, today);
    return figures === undefined ? [] : [{ figures, findings: checkNoteSize(note, figures) }];
  });
  return { notes: measured.map(({ figures }) => figures), findings: measured.flatMap(({ findings }) => findings) };
}

/** What any memory file can have. */
function judgeFiles(workspace: Workspace, memory: MemoryText | undefined): readonly AuditFinding[] {
  const files = [
    ...(workspace.memory === undefined ? [] : [workspace.memory]),
    ...workspace.notes,
    ...workspace.others,
  ];
  return files.flatMap((file) => [
    ...checkSecrets(file),
    ...checkEncoding(file),
    ...judgeText(file, file === workspace.memory ? memory : undefined, workspace.knowledge),
  ]);
}

function judgeText(
  file: FileAsRead,
  parsed: MemoryText | undefined,
  knowledge: Workspace["knowledge"],
): readonly AuditFinding[] {
  const { path } = file;
  const [refers, isMade] = [isLiving(path) || isRoot(path), isNode(path) || isRoot(path) || isKnowledge(path)];
  if (!refers && !isMade) return [];
  const text = parsed ?? readText(file);
  return [...(refers ? checkKnowledgeReferences(text, knowledge) : []), ...(isMade ? checkFrontMatter(text) : [])];
}

function redundantSection(issue: CrossFileIssue): AuditFinding {
  const { path, section, lines, similarity, severity, against, against_lines } = issue;
  const name = section === "header" ? "What stands before the first heading" : `Section "${oneLine([section], 60)}"`;
  const where = against === "MEMORY.md" ? against : `"${oneLine([against], 60)}" in MEMORY.md`;
  const advice =
    severity === "high"
      ? "`heartwood audit --apply` takes out the lines that MEMORY.md has; what is left is for you"
      : "keep decisions and action items, take the rest out";
  const message = `${name} says what ${where} says (lines ${against_lines.join("-")}, similarity ${similarity}): ${advice}.`;
  return createFinding({ code: "redundant_section", path, lines, message, severity });
}

/** What the checks make of a workspace: figures, findings in their order, and what could be done, by path. */
export interface Analysis {
  readonly memory: MemoryFigures;
  readonly sections: readonly SectionFigures[];
  readonly issues: readonly CrossFileIssue[];
  readonly duplicates: readonly DuplicateLine[];
  readonly notes: readonly NoteFigures[];
  readonly findings: readonly AuditFinding[];
  readonly edits: readonly Edit[];
}
