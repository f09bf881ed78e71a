import { expect, test } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { operation } from "../../operations/table.ts";
import type { RecallResult } from "../search/inputs-and-results.ts";
import { runRecall } from "./recall.ts";

/** An old value, the first that replaces it, and the newest. Only the first and the last match the question. */
const files = {
  "memory/2026-01-10.md": "## Gateway [project]\n- limiter: token bucket\n- payments wait in Redis for the limiter\n",
  "memory/2026-02-02.md": "## Gateway [project]\n- limiter: leaky bucket\n\n## Tea [user]\n- I drink green tea\n",
  "memory/2026-03-02.md": "## Gateway [project]\n- limiter: sliding window\n- payments wait in Redis for the limiter\n",
};
const conflict = (...sides: readonly string[]): string =>
  `## Trolley [project]\n- it is blue\n\n<<<<<<< HEAD\n${sides.join("=======\n")}>>>>>>> laptop\n`;

async function opened(given: Readonly<Record<string, string>>) {
  const { memory } = openTestMemory({ files: given, disk: "folder" });
  await operation("memory.index").run(memory, {}, {});
  return memory;
}

test("`until` is the day of the first replacement in the topic, even if that one is not recalled", async () => {
  const memory = await opened(files);
  const asked = { text: "Which limiter do payments in Redis wait for?", budget: 100 };
  const { context } = (await runRecall(memory, asked, {})) as RecallResult;
  expect(context.some(({ text }) => text.includes("leaky"))).toBe(false);
  expect(context.find(({ text }) => text.includes("token bucket"))?.warning?.says).toBe(
    `"limiter: token bucket" until 2026-02-02`,
  );
});

test("no side of a git conflict is marked as replaced by another", async () => {
  const side = (days: number): string => `## Trolley check [project]\n- check interval: ${days} days\n`;
  const memory = await opened({ "memory/2026-03-07.md": conflict(side(14), side(7)) });
  const { context } = (await runRecall(memory, { text: "check interval of the trolley" }, {})) as RecallResult;
  expect(context.filter(({ text }) => text.includes("interval"))).toHaveLength(2);
  expect(context.map(({ warning }) => warning)).toEqual(context.map(() => null));
  const { hits } = await operation("memory.search").run(memory, { query: "interval" }, {});
  expect(hits.map(({ warning }) => warning)).toEqual([undefined, undefined]);
});

test("a search hit is marked if a later statement replaces it, whether or not that is a hit", async () => {
  const memory = await opened(files);
  const { hits } = await operation("memory.search").run(memory, { query: "bucket" }, {});
  expect(hits.map(({ source, warning }) => [source, warning])).toEqual([
    ["memory/2026-02-02.md:1-2", { is: "superseded", says: "until 2026-03-02" }],
    ["memory/2026-01-10.md:1-3", { is: "superseded", says: `"limiter: token bucket" until 2026-02-02` }],
  ]);
});

test("a blocker does not end because another one is recorded", async () => {
  const memory = await opened({
    "memory/2026-01-07.md": "## Inspection [project]\n- blocked by: nobody can find the 2024 hand hygiene audit\n",
    "memory/2026-05-07.md":
      "## Inspection [project]\n- blocked by: the old hand hygiene audit is stained, Kim retypes it\n",
  });
  const { context } = (await runRecall(memory, { text: "Inspection" }, {})) as RecallResult;
  console.log(JSON.stringify(context.map((c) => [c.text, c.warning])));
  expect(context.find(({ text }) => text.includes("nobody"))?.warning?.is).not.toBe("superseded");
});
