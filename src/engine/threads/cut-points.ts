import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function readCutPoints(
  _memory: Memory,
  _input: I.CutPointsInput,
  _call: Call = {},
): Promise<R.CutPointsResult> {
  throw new MemoryError("internal", "readCutPoints is not there yet.");
}
