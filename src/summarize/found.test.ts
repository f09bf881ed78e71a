import { describe, expect, it } from "vitest";
import type { Passage } from "../base/passage.ts";
import { rankFound } from "./found.ts";

const sessionOf = (number: number): Passage => ({
  role: "topic",
  topic: "Lisbon",
  type: "project",
  text: "Clara, bicycle, daughter",
  lines: [],
  refs: [{ log: "2026-03-19", from: number * 10 + 1, to: number * 10 + 3 }],
  progress: "active",
  at: [0, 0],
  weight: 1,
  naming: "found",
});

describe("topics that nobody named", () => {
  it("gives a line at most as many refs as a line may have, and keeps what was told most", () => {
    const sessions = Array.from({ length: 300 }, (_, index) => sessionOf(index));
    const { topics } = rankFound(sessions, [], { lines: 100, bytes: 4_000 });
    expect(topics[0]).toMatchObject({ topic: "Lisbon" });
    expect(Math.max(...topics.map(({ refs }) => refs.length))).toBe(31);
  });
});
