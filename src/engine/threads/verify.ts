import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function verifyThreads(
  _memory: Memory,
  _input: I.VerifyThreadsInput,
  _call: Call = {},
): Promise<R.VerifyThreadsResult> {
  throw new MemoryError("internal", "verifyThreads is not there yet.");
}
