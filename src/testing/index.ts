export { describeEmbedder } from "./embedder-conformance.ts";
export type { EmbedderHarness } from "./embedder-conformance.ts";
export { describeSummarizer } from "./summarizer-conformance.ts";
export type { SummarizerHarness } from "./summarizer-conformance.ts";
export type { Expect, Suite, TestFunctions } from "./test-functions.ts";
export { createSeededRandom } from "./test-functions.ts";
export type { SeededRandom } from "./test-functions.ts";
