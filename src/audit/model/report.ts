import { parseHeading } from "../../base/markdown.ts";
import type { NoteFigures } from "../checks/file-checks.ts";
import type { CrossFileIssue, QuotedLine } from "../checks/redundant-sections.ts";
import type { DuplicateLine, SectionFigures } from "../checks/memory-checks.ts";
import { severities, type AuditFinding, type Severity, type EditAction } from "./finding.ts";
import { keyOf } from "./memory-text.ts";

/** The result of an audit. Keys are explained in docs/formats/audit.md. */
export interface AuditResult {
  readonly workspace: string;
  readonly today: string;
  readonly max_memory_kb: number;
  readonly memory_chars: number;
  /** Estimate: CJK characters × 1.3 + ASCII words × 0.75. */
  readonly memory_tokens: number;
  /** Exact o200k count. */
  readonly memory_bpe_tokens: number;
  readonly internal_duplicates: number;
  readonly high_severity_count: number;
  readonly rotated: boolean;
  readonly rotated_count: number;
  readonly rotated_files: readonly string[];
  readonly fail_on: Severity;
  readonly ok: boolean;
  readonly dry_run: boolean;
  readonly aggressive: boolean;
  /** The id of the history entry; `null` if nothing was written. */
  readonly id: string | null;
  readonly memory_lines: number;
  /** Bytes without the derived section; the two below are bytes on disk. */
  readonly memory_size: number;
  readonly memory_size_before: number;
  readonly memory_size_after: number;
  readonly sections: readonly SectionFigures[];
  readonly cross_file_issues: readonly CrossFileIssue[];
  readonly internal_duplicate_lines: readonly DuplicateLine[];
  readonly daily_notes: readonly NoteFigures[];
  readonly actions: readonly AuditAction[];
  readonly findings: readonly AuditFinding[];
  readonly findings_count: Readonly<Record<Severity, number>>;
}

/** An action. `left`: not done, because the file had changed. */
export interface AuditAction extends EditAction {
  readonly path: string;
  readonly state: "proposed" | "done" | "left";
}

export type AuditReport = ReturnType<typeof reportOf>;

/** What a report shows, both in a terminal and in a file. Fixed findings are left out, because the actions show them. */
export function reportOf(all: AuditResult) {
  const result = { ...all, findings: all.findings.filter(({ resolved }) => !resolved) };
  const fixed = all.findings.filter(({ code, resolved }) => resolved && code === "redundant_section");
  const fixedPlaces = new Set(fixed.map(({ path, line }) => `${path} ${line}`));
  const isOpen = ({ path, lines: [line] }: CrossFileIssue): boolean => !fixedPlaces.has(`${path} ${line}`);
  const open = severities.reduce((sum, severity) => sum + result.findings_count[severity], 0);
  const wanted = result.dry_run ? "proposed" : "done";
  const counted = result.actions.filter(({ state }) => state === wanted);
  const sum = (of: (action: AuditAction) => number): number => counted.reduce((total, one) => total + of(one), 0);
  // No edit changes the derived section.
  const derived = result.memory_size_before - result.memory_size;
  return {
    /** `clean`: no findings and no actions. */
    state: open > 0 ? ("open" as const) : result.actions.length > 0 ? ("done" as const) : ("clean" as const),
    /** Unresolved findings. */
    findings: result.findings,
    /** Why there are no figures for MEMORY.md. */
    noMemory: noMemoryOf(result),
    /** `before` and `after`: bytes of MEMORY.md without its derived section; `derived`: bytes of that section. */
    size: { before: result.memory_size, after: result.memory_size_after - derived, derived },
    repeats: result.cross_file_issues.filter(isOpen).toSorted(byWeight),
    /** Totals of the actions done, or of those proposed in a dry run. */
    saved: {
      actions: counted.length,
      files: new Set(counted.map(({ path }) => path)).size,
      bytes: sum(({ bytes }) => bytes),
      tokens: sum(({ tokens }) => tokens),
    },
    next: nextSteps(result),
  };
}

function noMemoryOf({ memory_lines, findings }: AuditResult): "absent" | "not read" | undefined {
  if (memory_lines > 0) return undefined;
  const isUnread = ({ path, code }: AuditFinding): boolean =>
    path === "MEMORY.md" && (code === "unreadable" || code === "too_large");
  return findings.some(isUnread) ? "not read" : "absent";
}

function byWeight(a: CrossFileIssue, b: CrossFileIssue): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity) || b.similarity - a.similarity;
}

function nextSteps(
  result: AuditResult,
): readonly { readonly what: "apply" | "more" | "undo"; readonly command: string }[] {
  if (!result.dry_run) return result.id === null ? [] : [{ what: "undo", command: "heartwood audit undo" }];
  const mode = result.aggressive ? " --aggressive" : "";
  const isMore =
    !result.aggressive &&
    (result.internal_duplicate_lines.length > 0 || result.findings.some(({ code }) => code === "note_over_rotation"));
  return [
    ...(result.actions.length > 0 ? [{ what: "apply" as const, command: `heartwood audit${mode} --apply` }] : []),
    ...(isMore ? [{ what: "more" as const, command: "heartwood audit --aggressive" }] : []),
  ];
}

/** Whether both lines have equal text, apart from heading, list and emphasis marks. */
export function saysTheSame({ text, memory_text }: QuotedLine): boolean {
  return memory_text !== null && quotedKey(text) === quotedKey(memory_text);
}

function quotedKey(text: string): string {
  return keyOf({ text, kind: parseHeading(text) === undefined ? "text" : "heading", reading: "exact" });
}

/** The heading of the note's section, for a reader. */
export function sectionName({ section, lines: [first] }: Pick<CrossFileIssue, "section" | "lines">): string {
  return section === "header" && first === 1 ? "(beginning)" : section;
}
