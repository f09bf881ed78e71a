import { expect, test } from "vitest";
import { createFakeSearchIndex, type FakeSection } from "../../../test/fixtures/fake-search-index.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { sha256 } from "../../base/digest.ts";
import { printRoot } from "../../tree/root/root-format.ts";
import type { RecallResult, RecallStep } from "../search/inputs-and-results.ts";
import { prepareIndex } from "../index/prepare.ts";
import { recallOne } from "./recall-message.ts";
import { runRecall } from "./recall.ts";

const month = "memory/monthly/2026-02.md";
const sections: readonly FakeSection[] = [
  {
    source: "memory/2026-02-03.md",
    line: 1,
    heading: "Standup",
    text: "## Standup\nThe office plants need water twice a week.\nNothing else was said about anything at all.",
  },
  {
    source: "memory/2026-02-10.md",
    line: 4,
    heading: "Call with Osaka",
    text: "## Call with Osaka\nThe owner of the stationery shop wants her registration number on top.\nShe saves half a day each month.",
  },
  {
    source: month,
    kind: "node",
    level: "monthly",
    day: "2026-02-28",
    text: "## Topics\n- greenery: plants, watering (02-03:2)\n- invoices: Osaka, registration number (02-10:5)",
  },
];

const root = printRoot({
  lastUpdated: "2026-03-15",
  madeFrom: sha256("").slice(0, 16),
  foreign: [],
  body: [
    "## Topics Index",
    "- greenery [project, 40d]: plants, watering",
    "- invoices [project, 33d]: Osaka, registration number",
    "- tea [user, 1d]: green",
  ],
});

async function recalled(
  text: string,
  files: Readonly<Record<string, string>> = { "memory/ROOT.md": root },
): Promise<RecallResult> {
  const { memory } = openTestMemory({ files, with: { searchIndex: createFakeSearchIndex(sections) } });
  return (await runRecall(memory, { text, explain: true }, {})) as RecallResult;
}

function stepOf({ steps }: RecallResult, wanted: RecallStep["step"]): RecallStep | undefined {
  return steps.find(({ step }) => step === wanted);
}

test("a line of ROOT.md is followed through the matching node to the raw section", async () => {
  const result = await recalled("What about the greenery in the office?");
  expect(stepOf(result, "root")).toMatchObject({
    candidates: 3,
    notes: ["- greenery [project, 40d]: plants, watering"],
  });
  const why = result.context.find(({ source }) => source.startsWith("memory/2026-02-03.md"))?.why ?? [];
  expect(why.map(({ part }) => part)).toEqual(expect.arrayContaining(["step root", "step search"]));
  expect(stepOf(result, "root")?.kept).toBeGreaterThan(0);
});

test("a matching node is followed to the raw lines in its refs", async () => {
  const result = await recalled("invoices of the shop", {});
  expect(stepOf(result, "manifest")?.notes).toEqual([month]);
  const [first] = result.context;
  expect(first?.source).toMatch(/^memory\/2026-02-10\.md:/);
  expect(first?.why?.map(({ part }) => part)).toContain("step manifest");
});

test("nodes themselves are not returned", async () => {
  const { context } = await recalled("greenery invoices Osaka plants");
  expect(context.filter(({ source }) => source.includes("monthly"))).toEqual([]);
});

test("without a ROOT.md, or with one not made by heartwood, the first step says why it finds nothing", async () => {
  const absent = await recalled("greenery", {});
  expect(stepOf(absent, "root")?.notes).toEqual(["memory/ROOT.md does not exist or is not a regular file"]);
  const foreign = await recalled("greenery", { "memory/ROOT.md": "# My own\n- greenery: plants\n" });
  expect(stepOf(foreign, "root")?.notes).toEqual(["memory/ROOT.md is damaged or was not compiled by heartwood"]);
  const broken = await recalled("plants", { "memory/ROOT.md": "---\ntype: root\n" });
  expect(stepOf(broken, "root")?.candidates).toBe(0);
  expect(broken.context.length).toBeGreaterThan(0);
});

test("a pasted log of 100 KB finds passages with at most 40 words", async () => {
  const pasted = `${"2026-03-15T10:00:00Z ERROR worker 17 could not reach the office plants, retrying\n".repeat(1300)}why?`;
  const { context, steps } = await recalled(pasted);
  expect(context.length).toBeGreaterThan(0);
  expect(steps.find(({ step }) => step === "search")?.notes.length).toBeLessThanOrEqual(40);
});

test("the verb of a request alone finds nothing; its object does", async () => {
  const fake: readonly FakeSection[] = [
    { source: "memory/2026-02-03.md", line: 1, heading: "Cache", text: "## Cache\n- outcome: eviction bug fixed" },
    { source: "memory/2026-02-04.md", line: 1, heading: "Letters", text: "## Letters\n- open: choose an address" },
  ];
  const { memory } = openTestMemory({ files: {}, with: { searchIndex: createFakeSearchIndex(fake) } });
  const brought = async (text: string): Promise<number> =>
    ((await runRecall(memory, { text }, {})) as RecallResult).context.length;
  expect(await brought("fix the typo in README")).toBe(0);
  expect(await brought("fix the eviction bug")).toBe(1);
  expect(await brought("what was fixed?")).toBe(1);
});

test("the quick way answers only a related message, and with statements that have a word of it", async () => {
  const fake: readonly FakeSection[] = [
    {
      source: "memory/2026-02-03.md",
      line: 1,
      heading: "House",
      text: "## House\n- The boiler in the cellar was replaced in May.\n- The plumber prefers cash on Fridays.",
    },
    ...Array.from({ length: 60 }, (_, at) => {
      return { source: `memory/note${at}.md`, line: 1, text: `- The number of team ${at} was given on a Friday.` };
    }),
  ];
  const { memory } = openTestMemory({ files: {}, with: { searchIndex: createFakeSearchIndex(fake) } });
  const prepared = await prepareIndex(memory, { ms: 0, index: "as_it_is" }, {});
  const quick = async (text: string, floor?: "none"): Promise<readonly string[]> => {
    const asked = { memory, prepared, text, budget: 480, explain: false, way: "quick", floor, call: {} } as const;
    return (await recallOne(asked)).context.map((one) => one.text);
  };
  const unrelated = "how many fridays did the replaced calendar of France have";
  expect(await quick(unrelated)).toEqual([]);
  expect(await quick(unrelated, "none")).not.toEqual([]);
  expect(((await runRecall(memory, { text: unrelated }, {})) as RecallResult).context).not.toEqual([]);
  expect(await quick("who replaced the boiler in a cellar")).toEqual(["The boiler in the cellar was replaced in May."]);
});
