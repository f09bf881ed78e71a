import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { AuditHistoryResult } from "./results.ts";

export async function readAuditHistory(_memory: Memory): Promise<AuditHistoryResult> {
  throw new MemoryError("internal", "This is not there yet.");
}
