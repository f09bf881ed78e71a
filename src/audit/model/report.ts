import { parseHeading } from "../../base/markdown.ts";
import type { NoteFigures } from "../checks/file-checks.ts";
import type { CrossFileIssue, QuotedLine } from "../checks/redundant-sections.ts";
import type { DuplicateLine, SectionFigures } from "../checks/memory-checks.ts";
import type { EditAction } from "./edit.ts";
import { severities, type AuditFinding, type FindingCode, type Severity } from "./finding.ts";
import { keyOf } from "./memory-text.ts";
import { greatest } from "../../base/lists.ts";

/** What a report shows; the result of an audit has everything. docs/formats/audit.md says what each is. */
export interface Reported {
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
export interface ReportLimits {
  readonly sections: number;
  readonly repeats: number;
  readonly duplicates: number;
  readonly notes: number;
  readonly others: number;
  readonly actions: number;
}

export interface Shortened<T> {
  readonly shown: readonly T[];
  readonly hidden: readonly T[];
}

/** What a report shows, in the order in which it is read; the same for a terminal and a file. */
export interface AuditReport {
  /** `clean`: no finding is left and nothing was or could be done. */
  readonly state: "clean" | "open" | "done";
  /** Not resolved. */
  readonly findings: number;
  /** What says that loaders cut MEMORY.md off. */
  readonly cutOff: AuditFinding | undefined;
  /** What is to be said in the place of figures of MEMORY.md. */
  readonly noMemory: "absent" | "not read" | undefined;
  /** Bytes of MEMORY.md without its derived section, which are its size, and of that section. */
  readonly size: { readonly before: number; readonly after: number; readonly derived: number };
  /** The largest ones, in the order of the file: a map of it. */
  readonly sections: Shortened<SectionFigures>;
  /** Tokens of the largest section, at least 1. */
  readonly largest: number;
  readonly repeats: Shortened<CrossFileIssue>;
  readonly duplicates: Shortened<DuplicateLine>;
  /** Notes over a limit, the largest first. */
  readonly notes: Shortened<NoteFigures>;
  /** Findings that no other part of the report tells, in their order; those of the same severity that say the same are together. */
  readonly others: Shortened<readonly [AuditFinding, ...AuditFinding[]]>;
  readonly actions: Shortened<AuditAction>;
  readonly saved: Saving;
  readonly left: number;
  readonly next: readonly NextStep[];
}

/** What is proposed, or when something was done, what that was. */
interface Saving {
  readonly actions: number;
  readonly files: number;
  readonly bytes: number;
  readonly tokens: number;
}

interface NextStep {
  readonly what: "apply" | "more" | "undo";
  readonly command: string;
}

/** Chooses what is shown; what was put right is told by what was done, and not again. Linear, besides sorting. */
export function reportOf(all: Reported, limits: ReportLimits): AuditReport {
  const result = withoutResolved(all);
  const findings = severities.reduce((sum, severity) => sum + result.findings_count[severity], 0);
  const notes = result.daily_notes.filter(({ over }) => over !== null).toSorted((a, b) => b.bytes - a.bytes);
  const others = result.findings.filter(({ code }) => !TOLD_ELSEWHERE.has(code));
  const wanted = result.dry_run ? "proposed" : "done";
  return {
    state: findings > 0 ? "open" : result.actions.length > 0 ? "done" : "clean",
    findings,
    cutOff: result.findings.find(({ code }) => code === "memory_over_loader"),
    noMemory: noMemoryOf(result),
    size: sizeOf(result),
    sections: largestOf(result.sections, limits.sections),
    largest: greatest([1, ...result.sections.map(({ tokens }) => tokens)]),
    repeats: firstOf(result.cross_file_issues.toSorted(byWeight), limits.repeats),
    duplicates: firstOf(
      result.internal_duplicate_lines.toSorted((a, b) => b.count - a.count),
      limits.duplicates,
    ),
    notes: firstOf(notes, limits.notes),
    others: firstOf(groupsOf(others), limits.others),
    actions: firstOf(result.actions, limits.actions),
    saved: savingOf(result.actions.filter(({ state }) => state === wanted)),
    left: result.actions.filter(({ state }) => state === "left").length,
    next: nextSteps(result),
  };
}

function noMemoryOf({ memory_lines, findings }: Reported): AuditReport["noMemory"] {
  if (memory_lines > 0) return undefined;
  const isUnread = ({ path, code }: AuditFinding): boolean =>
    path === "MEMORY.md" && (code === "unreadable" || code === "too_large");
  return findings.some(isUnread) ? "not read" : "absent";
}

/** No edit changes the derived section. */
function sizeOf({ memory_size, memory_size_before, memory_size_after }: Reported): AuditReport["size"] {
  const derived = memory_size_before - memory_size;
  return { before: memory_size, after: memory_size_after - derived, derived };
}

function withoutResolved(result: Reported): Reported {
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
const TOLD_ELSEWHERE: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "memory_over_max",
  "memory_over_loader",
  "section_bloat",
  "duplicate_line",
  "redundant_section",
  "note_bloat",
  "note_over_rotation",
]);

function groupsOf(findings: readonly AuditFinding[]): readonly [AuditFinding, ...AuditFinding[]][] {
  const groups = new Map<string, [AuditFinding, ...AuditFinding[]]>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.message}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [finding]);
    else known.push(finding);
  }
  return [...groups.values()];
}

function byWeight(a: CrossFileIssue, b: CrossFileIssue): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity) || b.similarity - a.similarity;
}

function firstOf<T>(items: readonly T[], limit: number): Shortened<T> {
  // A line that says "and 1 more" takes as much room as that one.
  const shown = items.length === limit + 1 ? items.length : limit;
  return { shown: items.slice(0, shown), hidden: items.slice(shown) };
}

function largestOf(sections: readonly SectionFigures[], limit: number): Shortened<SectionFigures> {
  const chosen = new Set(
    firstOf(
      sections.toSorted((a, b) => b.tokens - a.tokens),
      limit,
    ).shown,
  );
  return { shown: sections.filter((one) => chosen.has(one)), hidden: sections.filter((one) => !chosen.has(one)) };
}

function savingOf(actions: readonly AuditAction[]): Saving {
  const sum = (of: (action: AuditAction) => number): number => actions.reduce((all, one) => all + of(one), 0);
  return {
    actions: actions.length,
    files: new Set(actions.map(({ path }) => path)).size,
    bytes: sum(({ bytes }) => bytes),
    tokens: sum(({ tokens }) => tokens),
  };
}

function nextSteps(result: Reported): readonly NextStep[] {
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

/** Whether both places say the same, whatever marks of headings, lists and emphasis stand around it. */
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
