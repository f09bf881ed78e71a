import type { AuditAction, AuditResult } from "../model/report.ts";
import { analyse } from "../model/analyse.ts";
import { compareFindings, severities, type AuditFinding, type Severity } from "../model/finding.ts";
import type { AuditMode } from "../model/workspace.ts";
import { readText } from "../model/memory-text.ts";
import { fileFinding } from "../model/shown-text.ts";
import { loadWorkspace } from "./load-workspace.ts";
import type { PlannedChange, WrittenChanges } from "./write-changes.ts";
import type { TreeMemory } from "../../tree/memory.ts";

/** The caller's options, with defaults filled in. */
export interface AuditChoice {
  readonly mode: AuditMode;
  readonly failOn: Severity;
  readonly writing: "dry" | "apply";
}

/** A workspace and its analysis. */
type Judged = Awaited<ReturnType<typeof judge>>;

export async function judge(memory: TreeMemory, { mode }: AuditChoice) {
  const workspace = await loadWorkspace(memory);
  return { workspace, analysis: analyse(workspace, mode) };
}

/** The result of an audit, with the changes of an apply. `after`: the analysis after the apply. */
export function auditResultOf(
  memory: TreeMemory,
  choice: AuditChoice,
  { before, applied }: { readonly before: Judged; readonly applied?: WrittenChanges & { readonly after: Judged } },
): AuditResult {
  const { analysis } = before;
  const { memoryBytes } = before.workspace;
  const figures = analysis.memory;
  const findings = applied === undefined ? analysis.findings : findingsAfter(analysis.findings, applied);
  const { done = [], left = [] }: Partial<WrittenChanges> = applied ?? {};
  const states = new Map([
    ...done.map(({ path }) => [path, "done"] as const),
    ...left.map(({ path }) => [path, "left"] as const),
  ]);
  const rotated = done.filter(({ edit }) => edit.change.kind === "rotated").map(({ path }) => path);
  const failing = severities.slice(severities.indexOf(choice.failOn));
  return {
    workspace: memory.dir,
    today: memory.clock.today(),
    dry_run: choice.writing === "dry",
    aggressive: choice.mode.aggressive === "yes",
    id: applied?.id ?? null,
    max_memory_kb: choice.mode.maxMemoryKb,
    memory_size: figures.bytes,
    memory_chars: figures.characters,
    memory_lines: figures.lines,
    memory_tokens: figures.tokens,
    memory_bpe_tokens: figures.text === "" ? 0 : memory.tokens.count(figures.text),
    cross_file_issues: analysis.issues,
    internal_duplicates: analysis.duplicates.reduce((sum, { count }) => sum + count - 1, 0),
    internal_duplicate_lines: analysis.duplicates,
    high_severity_count: analysis.issues.filter(({ severity }) => severity === "high").length,
    sections: analysis.sections,
    memory_size_before: memoryBytes,
    memory_size_after: applied?.after.workspace.memoryBytes ?? memoryBytes,
    rotated: rotated.length > 0,
    rotated_count: rotated.length,
    rotated_files: rotated,
    daily_notes: analysis.notes,
    actions: analysis.edits.flatMap(({ path, actions }): readonly AuditAction[] => {
      const state = states.get(path) ?? "proposed";
      return actions.map((action) => ({ ...action, path, state }));
    }),
    findings: findings.toSorted(compareFindings),
    findings_count: countOpen(findings),
    fail_on: choice.failOn,
    ok: !findings.some(({ resolved, severity }) => !resolved && failing.includes(severity)),
  };
}

function countOpen(findings: readonly AuditFinding[]): Readonly<Record<Severity, number>> {
  const count = (level: Severity): number =>
    findings.filter(({ severity, resolved }) => severity === level && !resolved).length;
  return { low: count("low"), medium: count("medium"), high: count("high") };
}

/**
 * The findings after an apply: the earlier ones, each `resolved` if the new analysis no longer has it, and new ones. Two findings are the same if code,
 * severity, path and line match, using the line numbers from before the apply.
 */
function findingsAfter(
  findings: readonly AuditFinding[],
  { done, left, after }: WrittenChanges & { readonly after: Judged },
): readonly AuditFinding[] {
  const numbers = new Map(done.map((change) => [change.path, keptLines(change)]));
  const lineBefore = ({ path, line }: AuditFinding): number | null =>
    line === null ? null : (numbers.get(path)?.[line - 1] ?? (numbers.has(path) ? 0 : line));
  const now = after.analysis.findings;
  const nowKeys = new Set(now.map((finding) => keyOf(finding, lineBefore(finding))));
  const before = findings.map((finding) => ({ finding, key: keyOf(finding, finding.line) }));
  const oldKeys = new Set(before.map(({ key }) => key));
  return [
    ...before.map(({ finding, key }) => ({ ...finding, resolved: !nowKeys.has(key) })),
    ...now.filter((finding) => !oldKeys.has(keyOf(finding, lineBefore(finding)))),
    ...left.map(({ path }) => {
      const message = `${path} changed during the audit, so it was left unchanged: run the audit again.`;
      return fileFinding("file_changed", path, message);
    }),
  ];
}

function keyOf({ code, severity, path }: AuditFinding, line: number | null): string {
  return `${code} ${severity} ${line ?? "whole"} ${path}`;
}

/** For each line of the changed file, its old number; empty for a rotation summary, whose lines are new. */
function keptLines({ path, edit, before }: PlannedChange): readonly number[] {
  if (edit.change.kind === "rotated") return [];
  const { spans } = edit.change;
  // The first byte of a line decides: a line that stays may lose its line end, and a byte order mark stays even if the first line is removed.
  return readText({ path, bytes: before }).lines.flatMap(({ from }, index) =>
    spans.some(([start, end]) => start <= from && from < end) ? [] : [index + 1],
  );
}
