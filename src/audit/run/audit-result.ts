import type { AuditAction, AuditResult } from "../model/report.ts";
import type { Analysis } from "../model/analyse.ts";
import { compareFindings, severities, type AuditFinding, type Severity } from "../model/finding.ts";
import type { AuditMode } from "../model/workspace.ts";
import type { TreeMemory } from "../../tree/memory.ts";

/** What the caller asked for, with its defaults. */
export interface AuditChoice {
  readonly mode: AuditMode;
  readonly failOn: Severity;
  readonly writing: "dry" | "apply";
}

/** The report of an analysis, and of what an apply did. */
export function auditResultOf(
  memory: TreeMemory,
  work: {
    readonly choice: AuditChoice;
    readonly analysis: Analysis;
    /** Bytes of MEMORY.md on the disk before. */
    readonly memoryBytes: number;
    readonly applied?: {
      /** `null` when nothing was changed. */
      readonly id: string | null;
      /** Of each edit by path. */
      readonly states: ReadonlyMap<string, "done" | "left">;
      /** All findings, those of the apply included. */
      readonly findings: readonly AuditFinding[];
      /** Bytes of MEMORY.md on the disk. */
      readonly memoryAfter: number;
    };
  },
): AuditResult {
  const { choice, analysis, memoryBytes, applied } = work;
  const figures = analysis.memory;
  const findings = (applied?.findings ?? analysis.findings).toSorted(compareFindings);
  const done = analysis.edits.filter((edit) => applied?.states.get(edit.path) === "done");
  const rotated = done.filter(({ change }) => change.kind === "rotate").map(({ path }) => path);
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
    memory_size_after: applied?.memoryAfter ?? memoryBytes,
    rotated: rotated.length > 0,
    rotated_count: rotated.length,
    rotated_files: rotated,
    daily_notes: analysis.notes,
    actions: analysis.edits.flatMap(({ path, actions }): readonly AuditAction[] => {
      const state = applied?.states.get(path) ?? "proposed";
      return actions.map((action) => ({ ...action, path, state }));
    }),
    findings,
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
