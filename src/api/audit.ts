import type * as WireResult from "../audit/run/audit-result.ts";
import type * as WireHistory from "../audit/run/history.ts";
import type * as WireUndo from "../audit/run/undo.ts";
import type { OutputFile } from "../base/operation.ts";
import type { CallOptions } from "./call.ts";
import type { Camel } from "./wire.ts";
import type { Severity } from "../audit/model/finding.ts";

/** Repeats and bloat in MEMORY.md and the notes. */
export interface Audit {
  /**
   * Measures MEMORY.md and its sections, finds what notes repeat of it, repeated lines, large notes, secrets and broken references. Writes only with
   * `apply`; then `undo` restores every byte. Findings are a result, not an error.
   * Operation: `audit.run`. Errors: `changed_by_other`.
   */
  run(options?: AuditOptions): Promise<AuditResult>;
  /**
   * Restores what an audit changed. A file that was changed otherwise since stays as it is and is reported.
   * Operation: `audit.undo`. Errors: `nothing_to_undo`, `audit_not_found`, `invalid_id`, `archive_damaged`, `changed_by_other`.
   */
  undo(options?: AuditUndoOptions): Promise<AuditUndoResult>;
  /** Lists the audits that changed something, the newest first. Operation: `audit.history`. */
  history(options?: CallOptions): Promise<AuditHistoryResult>;
}

export interface AuditOptions extends CallOptions {
  /** Write what the report proposes. Default `false`. */
  readonly apply?: boolean;
  /** Only report; wins over `apply`. Default `false`. */
  readonly dryRun?: boolean;
  /** Also compress MEMORY.md and rotate notes over 30 KB. Default `false`. */
  readonly aggressive?: boolean;
  /** The size of MEMORY.md that is too much, in units of 1,024 bytes. Default 5. */
  readonly maxMemoryKb?: number;
  /** The least severity for `ok: false`. Default `high`. */
  readonly failOn?: Severity;
  /** Where to write the report as Markdown. Default: nowhere. */
  readonly markdown?: OutputFile;
}

export interface AuditUndoOptions extends CallOptions {
  /** The audit, as `history` names it. Default: the newest that was not undone. */
  readonly id?: string;
}

export interface AuditResult extends Camel<WireResult.AuditResult> {}
export interface AuditUndoResult extends Camel<WireUndo.AuditUndoResult> {}
export interface AuditHistoryResult extends Camel<WireHistory.AuditHistoryResult> {}
