import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type * as I from "./inputs.ts";

export async function exportFrames(
  _memory: Memory,
  _input: I.ThreadInput,
  _call: Call = {},
): Promise<AsyncIterable<string>> {
  throw new MemoryError("internal", "exportFrames is not there yet.");
}

export async function readEvents(
  _memory: Memory,
  _input: I.EventsInput,
  _call: Call = {},
): Promise<AsyncIterable<string>> {
  throw new MemoryError("internal", "readEvents is not there yet.");
}
