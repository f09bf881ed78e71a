import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { AuditUndoInput } from "./inputs.ts";
import type { AuditUndoResult } from "./results.ts";

export async function undoAudit(_memory: Memory, _input: AuditUndoInput): Promise<AuditUndoResult> {
  throw new MemoryError("internal", "This is not there yet.");
}
