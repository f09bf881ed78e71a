import { type AuditFinding } from "../model/finding.ts";
import { fileFinding } from "../model/shown-text.ts";
import { analyse, type Analysis } from "../model/analyse.ts";
import { readText } from "../model/memory-text.ts";
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
  const { loaded, analysis, id, done, left } = outcome;
  const after = done.length === 0 ? outcome : await judge(memory, choice);
  return auditResultOf(memory, {
    choice,
    analysis,
    memoryBytes: loaded.memoryBytes,
    applied: {
      id,
      states: new Map([...done, ...left].map(({ path }, index) => [path, index < done.length ? "done" : "left"])),
      findings: [...findingsAfter(analysis, after.analysis, done), ...left.map(leftAsItIs)],
      memoryAfter: after.loaded.memoryBytes,
    },
  });
}

function leftAsItIs({ path }: PlannedChange): AuditFinding {
  const message = `${path} changed between being read and being replaced, so it was left as it is: run the audit again.`;
  return fileFinding("file_changed", path, message);
}

/**
 * The findings after an apply: those of before, each `resolved` when an analysis of the files as they are now no longer finds it, and those that
 * are new. The same finding has the code, the severity, the path and the line, by the numbers of before.
 */
function findingsAfter(
  analysis: Analysis,
  { findings: now }: Analysis,
  done: readonly PlannedChange[],
): readonly AuditFinding[] {
  if (done.length === 0) return analysis.findings;
  const numbers = new Map(done.map((change) => [change.path, keptLines(change)]));
  const lineBefore = ({ path, line }: AuditFinding): number | null =>
    line === null ? null : (numbers.get(path)?.[line - 1] ?? (numbers.has(path) ? 0 : line));
  const nowKeys = new Set(now.map((finding) => keyOf(finding, lineBefore(finding))));
  const before = analysis.findings.map((finding) => ({ finding, key: keyOf(finding, finding.line) }));
  const oldKeys = new Set(before.map(({ key }) => key));
  return [
    ...before.map(({ finding, key }) => ({ ...finding, resolved: !nowKeys.has(key) })),
    ...now.filter((finding) => !oldKeys.has(keyOf(finding, lineBefore(finding)))),
  ];
}

function keyOf({ code, severity, path }: AuditFinding, line: number | null): string {
  return `${code} ${severity} ${line ?? "whole"} ${path}`;
}

/** For each line of the file as it is now, its number before; none for a summary, whose lines are new. */
function keptLines({ path, edit, before }: PlannedChange): readonly number[] {
  if (edit.change.kind === "rotate") return [];
  const { spans } = edit.change;
  // By their first byte: of a line that stays, only the end may go, and a byte order mark stays when the line after it goes.
  return readText({ path, bytes: before }).lines.flatMap(({ from }, index) =>
    spans.some(([start, end]) => start <= from && from < end) ? [] : [index + 1],
  );
}
