import { lastOfEachId, parseEntryComment, standingOf, type Topic } from "../../base/memory-type.ts";
import type { Passage, SourceSection, Space } from "../../base/passage.ts";
import { extractSection, topicsOfSection } from "./extract.ts";
import { keysOf } from "./found.ts";
import { withoutPasted, type ReadSection } from "./pasted.ts";
import { rankPassages } from "./rank.ts";

/**
 * The summarizer that needs no model: extractive, deterministic, every line with the raw lines it comes from. It reads structured
 * entries, free notes and transcripts, in every script.
 */
export const builtInSummarizer = {
  id: "built-in-3",
  extract: (sections: readonly SourceSection[]): readonly Passage[] => read(sections).flatMap(passagesOf),
  topics: (sections: readonly SourceSection[]): readonly Topic[] =>
    read(sections).flatMap(({ section }) => topicsOfSection(section)),
  rank: (passages: readonly Passage[], space: Space): readonly Passage[] => rankPassages(passages, space),
  keys: keysOf,
} as const;

function read(sections: readonly SourceSection[]): readonly ReadSection[] {
  return withoutPasted(eachOnce(sections));
}

/** A heading that was pasted into a conversation names a topic no better than its words do. */
function passagesOf({ section, heading }: ReadSection): readonly Passage[] {
  const passages = extractSection(asItCounts(section));
  if (heading === "given") return passages;
  return passages.map((passage) => (passage.role === "topic" ? { ...passage, naming: "found" } : passage));
}

/** Whose word it is stands in the comment below its heading. */
function asItCounts(section: SourceSection): SourceSection {
  return { ...section, ...standingOf(section.type, parseEntryComment(section.lines[1]?.text ?? "")?.origin) };
}

function eachOnce(sections: readonly SourceSection[]): readonly SourceSection[] {
  return lastOfEachId(sections, (section) => parseEntryComment(section.lines[1]?.text ?? "")?.id);
}
