import { describe, expect, it } from "vitest";
import { indexLines, type FoundTopic } from "./topic-lines.ts";
import { wordKeys } from "./word-keys.ts";

const topicOf = (...keywords: readonly string[]): FoundTopic => ({ keywords, scores: undefined, value: 1, size: 1 });

describe("lines of an index for found topics", () => {
  it("writes a word as one of the topics that its line leads to does", () => {
    const topics = [
      topicOf("harbour", "painting", "ferry", "crane"),
      topicOf("Mustang", "paints", "turbo", "chassis"),
      topicOf("Mustang", "paints", "turbo", "gearbox"),
    ];
    const lines = indexLines(topics, {
      keysOf: (text) => [...wordKeys(text)],
      lineCost: () => 8,
      keywordCost: () => 1,
      room: 200,
      mostLines: 9,
      mostKeywords: 11,
      mostPlaces: 10,
    });
    expect(lines).not.toHaveLength(0);
    for (const line of lines) {
      const own = line.topics.flatMap((index) => topics[index]?.keywords ?? []);
      expect(own).toEqual(expect.arrayContaining([line.name, ...line.keywords]));
    }
  });
});
