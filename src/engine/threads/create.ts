import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function createThread(_memory: Memory, _input: I.CreateInput, _call: Call = {}): Promise<R.ThreadResult> {
  throw new MemoryError("internal", "createThread is not there yet.");
}
