import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { LedgerInput } from "./inputs.ts";
import type { LedgerResult } from "./results.ts";

export async function readLedger(_memory: Memory, _input: LedgerInput, _call: Call = {}): Promise<LedgerResult> {
  throw new MemoryError("internal", "This is not there yet.");
}
