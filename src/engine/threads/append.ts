import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function appendMessages(
  _memory: Memory,
  _input: I.AppendInput,
  _call: Call = {},
): Promise<R.ThreadAppendResult> {
  throw new MemoryError("internal", "appendMessages is not there yet.");
}
