import type * as WireResult from "../audit/model/report.ts";
import type * as WireHistory from "../audit/run/history.ts";
import type * as WireUndo from "../audit/run/undo.ts";
import type { OutputFile } from "../base/operation.ts";
import type { CallOptions } from "./call.ts";
import type { AuditInput, AuditUndoInput } from "../audit/run/inputs.ts";
import type { Camel, OptionsOf } from "./wire.ts";

/** Repeats and bloat in MEMORY.md and the notes. */
export interface Audit {
  /**
   * Measures MEMORY.md and its sections and finds notes that repeat it, repeated lines, large notes, secrets and broken references. Writes only with
   * `apply`; then `undo` restores every byte. Findings are a result, not an error.
   * Operation: `audit.run`. Errors: `changed_by_other`.
   */
  run(options?: AuditOptions): Promise<AuditResult>;
  /**
   * Restores what an audit changed. A file that was changed in any other way stays as it is and is reported.
   * Operation: `audit.undo`. Errors: `nothing_to_undo`, `audit_not_found`, `invalid_id`, `archive_damaged`, `changed_by_other`.
   */
  undo(options?: AuditUndoOptions): Promise<AuditUndoResult>;
  /** Lists the audits that changed something, newest first. Operation: `audit.history`. */
  history(options?: CallOptions): Promise<AuditHistoryResult>;
}

export interface AuditOptions extends CallOptions, OptionsOf<AuditInput, "markdown"> {
  /** Where to write the report as Markdown. Default: nowhere. */
  readonly markdown?: OutputFile;
}

export interface AuditUndoOptions extends CallOptions, OptionsOf<AuditUndoInput> {}

export interface AuditResult extends Camel<WireResult.AuditResult> {}
export interface AuditUndoResult extends Camel<WireUndo.AuditUndoResult> {}
export interface AuditHistoryResult extends Camel<WireHistory.AuditHistoryResult> {}
