import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../operation.ts";
import type { Memory } from "../memory.ts";
import type { RecallInput } from "../search/inputs.ts";
import type { RecallResult } from "../search/results.ts";

/** What the memory holds that bears on a message; with `batch` a line of JSON for each of many. Errors: `usage`, `invalid_body`, `io`. */
export async function runRecall(
  _memory: Memory,
  _input: RecallInput,
  _call: Call,
): Promise<RecallResult | AsyncIterable<string>> {
  throw new MemoryError("internal", "Recall is not there yet.");
}
