import type { Topic } from "../base/memory-type.ts";
import type { Passage, SourceSection } from "../base/passage.ts";
import { extractSection, topicsOfSection } from "./extract.ts";
import { rankPassages } from "./rank.ts";

/**
 * The summarizer that needs no model: extractive, deterministic, every line with the raw lines it comes from. It reads structured
 * entries, free notes and transcripts, in every script.
 */
export const builtInSummarizer = {
  id: "built-in-1",
  extract: (sections: readonly SourceSection[]): readonly Passage[] => eachOnce(sections).flatMap(extractSection),
  topics: (sections: readonly SourceSection[]): readonly Topic[] => eachOnce(sections).flatMap(topicsOfSection),
  rank: (passages: readonly Passage[]): readonly Passage[] => rankPassages(passages),
} as const;

/** The same id twice is one entry: the first counts. */
function eachOnce(sections: readonly SourceSection[]): readonly SourceSection[] {
  const seen = new Set<string>();
  return sections.filter((section) => {
    const id = /^<!-- hw id=(\S+) /u.exec(section.lines[1]?.text ?? "")?.[1];
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id);
      return true;
    }
    return false;
  });
}
