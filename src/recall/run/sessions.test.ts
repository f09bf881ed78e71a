import { expect, test } from "vitest";
import { createFakeSearchIndex, type FakeSection } from "../../../test/fixtures/fake-search-index.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { textFile } from "../../operations/operation.ts";
import type { RankedSessions } from "../search/inputs-and-results.ts";
import { runIndex } from "../index/refresh.ts";
import { runSearch } from "../search/search.ts";
import { runRecall } from "./recall.ts";

const sections: readonly FakeSection[] = [
  {
    source: "memory/2026-01-10.md",
    line: 3,
    heading: "Trip",
    text: "## Trip\nUser: I booked a hotel in Lisbon with a view of the river.\nAssistant: There are many hills.\nUser: My hotel in Lisbon costs 90 euros.",
  },
  {
    source: "memory/2026-02-02.md",
    line: 3,
    heading: "Ideas",
    text: "## Ideas\nUser: Any ideas?\nAssistant: A hotel in Lisbon, a hotel in Porto, a hotel in Faro, a hotel in Braga, a hotel in Evora.",
  },
  { source: "memory/2026-03-01.md", line: 3, heading: "Lunch", text: "## Lunch\nUser: I had soup with Ines." },
  { source: "memory/2026-03-09.md", line: 3, heading: "Lunch", text: "## Lunch\nUser: I had soup with Ben." },
];

async function ranked(text: string, input: object = {}, given = sections): Promise<RankedSessions> {
  const { memory } = openTestMemory({ today: "2026-03-16", with: { searchIndex: createFakeSearchIndex(given) } });
  return (await runRecall(memory, { text, sessions: true, ...input }, {})) as RankedSessions;
}

function sourcesOf({ sessions }: RankedSessions): readonly string[] {
  return sessions.map(({ source }) => source);
}

test("a session has its lines, day, heading, score and at most two passages", async () => {
  const { sessions } = await ranked("Which hotel did I book in Lisbon?");
  expect(sessions[0]).toEqual({
    source: "memory/2026-01-10.md:3-6",
    date: "2026-01-10",
    age_days: 65,
    heading: "Trip",
    score: 1,
    passages: [
      { source: "memory/2026-01-10.md:4-4", text: "I booked a hotel in Lisbon with a view of the river." },
      { source: "memory/2026-01-10.md:6-6", text: "My hotel in Lisbon costs 90 euros." },
    ],
  });
});

test("what a person says counts more than what an assistant repeats", async () => {
  const hits = await ranked("a hotel in Lisbon");
  expect(sourcesOf(hits)).toEqual(["memory/2026-01-10.md:3-6", "memory/2026-02-02.md:3-5"]);
  expect(hits.sessions[1]?.passages).toHaveLength(1);
});

test("a day that the message names ranks its session first", async () => {
  expect(sourcesOf(await ranked("soup on 2026-03-01"))[0]).toBe("memory/2026-03-01.md:3-4");
  expect(sourcesOf(await ranked("soup a week ago"))[0]).toBe("memory/2026-03-09.md:3-4");
});

test("a session that has few of the words is in the ranking too", async () => {
  const text = "soup, tractors, violins, glaciers, parliaments, volcanoes, saddles, lanterns";
  expect(sourcesOf(await ranked(text))).toHaveLength(2);
});

test("a thread counts once, and not if a log has the same words", async () => {
  const said = "User: I sold my red canoe to Pedro.";
  const threads: readonly FakeSection[] = [
    { source: "thread:a", kind: "thread", line: 1, text: said },
    { source: "thread:a", kind: "thread", line: 9, text: "User: The canoe was 12 years old." },
    { source: "thread:b", kind: "thread", line: 1, text: "User: I want a blue canoe." },
  ];
  expect(sourcesOf(await ranked("red canoe", {}, threads)).toSorted()).toEqual(["thread:a:1-1", "thread:b:1-1"]);
  const log = { source: "memory/2026-03-01.md", line: 3, heading: "Sale", text: `## Sale\n${said}` };
  const both = sourcesOf(
    await ranked("the red canoe for Pedro", {}, [log, { source: "thread:a", kind: "thread", line: 1, text: said }]),
  );
  expect(both).toHaveLength(1);
});

test("--limit gives fewer, and is refused without --sessions, as are --budget and --explain with it", async () => {
  expect((await ranked("soup", { limit: 1 })).sessions).toHaveLength(1);
  await expect(ranked("soup", { sessions: undefined, limit: 1 })).rejects.toMatchObject({ code: "usage" });
  await expect(ranked("soup", { budget: 500 })).rejects.toMatchObject({ code: "usage" });
  await expect(ranked("soup", { explain: true })).rejects.toMatchObject({ code: "usage" });
});

test("--batch prints the sessions of each question", async () => {
  const batch = textFile("questions", `{"question_id": "q1", "question": "soup with Ben"}\n`);
  const lines = (await ranked("", { text: undefined, batch })) as unknown as AsyncIterable<string>;
  const printed: object[] = [];
  for await (const line of lines) printed.push(JSON.parse(line) as object);
  expect(printed).toMatchObject([{ question_id: "q1", sessions: [{ source: "memory/2026-03-09.md:3-4" }, {}] }]);
});

const logs = {
  "memory/2026-03-02.md": `# 2026-03-02

## Trip [project]
- we go to Porto by train

- hotel: the one at the river in Porto, booked

## Rain [project]
- the hotel roof leaks
`,
  "memory/2026-03-10.md": `# 2026-03-10

## Bills [project]
- the hotel bill of Porto is paid
`,
};

async function hits(query: string, more: object = {}): Promise<readonly string[]> {
  const { memory } = openTestMemory({ disk: "folder", today: "2026-03-16", files: logs });
  await runIndex(memory, {}, {});
  const found = await runSearch(memory, { query, by: "session", ...more }, {});
  return found.hits.map(({ source }) => source);
}

test("search by session gives each section once, with its lines", async () => {
  expect((await hits("hotel Porto")).toSorted()).toEqual(
    ["memory/2026-03-02.md:3-6", "memory/2026-03-10.md:3-4"].concat("memory/2026-03-02.md:8-9").toSorted(),
  );
  expect(await hits("hotel Porto", { limit: 1 })).toHaveLength(1);
  expect(await hits("hotel +roof")).toEqual(["memory/2026-03-02.md:8-9"]);
});

test("in a search by session, days in the query rank, days as options filter, and only days list the newest", async () => {
  expect((await hits("hotel 2026-03-10"))[0]).toBe("memory/2026-03-10.md:3-4");
  expect(await hits("hotel 2026-03-10")).toHaveLength(3);
  expect(await hits("hotel", { since: "2026-03-10" })).toEqual(["memory/2026-03-10.md:3-4"]);
  expect(await hits("last week")).toEqual(["memory/2026-03-10.md:3-4"]);
});
