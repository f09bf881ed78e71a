import { parseHeading } from "../../base/markdown.ts";
import type { NoteFigures } from "../checks/file-checks.ts";
import type { CrossFileIssue, QuotedLine } from "../checks/redundant-sections.ts";
import type { DuplicateLine, SectionFigures } from "../checks/memory-checks.ts";
import type { EditAction } from "./edit.ts";
import { severities, type AuditFinding, type FindingCode, type Severity } from "./finding.ts";
import { keyOf } from "./memory-text.ts";
import { greatest } from "../../base/lists.ts";

/** The report of an audit; the keys of the known return structure, and more. docs/formats/audit.md says what each is. */
export interface AuditResult {
  readonly workspace: string;
  readonly today: string;
  readonly max_memory_kb: number;
  readonly memory_chars: number;
  /** Estimate: CJK × 1.3 + ASCII words × 0.75. */
  readonly memory_tokens: number;
  /** o200k, exact. */
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
  /** The history entry; `null` when nothing was written. */
  readonly id: string | null;
  readonly memory_lines: number;
  /** Bytes without the derived section; the two below are those on the disk. */
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

/** What was done, would be done, or was left because the file had changed. */
export interface AuditAction extends EditAction {
  readonly path: string;
  readonly state: "proposed" | "done" | "left";
}

/** How many of each a report shows. */
export type ReportLimits = Readonly<
  Record<"sections" | "repeats" | "duplicates" | "notes" | "others" | "actions", number>
>;

export interface Shortened<T> {
  readonly shown: readonly T[];
  readonly hidden: readonly T[];
}

export type AuditReport = ReturnType<typeof reportOf>;

/**
 * What a report shows, in the order in which it is read; the same for a terminal and a file. What was fixed is shown by what was done, and not again.
 * Linear, besides sorting.
 */
export function reportOf(all: AuditResult, limits: ReportLimits) {
  const result = withoutResolved(all);
  const open = severities.reduce((sum, severity) => sum + result.findings_count[severity], 0);
  const notes = result.daily_notes.filter(({ over }) => over !== null).toSorted((a, b) => b.bytes - a.bytes);
  const groups = Map.groupBy(
    result.findings.filter(({ code }) => !shownElsewhere.has(code)),
    ({ severity, message }) => `${severity} ${message}`,
  );
  const wanted = result.dry_run ? "proposed" : "done";
  const counted = result.actions.filter(({ state }) => state === wanted);
  const sum = (of: (action: AuditAction) => number): number => counted.reduce((total, one) => total + of(one), 0);
  // No edit changes the derived section.
  const derived = result.memory_size_before - result.memory_size;
  return {
    /** `clean`: no finding is left and nothing was or could be done. */
    state: open > 0 ? ("open" as const) : result.actions.length > 0 ? ("done" as const) : ("clean" as const),
    /** Not resolved. */
    findings: open,
    /** What says that loaders cut MEMORY.md off. */
    cutOff: result.findings.find(({ code }) => code === "memory_over_loader"),
    /** Why there are no figures of MEMORY.md. */
    noMemory: noMemoryOf(result),
    /** Bytes of MEMORY.md without its derived section, which are its size, and of that section. */
    size: { before: result.memory_size, after: result.memory_size_after - derived, derived },
    /** The largest ones, in the order of the file: a map of it. */
    sections: largestOf(result.sections, limits.sections),
    /** Tokens of the largest section, at least 1. */
    largest: greatest([1, ...result.sections.map(({ tokens }) => tokens)]),
    repeats: firstOf(result.cross_file_issues.toSorted(byWeight), limits.repeats),
    duplicates: firstOf(
      result.internal_duplicate_lines.toSorted((a, b) => b.count - a.count),
      limits.duplicates,
    ),
    /** Notes over a limit, the largest first. */
    notes: firstOf(notes, limits.notes),
    /** Findings that no other part of the report shows, in their order; those of the same severity that say the same are together. */
    others: firstOf([...groups.values()], limits.others),
    actions: firstOf(result.actions, limits.actions),
    /** What is proposed, or when something was done, what that was. */
    saved: {
      actions: counted.length,
      files: new Set(counted.map(({ path }) => path)).size,
      bytes: sum(({ bytes }) => bytes),
      tokens: sum(({ tokens }) => tokens),
    },
    left: result.actions.filter(({ state }) => state === "left").length,
    next: nextSteps(result),
  };
}

function noMemoryOf({ memory_lines, findings }: AuditResult): "absent" | "not read" | undefined {
  if (memory_lines > 0) return undefined;
  const isUnread = ({ path, code }: AuditFinding): boolean =>
    path === "MEMORY.md" && (code === "unreadable" || code === "too_large");
  return findings.some(isUnread) ? "not read" : "absent";
}

function withoutResolved(result: AuditResult): AuditResult {
  const resolved = new Set(
    result.findings.flatMap(({ code, path, line, resolved: isDone }) => (isDone ? [`${code} ${path} ${line}`] : [])),
  );
  if (resolved.size === 0) return result;
  return {
    ...result,
    findings: result.findings.filter((finding) => !finding.resolved),
    cross_file_issues: result.cross_file_issues.filter(
      ({ path, lines: [line] }) => !resolved.has(`redundant_section ${path} ${line}`),
    ),
    internal_duplicate_lines: result.internal_duplicate_lines.filter(
      ({ lines: [line] }) => !resolved.has(`duplicate_line MEMORY.md ${line}`),
    ),
  };
}

/** The bars, the quotes, the tables of lines and of notes, and the size of MEMORY.md say these. */
const shownElsewhere: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "memory_over_max",
  "memory_over_loader",
  "section_bloat",
  "duplicate_line",
  "redundant_section",
  "note_bloat",
  "note_over_rotation",
]);

function byWeight(a: CrossFileIssue, b: CrossFileIssue): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity) || b.similarity - a.similarity;
}

function firstOf<T>(items: readonly T[], limit: number): Shortened<T> {
  // A line that says "and 1 more" takes as much room as that one.
  const shown = items.length === limit + 1 ? items.length : limit;
  return { shown: items.slice(0, shown), hidden: items.slice(shown) };
}

function largestOf(sections: readonly SectionFigures[], limit: number): Shortened<SectionFigures> {
  const bySize = sections.toSorted((a, b) => b.tokens - a.tokens);
  const chosen = new Set(firstOf(bySize, limit).shown);
  return { shown: sections.filter((one) => chosen.has(one)), hidden: sections.filter((one) => !chosen.has(one)) };
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

/** Whether both places say the same, apart from marks of headings, lists and emphasis around it. */
export function saysTheSame({ text, memory_text }: QuotedLine): boolean {
  return memory_text !== null && quotedKey(text) === quotedKey(memory_text);
}

function quotedKey(text: string): string {
  return keyOf({ text, kind: parseHeading(text) === undefined ? "text" : "heading", reading: "exact" });
}

/** At most so many quotes, in order; those that differ say more than those that do not. */
export function tellingQuotes(quotes: readonly QuotedLine[], limit: number): readonly QuotedLine[] {
  const chosen = quotes.toSorted((a, b) => Number(saysTheSame(a)) - Number(saysTheSame(b))).slice(0, limit);
  return chosen.toSorted((a, b) => a.line - b.line);
}

/** The heading of the note's section, for a reader. */
export function sectionName({ section, lines: [first] }: Pick<CrossFileIssue, "section" | "lines">): string {
  return section === "header" && first === 1 ? "(beginning)" : section;
}
