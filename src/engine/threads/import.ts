import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function importFrames(
  _memory: Memory,
  _input: I.ImportInput,
  _call: Call = {},
): Promise<R.ThreadImportResult> {
  throw new MemoryError("internal", "importFrames is not there yet.");
}
