import { lastOfEachId, parseEntryComment } from "../base/entry-comment.ts";
import type { Topic } from "../base/memory-type.ts";
import type { Passage, SourceSection } from "../base/passage.ts";
import { extractSection, topicsOfSection } from "./extract.ts";
import { keysOf } from "./found.ts";
import type { Space } from "./space.ts";
import { rankPassages } from "./rank.ts";

/**
 * The summarizer that needs no model: extractive, deterministic, every line with the raw lines it comes from. It reads structured
 * entries, free notes and transcripts, in every script.
 */
export const builtInSummarizer = {
  id: "built-in-2",
  extract: (sections: readonly SourceSection[]): readonly Passage[] => eachOnce(sections).flatMap(extractSection),
  topics: (sections: readonly SourceSection[]): readonly Topic[] => eachOnce(sections).flatMap(topicsOfSection),
  rank: (passages: readonly Passage[], space: Space): readonly Passage[] => rankPassages(passages, space),
  keys: keysOf,
} as const;

function eachOnce(sections: readonly SourceSection[]): readonly SourceSection[] {
  return lastOfEachId(sections, (section) => parseEntryComment(section.lines[1]?.text ?? "")?.id);
}
