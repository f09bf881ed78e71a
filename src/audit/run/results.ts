import type { Severity } from "../model/finding.ts";
import type { Reported } from "../model/report.ts";

export type { CrossFileIssue, DuplicateLine, NoteFigures, QuotedLine, SectionFigures } from "../model/analysis.ts";
export type { AuditFinding, FindingCode, LinePair, Severity } from "../model/finding.ts";
export type { AuditAction, Reported } from "../model/report.ts";

/** The report of an audit; the keys of the known return structure, and more. docs/formats/audit.md says what each is. */
export interface AuditResult extends Reported {
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
}

export interface AuditUndoResult {
  readonly id: string;
  readonly at: string;
  readonly restored: readonly string[];
  /** Notes among them that keep, behind their old lines, what was appended since the audit. */
  readonly appended: readonly string[];
  /** Archived parts that were taken away again. */
  readonly removed: readonly string[];
  /** Files that somebody changed since: they stay as they are, and `before` says where their old bytes are. */
  readonly kept: readonly { readonly path: string; readonly message: string; readonly before: string }[];
  readonly complete: boolean;
}

export interface AuditHistoryResult {
  /** The newest first. */
  readonly audits: readonly AuditHistoryEntry[];
  /** Files of the history that cannot be read. */
  readonly skipped: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

export interface AuditHistoryEntry {
  readonly id: string;
  readonly at: string;
  readonly mode: "normal" | "aggressive";
  readonly undone_at: string | null;
  readonly files: readonly {
    readonly path: string;
    readonly change: "cut" | "rotated" | "compressed";
    readonly before_bytes: number;
    readonly after_bytes: number;
    readonly part: string | null;
    /** Where the old bytes are. */
    readonly before: string;
    /** What the file is now: as the audit left it, as it was before, or changed since. */
    readonly now: "after" | "before" | "changed" | "missing";
  }[];
}
