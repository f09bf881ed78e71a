import { expect, test } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { operation } from "../../operations/table.ts";
import type { RecallResult } from "../search/results.ts";
import { runRecall } from "./recall.ts";

/** The older, the first that replaces it, and the newest; only the first and the last have the words of the question. */
const files = {
  "memory/2026-01-10.md": "## Gateway [project]\n- limiter: token bucket\n- payments wait in Redis for the limiter\n",
  "memory/2026-02-02.md": "## Gateway [project]\n- limiter: leaky bucket\n\n## Tea [user]\n- I drink green tea\n",
  "memory/2026-03-02.md": "## Gateway [project]\n- limiter: sliding window\n- payments wait in Redis for the limiter\n",
};
async function opened(given: Readonly<Record<string, string>>) {
  const { memory } = openTestMemory({ files: given, disk: "folder" });
  await operation("memory.index").run(memory, {}, {});
  return memory;
}

test("the day of `until` is that of the first replacement in the topic, also when it is not recalled", async () => {
  const memory = await opened(files);
  const asked = { text: "Which limiter do payments in Redis wait for?", budget: 100 };
  const { context } = (await runRecall(memory, asked, {})) as RecallResult;
  expect(context.some(({ text }) => text.includes("leaky"))).toBe(false);
  expect(context.find(({ text }) => text.includes("token bucket"))?.warning?.says).toBe(
    `"limiter: token bucket" until 2026-02-02`,
  );
});

test("a hit of search is marked when a later statement replaces it, whether or not that is a hit", async () => {
  const memory = await opened(files);
  const { hits } = await operation("memory.search").run(memory, { query: "bucket" }, {});
  expect(hits.map(({ source, warning }) => [source, warning])).toEqual([
    ["memory/2026-02-02.md:1-2", { is: "superseded", says: "until 2026-03-02" }],
    ["memory/2026-01-10.md:1-3", { is: "superseded", says: `"limiter: token bucket" until 2026-02-02` }],
  ]);
});
