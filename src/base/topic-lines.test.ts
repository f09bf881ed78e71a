import { describe, expect, it } from "vitest";
import { indexLines, rankKeywords, type FoundTopic, type IndexSpace } from "./topic-lines.ts";
import { wordKeys } from "../text/word-keys.ts";

const keysOf = (text: string): readonly string[] => text.toLowerCase().split(" ");
const space: IndexSpace = {
  keysOf,
  lineCost: () => 8,
  leastLineCost: 8,
  keywordCost: () => 2,
  leastTermCost: 2,
  room: 400,
  mostLines: 20,
  mostKeywords: 11,
  mostPlaces: 10,
  names: new Set(),
};

function topic(...keywords: readonly string[]): FoundTopic {
  return { keywords, scores: undefined, value: 1, size: 1 };
}

describe("index lines for found topics", () => {
  it("merges topics that share a name and another word", () => {
    const topics = [topic("tank", "fish", "betta"), topic("tank", "fish", "filter"), topic("novel", "plot", "chapter")];
    const lines = indexLines(topics, space);
    const [line] = lines.filter(({ topics: of }) => of.length > 1);
    expect(line?.topics.toSorted()).toEqual([0, 1]);
    expect([line?.name, ...(line?.keywords ?? [])]).toEqual(expect.arrayContaining(["tank", "fish"]));
    expect(lines.some(({ topics: of }) => of.includes(2))).toBe(true);
  });

  it("keeps the words of a phrase together", () => {
    const lines = indexLines([topic("fish tank", "neon tetras", "gallon")], space);
    expect(lines.map(({ name, keywords }) => [name, ...keywords].toSorted())).toContainEqual(
      ["fish tank", "gallon", "neon tetras"].toSorted(),
    );
  });

  it("gives every line a different name", () => {
    const topics = [topic("box", "litter", "cat"), topic("box", "music", "clock"), topic("box", "lunch", "rice")];
    const names = indexLines(topics, space).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(3);
  });

  it("does not reuse the name of another line", () => {
    const lines = indexLines([topic("Auth", "token", "cookie")], { ...space, names: new Set(["auth"]) });
    expect(lines.map(({ name }) => name)).toEqual(["token"]);
  });

  it("ranks a keyword of all topics lower, and keeps the order of equals", () => {
    const ranked = rankKeywords([topic("day", "bike", "lock"), topic("day", "soup"), topic("day", "tax")], keysOf);
    expect(ranked[0]?.map(({ shown }) => shown)).toEqual(["bike", "lock", "day"]);
  });

  it("writes each word as one of the topics of its line does", () => {
    const topics = [
      topic("harbour", "painting", "ferry", "crane"),
      topic("Mustang", "paints", "turbo", "chassis"),
      topic("Mustang", "paints", "turbo", "gearbox"),
    ];
    const lines = indexLines(topics, {
      keysOf: (text) => [...wordKeys(text)],
      lineCost: () => 8,
      leastLineCost: 8,
      keywordCost: () => 1,
      leastTermCost: 1,
      room: 200,
      mostLines: 9,
      mostKeywords: 11,
      mostPlaces: 10,
      names: new Set(),
    });
    expect(lines).not.toHaveLength(0);
    for (const line of lines) {
      const own = line.topics.flatMap((index) => topics[index]?.keywords ?? []);
      expect(own).toEqual(expect.arrayContaining([line.name, ...line.keywords]));
    }
  });
});
