import type * as WireResult from "../audit/model/report.ts";
import type * as WireHistory from "../audit/run/history.ts";
import type * as WireUndo from "../audit/run/undo.ts";
import type { OutputFile } from "../base/operation.ts";
import type { CallOptions } from "./call.ts";
import type { Camel } from "./wire.ts";
import type { Severity } from "../audit/model/finding.ts";

/** Repeats and bloat in MEMORY.md and the notes. */
export interface Audit {
  /**
   * Measures MEMORY.md and its sections, finds notes that repeat it, repeated lines, large notes, secrets and broken references. Writes only with
   * `apply`; then `undo` restores every byte. Findings are a result, not an error.
   * Operation: `audit.run`. Errors: `changed_by_other`.
   */
  run(options?: AuditOptions): Promise<AuditResult>;
  /**
   * Restores what an audit changed. A file that was changed in any other way is left alone and reported.
   * Operation: `audit.undo`. Errors: `nothing_to_undo`, `audit_not_found`, `invalid_id`, `archive_damaged`, `changed_by_other`.
   */
  undo(options?: AuditUndoOptions): Promise<AuditUndoResult>;
  /** Lists the audits that changed something, newest first. Operation: `audit.history`. */
  history(options?: CallOptions): Promise<AuditHistoryResult>;
}

export interface AuditOptions extends CallOptions {
  /** Make the changes that the report proposes. Default `false`. */
  readonly apply?: boolean;
  /** Report only; overrides `apply`. Default `false`. */
  readonly dryRun?: boolean;
  /** Also compress MEMORY.md and rotate notes over 30 KB. Default `false`. */
  readonly aggressive?: boolean;
  /** Report MEMORY.md when it is larger than this, in units of 1,024 bytes. Default 5. */
  readonly maxMemoryKb?: number;
  /** The lowest severity that gives `ok: false`. Default `high`. */
  readonly failOn?: Severity;
  /** Where to write the report as Markdown. Default: nowhere. */
  readonly markdown?: OutputFile;
}

export interface AuditUndoOptions extends CallOptions {
  /** The audit's id, from `history`. Default: the newest that was not undone. */
  readonly id?: string;
}

export interface AuditResult extends Camel<WireResult.AuditResult> {}
export interface AuditUndoResult extends Camel<WireUndo.AuditUndoResult> {}
export interface AuditHistoryResult extends Camel<WireHistory.AuditHistoryResult> {}
