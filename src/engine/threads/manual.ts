import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function recordCheckpoint(
  _memory: Memory,
  _input: I.CheckpointInput,
  _call: Call = {},
): Promise<R.ManualResult> {
  throw new MemoryError("internal", "recordCheckpoint is not there yet.");
}
