import { expect, test } from "vitest";
import { byPlace, merged } from "./arrange.ts";
import type { Recalled } from "./search-step.ts";

function said(id: number, lines: readonly [number, number], unit: Recalled["unit"] = "statement"): Recalled {
  const place = { source: "memory/2026-03-10.md", kind: "raw", level: "raw", sectionLines: [1, 9], lines } as const;
  const about = { heading: "A", type: "project", origin: "", day: "2026-03-10", weight: 0.5 } as const;
  const text = `Sentence ${id}.`;
  const parts = { section: 1, words: 1, meaning: 0, weight: 0, before: 0, direct: 0 };
  return { row: { id, section: 1, ...place, ...about, text }, unit, text, tokens: 3, score: 1, parts, steps: [] };
}

test("passages that share a line, be it the last of one and the first of the other, are one", () => {
  const groups = byPlace([said(1, [1, 4], "chunk"), said(2, [5, 5]), said(3, [4, 4]), said(4, [5, 6])]);
  expect(groups.map((group) => group.map(({ row }) => row.id))).toEqual([
    [1, 3],
    [2, 4],
  ]);
});

test("sentences of the same lines stand in their order, with all their lines, and with … where others stand between", () => {
  const around = [{ ...said(9, [2, 6]).row, text: "Sentence 1. Sentence 2. Another. Sentence 4." }];
  const { text, lines, score } = merged([said(4, [4, 6]), said(1, [2, 4]), said(2, [4, 4])], around);
  expect(text).toBe("Sentence 1. Sentence 2. … Sentence 4.");
  expect([lines, score]).toEqual([[2, 6], 1]);
});
