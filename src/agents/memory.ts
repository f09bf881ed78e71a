import type { SummaryMemory } from "../summaries/memory.ts";
import type { Transcripts } from "./transcripts/transcripts.ts";

/** An opened project folder as hooks and capture see it. */
export interface AgentMemory extends SummaryMemory {
  /** The conversations that clients on this machine write. */
  readonly transcripts: Transcripts;
}
