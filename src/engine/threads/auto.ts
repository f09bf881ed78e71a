import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function runAuto(_memory: Memory, _input: I.AutoInput, _call: Call = {}): Promise<R.AutoResult> {
  throw new MemoryError("internal", "runAuto is not there yet.");
}
