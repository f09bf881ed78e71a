import { readFrontMatter, valueOf } from "../../base/front-matter.ts";
import type { Topic } from "../../base/memory-type.ts";
import { parseTopics } from "./topic-format.ts";

/** The topics that the front matter of a node names, whoever wrote it; none where it makes no sense. Linear. */
export function frontTopics(lines: readonly string[]): readonly Topic[] {
  const reading = readFrontMatter(lines);
  return reading.state === "read" ? parseTopics(valueOf(reading.front, "topics") ?? "") : [];
}
