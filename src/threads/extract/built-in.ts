import { cumulateLines } from "./cumulate.ts";
import { extractLines } from "./extract.ts";
import { mergeLines } from "./merge.ts";

/**
 * The summarizer of threads that needs no model: chooses sentences of the messages, word for word, in every script. Deterministic; secrets are replaced.
 */
export const builtInThreadSummarizer = {
  id: "built-in-thread-1",
  extract: extractLines,
  merge: mergeLines,
  cumulate: cumulateLines,
} as const;
