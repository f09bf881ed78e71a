import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { PendingInput } from "./inputs.ts";
import type { PendingResult } from "./results.ts";

export async function readPending(_memory: Memory, _input: PendingInput, _call: Call = {}): Promise<PendingResult> {
  throw new MemoryError("internal", "This is not there yet.");
}
