import { describe, expect, it } from "vitest";
import type { Passage } from "../../base/passage.ts";
import { rankFound } from "./found-topics.ts";
import { bytesOfLine } from "../../base/passage.ts";

const wide = { lines: 100, bytes: 100_000 };

function found(from: number, ...keywords: readonly string[]): Passage {
  const [topic = "", ...words] = keywords;
  return {
    role: "topic",
    topic,
    type: "project",
    text: words.join(", "),
    lines: [],
    refs: [{ log: "2026-03-15", from, to: from + 9 }],
    progress: "active",
    at: [0, 0],
    weight: 1,
    naming: "found",
  };
}

function note(from: number, topic: string): Passage {
  return { ...found(from, topic), role: "note", naming: "given", text: "I bought two of them." };
}

function isTank({ topic, text }: Passage): boolean {
  return `${topic}, ${text}`.includes("tank");
}

/** Enough other topics to keep a word shared by two rare. */
const others = Array.from({ length: 100 }, (_, n) => found(1000 + n * 20, `other${n}`, `thing${n}`));

describe("found topics", () => {
  it("get a line each while there is room", () => {
    const { topics } = rankFound([found(1, "tank", "betta"), found(20, "novel", "plot")], [], wide);
    expect(topics.map(({ topic, text }) => `${topic}: ${text}`)).toEqual(["tank: betta", "novel: plot"]);
    expect(topics.every(({ place }) => place !== "same_line")).toBe(true);
  });

  it("merge if they share the name and another word, keeping the lines of both", () => {
    const two = [found(1, "tank", "betta", "filter"), found(40, "tank", "betta", "plants")];
    const topics = rankFound([...two, ...others], [], { lines: 200, bytes: 100_000 }).topics.filter(isTank);
    expect(topics).toHaveLength(1);
    expect(topics[0]?.refs.map(({ from }) => from)).toEqual([1, 40]);
    expect(topics[0]?.text.split(", ").toSorted()).toEqual(["betta", "filter", "plants"]);
  });

  it("stay separate if they share only the name: one is renamed to its next word", () => {
    const two = [found(1, "tank", "betta"), found(40, "tank", "army")];
    const topics = rankFound([...two, ...others], [], { lines: 200, bytes: 100_000 }).topics.filter(isTank);
    expect(topics.map(({ topic, text }) => `${topic}: ${text}`)).toEqual(["tank: betta", "army: tank"]);
  });

  it("are named by a word that can be a name", () => {
    const { topics } = rankFound([found(1, "reducing", "carbon footprint"), found(20, "250", "words")], [], wide);
    expect(topics.map(({ topic }) => topic)).toEqual(["carbon footprint", "words"]);
  });

  it("share lines with topics of the same words if there are more topics than lines", () => {
    const many = [
      found(1, "tank", "betta", "filter"),
      found(20, "novel", "plot", "chapter"),
      found(40, "aquarium", "betta", "plants"),
      found(60, "essay", "plot", "draft"),
    ];
    const { topics } = rankFound(many, [], { lines: 2, bytes: 10_000 });
    expect(topics.map(({ topic, place }) => `${topic} ${place}`)).toEqual([
      "tank own_line",
      "aquarium same_line",
      "novel own_line",
      "essay same_line",
    ]);
  });

  it("keep their best words in a small space, within its limit", () => {
    const many = Array.from({ length: 30 }, (_, n) =>
      found(1 + n * 20, `topic${n}`, ...Array.from({ length: 8 }, (_, k) => `word${n}x${k}`)),
    );
    const { topics } = rankFound(many, [], { lines: 40, bytes: 2000 });
    expect(topics.reduce((sum, topic) => sum + bytesOfLine(topic), 0)).toBeLessThanOrEqual(2000);
    expect(topics.length).toBeGreaterThan(25);
    for (const topic of topics) expect(topic.text).toMatch(/^word\d+x0/u);
  });

  it("pass their final name to their details, which are dropped with them if they do not fit", () => {
    const topics = [found(1, "reducing", "carbon footprint"), found(40, "novel", "plot")];
    const told = [note(2, "reducing"), note(41, "novel")];
    expect(rankFound(topics, told, wide).details.map(({ topic }) => topic)).toEqual(["carbon footprint", "novel"]);
    expect(rankFound(topics, [note(2, "tank")], { lines: 5, bytes: 10 })).toEqual({ topics: [], details: [] });
  });

  it("give a line no more refs than allowed, and keep the most frequent topic", () => {
    const sessions = Array.from({ length: 300 }, (_, index) =>
      found(index * 20 + 1, "Lisbon", "Clara", "bicycle", "daughter"),
    );
    const { topics } = rankFound(sessions, [], { lines: 100, bytes: 4_000 });
    expect(topics[0]).toMatchObject({ topic: "Lisbon" });
    expect(Math.max(...topics.map(({ refs }) => refs.length))).toBe(10);
  });
});
