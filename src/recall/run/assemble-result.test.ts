import { nothingKnown } from "../context/remembered.ts";
import { expect, test } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { emptyIndex } from "../index/prepare.ts";
import type { StoredRow } from "../index/search-index.ts";
import { assembleResult } from "./assemble-result.ts";
import { passageOf, type Passage } from "./passages.ts";

function chosen(id: number, text: string): Passage {
  const lines = [id, id] as const;
  const of = {
    source: "memory/2026-03-10.md",
    kind: "raw",
    level: "raw",
    heading: "",
    type: "user",
    origin: "",
  } as const;
  const row: StoredRow = { ...of, id, section: 1, day: "2026-03-10", sectionLines: [1, 9], lines, text, weight: 0 };
  return { ...passageOf(row, "statement"), score: 1 };
}

test("a merged passage that no longer fits the budget is left out, and later ones that fit are kept", async () => {
  const { memory } = openTestMemory();
  const context = async (budget: number): Promise<readonly unknown[]> => {
    const result = await assembleResult({
      memory,
      prepared: { index: emptyIndex, not_indexed: 0, warnings: [] },
      text: "asked",
      weights: () => new Map(),
      chosen: [chosen(1, "one two three"), chosen(2, "four five six seven eight"), chosen(3, "nine ten")],
      statements: [],
      budget,
      steps: [],
      explain: false,
      count: (text) => text.split(" ").length,
      known: nothingKnown,
    });
    return [result.tokens, result.context.map(({ text }) => text)];
  };
  expect(await context(10)).toEqual([10, ["one two three", "four five six seven eight", "nine ten"]]);
  expect(await context(9)).toEqual([8, ["one two three", "four five six seven eight"]]);
  expect(await context(7)).toEqual([5, ["one two three", "nine ten"]]);
});
