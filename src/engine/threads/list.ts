import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function listThreads(_memory: Memory, _input: I.ListInput, _call: Call = {}): Promise<R.ThreadListResult> {
  throw new MemoryError("internal", "listThreads is not there yet.");
}

export async function readThread(_memory: Memory, _input: I.ThreadInput, _call: Call = {}): Promise<R.ThreadResult> {
  throw new MemoryError("internal", "readThread is not there yet.");
}
