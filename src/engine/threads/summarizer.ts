import { builtInThreadSummarizer } from "../../summarize/thread/built-in.ts";
import type { ThreadSummarizer } from "../../thread/summarizer.ts";
import type { Memory } from "../memory.ts";

/** What makes the lines of thread summaries: the one that the memory was opened with, else the built-in one. */
export function summarizerOf(memory: Memory): ThreadSummarizer {
  return memory.threadSummarizer ?? builtInThreadSummarizer;
}
