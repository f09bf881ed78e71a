import type * as WireResult from "../audit/model/report.ts";
import type * as WireHistory from "../audit/run/history.ts";
import type * as WireUndo from "../audit/run/undo.ts";
import type { OutputFile } from "../base/operation.ts";
import type { CallOptions } from "./call.ts";
import type { AuditInput, AuditUndoInput } from "../audit/model/report.ts";
import type { Camel, OptionsOf } from "./wire.ts";

/** Finds and fixes repetition and bloat in MEMORY.md and the notes. */
export interface Audit {
  /**
   * Measures MEMORY.md and its sections, and finds notes that repeat it, repeated lines, large notes, secrets and broken references. Writes only with
   * `apply`, which `undo` can revert byte for byte. Findings are returned, not thrown.
   * Operation: `audit.run`. Errors: `changed_by_other`.
   */
  run(options?: AuditOptions): Promise<AuditResult>;
  /**
   * Reverts an audit. Text appended to notes since then is kept; a file changed in any other way is left as it is and reported.
   * Operation: `audit.undo`. Errors: `nothing_to_undo`, `audit_not_found`, `invalid_id`, `archive_damaged`, `changed_by_other`.
   */
  undo(options?: AuditUndoOptions): Promise<AuditUndoResult>;
  /** Lists audits that changed something, newest first. Operation: `audit.history`. */
  history(options?: CallOptions): Promise<AuditHistoryResult>;
}

export interface AuditOptions extends CallOptions, OptionsOf<AuditInput, "markdown"> {
  /** Where to write the report as Markdown. Default: not written. */
  readonly markdown?: OutputFile;
}

export interface AuditUndoOptions extends CallOptions, OptionsOf<AuditUndoInput> {}

export interface AuditResult extends Camel<WireResult.AuditResult> {}
export interface AuditUndoResult extends Camel<WireUndo.AuditUndoResult> {}
export interface AuditHistoryResult extends Camel<WireHistory.AuditHistoryResult> {}
