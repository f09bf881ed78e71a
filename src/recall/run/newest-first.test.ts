import { nothingKnown } from "../context/remembered.ts";
import { describe, expect, test } from "vitest";
import type { StoredRow } from "../index/search-index.ts";
import { addNewer, newestFirst } from "./newest-first.ts";
import type { Passage } from "./passages.ts";
import { replacedPassages } from "./replaced.ts";

function row(day: string, line: number, text: string, heading = "Talk"): StoredRow {
  const place = {
    source: `memory/${day}.md`,
    kind: "raw",
    level: "raw",
    sectionLines: [1, 99],
    lines: [line, line],
  } as const;
  return { id: line, section: line, ...place, heading, type: "project", origin: "", day, text, weight: 0.5 };
}
const passage = (one: StoredRow, score = 1, speaker: string | null = "User"): Passage => {
  return { row: one, unit: "statement", lines: one.lines, text: one.text, score, parts: [], speaker };
};
const note = (day: string, line: number, text: string, heading = "Pump"): Passage =>
  passage(row(day, line, text, heading), 1, null);

describe("statements that were not chosen", () => {
  const old = row("2026-01-10", 3, "My favourite editor is Vim.");
  const filler = row("2026-01-11", 5, "I bought four boats in Porto.");
  const newer = row("2026-03-01", 8, "My favourite editor is Helix.");
  const count = (text: string): number => text.split(" ").length;
  const given = {
    passages: [passage(old, 0.7, null), passage(filler, 1, null)],
    tokens: 11,
    budget: 100,
    count,
    known: nothingKnown,
  };
  const textsOf = ({ passages, added }: ReturnType<typeof addNewer>): readonly string[] =>
    [...passages, ...added].map(({ text }) => text);

  test("one that replaces a passage is added with the score of that passage", () => {
    const added = addNewer({ ...given, statements: [old, filler, newer] });
    expect(textsOf(added)).toEqual([old.text, filler.text, newer.text]);
    expect([added.added[0]?.score, added.tokens]).toEqual([0.7, 16]);
  });

  test("the last passages that nothing replaces make room for it, and without room nothing changes", () => {
    const small = addNewer({ ...given, budget: 12, statements: [newer] });
    expect([textsOf(small), small.tokens]).toEqual([[old.text, newer.text], 10]);
    expect(addNewer({ ...given, budget: 9, statements: [newer] })).toEqual({
      passages: given.passages,
      tokens: 11,
      added: [],
    });
  });

  test("an older one, or one whose lines are already there, is not added", () => {
    const before = row("2025-12-01", 8, "My favourite editor is Helix.");
    const same = { ...newer, source: filler.source, day: "2026-01-11", lines: filler.lines };
    expect(addNewer({ ...given, statements: [before, same] }).passages).toEqual(given.passages);
  });

  test("the newest entry under a note's heading is added if it shares words with the note", () => {
    const found = note("2026-01-12", 2, "ferritin 14 on 12 January, too low; iron tablets for 3 months");
    const later = row("2026-02-23", 4, "ferritin 41 on 23 February, back to normal; tablets can stop", "Pump");
    const elsewhere = row("2026-02-24", 5, "the tablets are in the drawer, beside the ferritin leaflet", "Drawer");
    const added = addNewer({ ...given, passages: [found], statements: [elsewhere, later] });
    expect(textsOf(added)).toEqual([found.text, later.text]);
  });
});

describe("the order of passages", () => {
  const ordered = (...all: readonly Passage[]): readonly number[] => newestFirst(all, replacedPassages(all), () => 0);

  test("under one heading the newest takes the place of the best, and other passages keep theirs", () => {
    const other = note("2026-02-01", 9, "the boat is red", "Boat");
    const [first, second] = [note("2026-01-01", 2, "we oil it by hand"), note("2026-03-01", 3, "a robot does the oil")];
    expect(ordered(first, other, second)).toEqual([2, 1, 0]);
    expect(ordered(second, other, first)).toEqual([0, 1, 2]);
  });

  test("the same applies to sentences that share most of their words, but not to those that share few", () => {
    const [first, second] = [
      passage(row("2026-01-01", 2, "My cello lesson with Ms Varga is on Tuesday.")),
      passage(row("2026-03-01", 3, "My cello lesson with Ms Varga begins late.")),
    ];
    expect(ordered(first, second)).toEqual([1, 0]);
    expect(ordered(first, passage(row("2026-03-01", 3, "The cello stands in the cold hall.")))).toEqual([0, 1]);
  });

  test("a newer one under another heading comes before the best if it contains as much of the message, but not if it contains less", () => {
    const all = [note("2026-01-01", 2, "port 8080"), note("2026-03-01", 3, "the gateway has port 9443", "Firewall")];
    expect(newestFirst(all, [], () => 1)).toEqual([1, 0]);
    expect(newestFirst(all, [], ({ text }) => (text === "port 8080" ? 2 : 1))).toEqual([0, 1]);
  });

  test("a replaced passage comes directly after the one that replaces it, with the day it ended", () => {
    const all = [
      note("2026-01-01", 2, "- port: 8080"),
      note("2026-02-01", 2, "- the pump hums", "Hall"),
      note("2026-03-01", 3, "- port: 9090\n- the lid is blue"),
    ];
    expect(replacedPassages(all)).toEqual([
      { older: 0, newer: 2, said: [{ text: "- port: 8080", until: "2026-03-01" }], part: "whole" },
    ]);
    expect(ordered(...all)).toEqual([2, 0, 1]);
  });

  test("only the replaced part of a longer passage is named", () => {
    const all = [note("2026-01-01", 2, "- port: 8080\n- the lid is blue"), note("2026-03-01", 3, "- port: 9090")];
    expect(replacedPassages(all)).toMatchObject([{ said: [{ text: "- port: 8080" }], part: "some of it" }]);
  });

  test("two sides of one git conflict do not replace each other, and a later day replaces both", () => {
    const sides = [note("2026-03-01", 5, "- port: 8080"), note("2026-03-01", 9, "- port: 9090")];
    const conflicts = new Map([["memory/2026-03-01.md", [[4, 10] as const]]]);
    expect(replacedPassages(sides)).toHaveLength(1);
    expect(replacedPassages(sides, [], conflicts)).toEqual([]);
    const all = [...sides, note("2026-04-01", 2, "- port: 7070")];
    expect(replacedPassages(all, [], conflicts).map(({ older, newer }) => [older, newer])).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  test("statements of two named people do not replace each other", () => {
    const all = [
      passage(row("2026-01-01", 2, "My favourite editor is Vim."), 1, "Ana"),
      passage(row("2026-02-01", 2, "My favourite editor is Helix."), 1, "Ben"),
    ];
    expect(replacedPassages(all)).toEqual([]);
  });
});
