import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function compileContext(
  _memory: Memory,
  _input: I.CompileInput,
  _call: Call = {},
): Promise<R.CompileResult> {
  throw new MemoryError("internal", "compileContext is not there yet.");
}
