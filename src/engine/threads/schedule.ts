import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

export async function runSchedule(
  _memory: Memory,
  _input: I.ScheduleInput,
  _call: Call = {},
): Promise<R.ScheduleResult> {
  throw new MemoryError("internal", "runSchedule is not there yet.");
}
