import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function branchThread(_memory: Memory, _input: I.BranchInput, _call: Call = {}): Promise<R.ThreadResult> {
  throw new MemoryError("internal", "branchThread is not there yet.");
}

export async function handOffThread(
  _memory: Memory,
  _input: I.HandoffInput,
  _call: Call = {},
): Promise<R.HandoffResult> {
  throw new MemoryError("internal", "handOffThread is not there yet.");
}
