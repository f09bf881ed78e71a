import type { Passage, SourceSection } from "../base/passage.ts";
import { passageOf } from "./passage-of.ts";
import { contentWords, type WordCounts } from "./words.ts";

/** A topic with its keywords; the refs are the section from its first to its last line. */
export function topicPassage(section: SourceSection, topic: string, counts: WordCounts): Passage {
  const own = new Set(contentWords(topic).map((word) => word.key));
  const keywords = counts.top(10, own).map((word) => word.shown.replaceAll(/[,:()[\]]/gu, " ").trim());
  const said = section.lines.filter((line) => line.text.trim() !== "");
  const [first, last] = [said[0] ?? section.lines[0], said.at(-1) ?? section.lines.at(-1)];
  const refs = [{ log: section.log, from: first?.number ?? 0, to: last?.number ?? 0 }];
  return {
    ...passageOf(section, "topic", topic),
    text: keywords.join(", "),
    refs,
    weight: 1 + Math.log2(1 + section.lines.length) / 4,
  };
}

/** Headings that only number a conversation. */
export function isIdLike(topic: string): boolean {
  return /^(?:session|conversation|chat|thread|log)\b[\s:#-]*[\w-]*$/iu.test(topic) || /^[0-9a-f-]{8,}$/iu.test(topic);
}

export function nameFrom(counts: WordCounts): string {
  return counts
    .top(2)
    .map((word) => word.shown.toLowerCase())
    .join(" ");
}
