import type { CrossFileIssue, DuplicateLine, NoteFigures, SectionFigures } from "../../audit/analysis.ts";
import type { AuditFinding, LinePair, Severity } from "../../audit/finding.ts";

/** The report of an audit; the keys of the known return structure, and more. docs/formats/audit.md says what each is. */
export interface AuditResult {
  readonly workspace: string;
  readonly today: string;
  readonly dry_run: boolean;
  readonly aggressive: boolean;
  /** The history entry; `null` when nothing was written. */
  readonly id: string | null;
  readonly max_memory_kb: number;
  readonly memory_size: number;
  readonly memory_chars: number;
  readonly memory_lines: number;
  /** Estimate: CJK × 1.3 + ASCII words × 0.75. */
  readonly memory_tokens: number;
  /** o200k, exact. */
  readonly memory_bpe_tokens: number;
  readonly cross_file_issues: readonly CrossFileIssue[];
  readonly internal_duplicates: number;
  readonly internal_duplicate_lines: readonly DuplicateLine[];
  readonly high_severity_count: number;
  readonly sections: readonly SectionFigures[];
  readonly memory_size_before: number;
  readonly memory_size_after: number;
  readonly rotated: boolean;
  readonly rotated_count: number;
  readonly rotated_files: readonly string[];
  readonly daily_notes: readonly NoteFigures[];
  readonly actions: readonly AuditAction[];
  readonly findings: readonly AuditFinding[];
  readonly findings_count: Readonly<Record<Severity, number>>;
  readonly fail_on: Severity;
  readonly ok: boolean;
}

/** What was done, would be done, or was left because the file had changed. */
export interface AuditAction {
  readonly kind: "remove_section" | "remove_duplicates" | "merge_blank_lines" | "rotate";
  readonly path: string;
  readonly lines: readonly LinePair[];
  /** What it saves in the file. */
  readonly bytes: number;
  readonly tokens: number;
  readonly state: "proposed" | "done" | "left";
  readonly message: string;
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
