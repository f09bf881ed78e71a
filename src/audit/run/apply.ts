import { type AuditChoice, auditResultOf, judge } from "./audit-result.ts";
import type { AuditResult } from "../model/report.ts";
import { removeLitterAlone, withLocks, takeBackUnbegun } from "./undo.ts";
import { planChanges, writeChanges } from "./write-changes.ts";
import type { Call } from "../../base/operation.ts";
import type { TreeMemory } from "../../tree/memory.ts";

/**
 * Applies what an audit proposes. Checks without a lock first, and writes nothing if there is nothing to do. Errors: `busy`, `disk_full`, `io`,
 * `changed_by_other`, `aborted`.
 */
export async function applyAudit(memory: TreeMemory, choice: AuditChoice, call: Call): Promise<AuditResult> {
  const look = await judge(memory, choice);
  if (look.analysis.edits.length === 0) {
    await removeLitterAlone(memory);
    return auditResultOf(memory, choice, { before: look });
  }
  return withLocks(memory, { holder: "audit", call }, async () => {
    await takeBackUnbegun(memory);
    const before = await judge(memory, choice);
    const changes = await planChanges(memory, before.analysis.edits, before.workspace);
    call.signal?.throwIfAborted();
    if (changes.length === 0) return auditResultOf(memory, choice, { before });
    const written = await writeChanges(memory, changes, choice.mode);
    const after = written.done.length === 0 ? before : await judge(memory, choice);
    return auditResultOf(memory, choice, { before, applied: { ...written, after } });
  });
}
