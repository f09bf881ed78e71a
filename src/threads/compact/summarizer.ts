import { builtInThreadSummarizer } from "../extract/built-in.ts";
import type { ThreadSummarizer } from "../model/summarizer.ts";
import type { ThreadMemory } from "../memory.ts";

/** What makes the lines of thread summaries: the one that the memory was opened with, else the built-in one. */
export function summarizerOf(memory: ThreadMemory): ThreadSummarizer {
  return memory.threadSummarizer ?? builtInThreadSummarizer;
}
