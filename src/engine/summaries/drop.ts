import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { DropInput } from "./inputs.ts";
import type { DropResult } from "./results.ts";

export async function dropAnswer(_memory: Memory, _input: DropInput, _call: Call = {}): Promise<DropResult> {
  throw new MemoryError("internal", "This is not there yet.");
}
