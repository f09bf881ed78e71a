import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function readCompactionStatus(
  _memory: Memory,
  _input: I.StatusInput,
  _call: Call = {},
): Promise<R.CompactionStatusResult> {
  throw new MemoryError("internal", "readCompactionStatus is not there yet.");
}
