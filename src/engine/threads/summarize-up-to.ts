import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { Provenance } from "./inputs.ts";

export interface SummaryPoint extends Provenance {
  readonly thread_id: string;
  readonly to_seq: number;
  readonly to_message_id: string | null;
}

/**
 * MINIMAL VERSION, to be replaced: makes a cumulative summary of a thread up to a point with the built-in summarizer, stores it, and returns its id.
 */
export async function summarizeUpTo(_memory: Memory, point: SummaryPoint, _call: Call): Promise<string> {
  throw new MemoryError(
    "artifact_not_found",
    `The thread ${point.thread_id} has no summary up to its frame ${point.to_seq} yet; give one with --summary-file or --artifact.`,
    { thread_id: point.thread_id },
  );
}
