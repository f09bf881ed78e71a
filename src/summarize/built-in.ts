import type { Passage, SourceSection } from "../base/passage.ts";
import { extractSection } from "./extract.ts";
import { rankPassages } from "./rank.ts";

/**
 * The summarizer that needs no model: extractive, deterministic, every line with the raw lines it comes from. It reads structured
 * entries, free notes and transcripts, in every script.
 */
export const builtInSummarizer = {
  id: "built-in-1",
  extract: (sections: readonly SourceSection[]): readonly Passage[] => sections.flatMap(extractSection),
  rank: (passages: readonly Passage[]): readonly Passage[] => rankPassages(passages),
} as const;
