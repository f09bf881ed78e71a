import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { Provenance } from "./inputs.ts";
import type * as R from "./results.ts";

/** Makes the rungs that a compile at the head needs and that are missing. `null` when none is. */
export async function buildLadder(
  _memory: Memory,
  _thread: Provenance & { readonly thread_id: string },
  _call: Call = {},
): Promise<R.LadderResult | null> {
  throw new MemoryError("internal", "The ladder is not there yet.");
}
