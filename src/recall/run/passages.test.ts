import { expect, test } from "vitest";
import { groupByPlace, merged, passageOf, withSpeakers, type Passage } from "./passages.ts";
import type { StoredRow } from "../index/search-index.ts";
import { createFakeSearchIndex, type FakeSection } from "../../../test/fixtures/fake-search-index.ts";

const speakersOf = async (...[index, passages]: Parameters<typeof withSpeakers>): Promise<readonly (string | null)[]> =>
  (await withSpeakers(index, passages)).map(({ speaker }) => speaker);

function said(id: number, lines: readonly [number, number], unit: Passage["unit"] = "statement"): Passage {
  const place = { source: "memory/2026-03-10.md", kind: "raw", level: "raw", sectionLines: [1, 9], lines } as const;
  const about = { heading: "A", type: "project", origin: "", day: "2026-03-10", weight: 0.5 } as const;
  const text = `Sentence ${id}.`;
  return { ...passageOf({ id, section: 1, ...place, ...about, text }, unit), score: 1 };
}

test("passages that share a line are one group, even if it is the last of one and the first of the other", () => {
  const groups = groupByPlace([said(1, [1, 4], "chunk"), said(2, [5, 5]), said(3, [4, 4]), said(4, [5, 6])]);
  expect(groups.map((group) => group.map(({ row }) => row.id))).toEqual([
    [1, 3],
    [2, 4],
  ]);
});

test("merged sentences are in source order with all their lines, and … marks sentences left out in between", () => {
  const around = [{ ...said(9, [2, 6]).row, text: "Sentence 1. Sentence 2. Another. Sentence 4." }];
  const { text, lines, score } = merged([said(4, [4, 6]), said(1, [2, 4]), said(2, [4, 4])], around);
  expect(text).toBe("Sentence 1. Sentence 2. … Sentence 4.");
  expect([lines, score]).toEqual([[2, 6], 1]);
});

const source = "memory/2026-03-10.md";
const sections: readonly FakeSection[] = [
  {
    source,
    line: 1,
    heading: "Talk",
    text: "## Talk\nUser: I moved to Porto in May.\nIt rains here.\nAssistant: Noted.",
  },
  { source, line: 9, heading: "Limits", text: "## Limits\n- burst: the limit is 40 since March" },
  {
    source,
    line: 20,
    heading: "Chat",
    text: "Ana: I bought two boats.\nBen: Where did you buy them?\nAna: In Porto, in May.\nBen: I sold mine in June.",
  },
  { source, line: 30, heading: "通話", text: "用户：我五月搬到了波尔图。\n助手：好的。" },
];

async function saidBy(part: string, unit: "statement" | "chunk" = "statement"): Promise<string | null | undefined> {
  const index = createFakeSearchIndex(sections);
  const rows = await index.rowsOfSections(unit, [1, 2, 3, 4]);
  const row = rows.find(({ text }) => text.includes(part)) as StoredRow;
  return (await speakersOf(index, [passageOf(row, unit)]))[0];
}

test("a sentence has the speaker of its turn, as named in the source", async () => {
  expect(await saidBy("I moved to Porto")).toBe("User");
  expect(await saidBy("It rains here")).toBe("User");
  expect(await saidBy("I sold mine")).toBe("Ben");
  expect(await saidBy("搬到了波尔图")).toBe("用户");
});

test("text outside conversations has no speaker", async () => {
  expect(await saidBy("the limit is 40")).toBeNull();
  expect(await saidBy("## Limits", "chunk")).toBeNull();
});

test("a chunk that begins inside a turn has the speaker of that turn", async () => {
  const [whole] = await createFakeSearchIndex(sections).rowsOfSections("chunk", [1]);
  if (whole === undefined) throw new Error("no chunk");
  const cut = (id: number, lines: readonly [number, number], text: string): StoredRow => ({
    ...whole,
    id,
    lines,
    text,
  });
  const first = cut(1, [1, 2], "## Talk\nUser: I moved to Porto in May.");
  const second = cut(2, [3, 3], "It rains here.");
  const third = cut(3, [4, 4], "Assistant: Noted.");
  const index = { ...createFakeSearchIndex([]), rowsOfSections: async () => [first, second, third] };
  const chunks = [first, second, third].map((row) => passageOf(row, "chunk"));
  expect(await speakersOf(index, chunks)).toEqual([null, "User", "Assistant"]);
});

test("text before the first turn of a section has no speaker, and a later turn has the one named in its line", async () => {
  const text =
    "## Animals\nMy sister bought an okapi.\nUser: Tell me of trains.\nAssistant: Gladly.\nMe: I bought a boat.";
  const index = createFakeSearchIndex([{ source, line: 1, heading: "Animals", text }]);
  const rows = await index.rowsOfSections("statement", [1]);
  const speakerOf = async (part: string): Promise<string | null | undefined> => {
    const row = rows.find((one) => one.text.includes(part)) as StoredRow;
    return (await speakersOf(index, [passageOf(row, "statement")]))[0];
  };
  expect([await speakerOf("okapi"), await speakerOf("trains"), await speakerOf("a boat")]).toEqual([
    null,
    "User",
    "Me",
  ]);
});
