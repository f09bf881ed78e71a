import { analyse } from "../model/analyse.ts";
import type { Analysis } from "../model/analysis.ts";
import type { AuditFinding } from "../model/finding.ts";
import { readText } from "../model/memory-text.ts";
import type { AuditMode, FileAsRead, NoteAsRead, Workspace } from "../model/workspace.ts";
import type { PlannedChange } from "./planned-change.ts";

/**
 * The findings after an apply: those of before, each `resolved` when an analysis of what stands there now does not find it any more, and those that
 * are new. The same finding has the code, the severity, the path and the line, by the numbers of before.
 */
export function findingsAfter(
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
