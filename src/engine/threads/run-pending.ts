import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function runPendingJobs(
  _memory: Memory,
  _input: I.RunPendingInput,
  _call: Call = {},
): Promise<R.RunPendingResult> {
  throw new MemoryError("internal", "runPendingJobs is not there yet.");
}
