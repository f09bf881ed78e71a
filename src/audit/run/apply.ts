import { type AuditFinding } from "../model/finding.ts";
import { fileFinding } from "../model/shown-text.ts";
import { analyse, type Analysis } from "../model/analyse.ts";
import { readText } from "../model/memory-text.ts";
import type { AuditMode, FileAsRead, NoteAsRead, Workspace } from "../model/workspace.ts";
import { type AuditChoice, auditResultOf } from "./audit-result.ts";
import type { AuditResult } from "../model/report.ts";
import { type LoadedWorkspace, loadWorkspace } from "./load-workspace.ts";
import { removeLitterAlone, withLocks, takeBackUnbegun } from "./undo.ts";
import { type PlannedChange, type WrittenChanges, planChanges, writeChanges } from "./write-changes.ts";
import type { Call } from "../../base/operation.ts";
import type { TreeMemory } from "../../tree/memory.ts";

/**
 * Does what an audit proposes. Looks first, without a lock: with nothing to do nothing is written. Errors: `busy`, `disk_full`, `io`,
 * `changed_by_other`, `aborted`.
 */
export async function applyAudit(memory: TreeMemory, choice: AuditChoice, call: Call): Promise<AuditResult> {
  const look = await judge(memory, choice);
  if (look.analysis.edits.length === 0) {
    await removeLitterAlone(memory);
    return resultOf(memory, choice, { ...look, ...nothingWritten });
  }
  return withLocks(memory, { holder: "audit", call }, async () => {
    await takeBackUnbegun(memory);
    const judged = await judge(memory, choice);
    const changes = await planChanges(memory, judged.analysis.edits, judged.loaded);
    call.signal?.throwIfAborted();
    if (changes.length === 0) return resultOf(memory, choice, { ...judged, ...nothingWritten });
    const written = await writeChanges(memory, changes, choice.mode);
    return resultOf(memory, choice, { ...judged, ...written });
  });
}

interface Judged {
  readonly loaded: LoadedWorkspace;
  readonly analysis: Analysis;
}

async function judge(memory: TreeMemory, choice: AuditChoice): Promise<Judged> {
  const loaded = await loadWorkspace(memory);
  return { loaded, analysis: analyse(loaded.workspace, choice.mode) };
}

const nothingWritten: WrittenChanges = { id: null, done: [], left: [] };

async function resultOf(
  memory: TreeMemory,
  choice: AuditChoice,
  outcome: Judged & WrittenChanges,
): Promise<AuditResult> {
  const { loaded, analysis, done, left } = outcome;
  const findings = findingsAfter({ workspace: loaded.workspace, analysis, mode: choice.mode }, done);
  return auditResultOf(memory, {
    choice,
    analysis,
    memoryBytes: loaded.memoryBytes,
    applied: {
      id: outcome.id,
      states: new Map([
        ...done.map(({ path }): [string, "done"] => [path, "done"]),
        ...left.map(({ path }): [string, "left"] => [path, "left"]),
      ]),
      findings: [...findings, ...left.map(leftAsItIs)],
      memoryAfter: done.length === 0 ? loaded.memoryBytes : await sizeOnDisk(memory),
    },
  });
}

function leftAsItIs({ path }: PlannedChange): AuditFinding {
  const message = `${path} changed between being read and being replaced, so it was left as it is: run the audit again.`;
  return fileFinding("file_changed", path, message);
}

async function sizeOnDisk(memory: TreeMemory): Promise<number> {
  const entry = (await memory.files.list("")).find(({ name }) => name === "MEMORY.md");
  return entry?.kind === "file" ? entry.size : 0;
}

/**
 * The findings after an apply: those of before, each `resolved` when an analysis of what stands there now does not find it any more, and those that
 * are new. The same finding has the code, the severity, the path and the line, by the numbers of before.
 */
function findingsAfter(
  before: { readonly workspace: Workspace; readonly analysis: Analysis; readonly mode: AuditMode },
  done: readonly PlannedChange[],
): readonly AuditFinding[] {
  if (done.length === 0) return before.analysis.findings;
  const now = analyse(workspaceAfter(before.workspace, done), before.mode).findings;
  const numbers = new Map(done.map((change) => [change.path, keptLines(change)]));
  const lineBefore = ({ path, line }: AuditFinding): number | null =>
    line === null ? null : (numbers.get(path)?.[line - 1] ?? (numbers.has(path) ? 0 : line));
  const nowKeys = new Set(now.map((finding) => keyOf(finding, lineBefore(finding))));
  const oldKeys = new Set(before.analysis.findings.map((finding) => keyOf(finding, finding.line)));
  return [
    ...before.analysis.findings.map((finding) => ({
      ...finding,
      resolved: !nowKeys.has(keyOf(finding, finding.line)),
    })),
    ...now.filter((finding) => !oldKeys.has(keyOf(finding, lineBefore(finding)))),
  ];
}

function keyOf({ code, severity, path }: AuditFinding, line: number | null): string {
  return `${code} ${severity} ${line ?? "whole"} ${path}`;
}

function workspaceAfter(workspace: Workspace, done: readonly PlannedChange[]): Workspace {
  const changed = new Map(done.map((change) => [change.path, change]));
  const { memory } = workspace;
  const parts = done.flatMap(({ part, before, beforeMark }): readonly FileAsRead[] =>
    part?.state === "to make" ? [{ path: part.path, bytes: before, sha256: beforeMark.sha256 }] : [],
  );
  return {
    ...workspace,
    memory: memory === undefined ? undefined : { ...memory, ...bytesOf(changed.get(memory.path)) },
    notes: workspace.notes.map((note) => ({ ...note, ...noteAfter(note, changed.get(note.path)) })),
    others: [...workspace.others, ...parts].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

function bytesOf(change: PlannedChange | undefined): Pick<FileAsRead, "bytes" | "sha256"> | undefined {
  return change === undefined ? undefined : { bytes: change.after, sha256: change.afterMark.sha256 };
}

/** Nothing before `ownFrom` is ever cut: it is the summary of a rotation. */
function noteAfter(note: NoteAsRead, change: PlannedChange | undefined): Partial<NoteAsRead> {
  if (change === undefined) return {};
  const ownFrom = change.edit.change.kind === "rotate" ? change.after.length : note.ownFrom;
  return { ...bytesOf(change), state: "shortened", ownFrom };
}

/** For each line of the file as it is now, its number before; none for a summary, whose lines are new. */
function keptLines({ path, edit, before }: PlannedChange): readonly number[] {
  if (edit.change.kind === "rotate") return [];
  const { spans } = edit.change;
  // By their first byte: of a line that stays, only the end may go, and a byte order mark stays when the line behind it goes.
  return readText({ path, bytes: before }).lines.flatMap(({ from }, index) =>
    spans.some(([start, end]) => start <= from && from < end) ? [] : [index + 1],
  );
}
