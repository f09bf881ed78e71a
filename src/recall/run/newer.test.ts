import { expect, test } from "vitest";
import type { StoredRow } from "../index/search-index.ts";
import type { Passage } from "./arrange.ts";
import { withNewer } from "./newer.ts";

function row(day: string, line: number, text: string): StoredRow {
  const place = {
    source: `memory/${day}.md`,
    kind: "raw",
    level: "raw",
    sectionLines: [1, 99],
    lines: [line, line],
  } as const;
  return { id: line, section: line, ...place, heading: "Talk", type: "project", origin: "", day, text, weight: 0.5 };
}
const passage = (one: StoredRow, score = 1): Passage => {
  return { row: one, unit: "statement", lines: one.lines, text: one.text, score, parts: [] };
};

const old = row("2026-01-10", 3, "My favourite editor is Vim.");
const filler = row("2026-01-11", 5, "I bought four boats in Porto.");
const newer = row("2026-03-01", 8, "My favourite editor is Helix.");
const count = (text: string): number => text.split(" ").length;
const given = { passages: [passage(old, 0.7), passage(filler)], tokens: 11, budget: 100, count };

test("a statement that was passed over is brought when it supersedes a passage, with the score of that one", () => {
  const { passages, tokens } = withNewer({ ...given, statements: [old, filler, newer] });
  expect(passages.map(({ text }) => text)).toEqual([old.text, filler.text, newer.text]);
  expect([passages[2]?.score, tokens]).toEqual([0.7, 16]);
});

test("for its room the last passages go that contradict nothing, and without room nothing changes", () => {
  const small = withNewer({ ...given, budget: 12, statements: [newer] });
  expect(small.passages.map(({ text }) => text)).toEqual([old.text, newer.text]);
  expect(small.tokens).toBe(10);
  expect(withNewer({ ...given, budget: 9, statements: [newer] })).toEqual({ passages: given.passages, tokens: 11 });
});

test("an older statement, and one whose lines are there, are not brought", () => {
  const before = row("2025-12-01", 8, "My favourite editor is Helix.");
  const same = { ...newer, source: filler.source, day: "2026-01-11", lines: filler.lines };
  expect(withNewer({ ...given, statements: [before, same] }).passages).toEqual(given.passages);
});
