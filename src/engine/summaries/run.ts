import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { SummariesRunInput } from "./inputs.ts";
import type { SummariesRunResult } from "./results.ts";

export async function runSummaries(
  _memory: Memory,
  _input: SummariesRunInput,
  _call: Call = {},
): Promise<SummariesRunResult> {
  throw new MemoryError("internal", "This is not there yet.");
}
