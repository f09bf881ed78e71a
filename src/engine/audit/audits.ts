import { auditOperations } from "../operations-audit.ts";
import type { Call, Operation } from "../operation.ts";
import type { Memory } from "../memory.ts";
import type { AuditInput, AuditUndoInput } from "./inputs.ts";
import type { AuditHistoryResult, AuditResult, AuditUndoResult } from "./results.ts";

/**
 * The audit of one memory, for a program that embeds heartwood. Each takes and gives what `docs/formats/audit.md` says, and throws `MemoryError`.
 */
export interface Audits {
  /** Changes nothing unless `apply` says so. */
  run(input?: AuditInput, call?: Call): Promise<AuditResult>;
  /** Takes back the newest, or the one with that id. */
  undo(input?: AuditUndoInput): Promise<AuditUndoResult>;
  /** The newest first. */
  history(): Promise<AuditHistoryResult>;
}

type Name = (typeof auditOperations)[number]["name"];

/** The audit of a memory. */
export function auditOf(memory: Memory): Audits {
  const bound =
    <Input, Result>(name: Name) =>
    (input?: Input, call: Call = {}): Promise<Result> => {
      const operation = auditOperations.find((one) => one.name === name) as unknown as Operation<Input, Result>;
      return operation.run(memory, input ?? ({} as Input), call);
    };
  const history = bound<Record<string, never>, AuditHistoryResult>("audit.history");
  return { run: bound("audit.run"), undo: bound("audit.undo"), history: () => history({}) };
}
