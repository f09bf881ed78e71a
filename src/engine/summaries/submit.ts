import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { SubmitInput } from "./inputs.ts";
import type { SubmitResult } from "./results.ts";

export async function submitAnswer(_memory: Memory, _input: SubmitInput, _call: Call = {}): Promise<SubmitResult> {
  throw new MemoryError("internal", "This is not there yet.");
}
