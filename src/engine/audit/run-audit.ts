import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../operation.ts";
import type { Memory } from "../memory.ts";
import type { AuditInput } from "./inputs.ts";
import type { AuditResult } from "./results.ts";

export async function runAudit(_memory: Memory, _input: AuditInput, _call: Call = {}): Promise<AuditResult> {
  throw new MemoryError("internal", "This is not there yet.");
}
