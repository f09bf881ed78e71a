import { describe, expect, test } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { operation, operations } from "../../operations/table.ts";
import type { SearchResult } from "./inputs-and-results.ts";

const search = operation("memory.search");
const index = operation("memory.index");
const compact = operations.find(({ name }) => name === "tree.compact");

const files = {
  "memory/2026-03-10.md":
    "# 2026-03-10\n\n## Payments [project]\n<!-- hw id=a -->\n- decisions: a token bucket limits payments\n- open: measure refused requests\n",
  "memory/2026-03-11.md":
    "## Café [user]\n- the user likes the café in der Straße\n- retryCount is 3; E_CONN_REFUSED again\n",
  "memory/2026-02-02.md": "## 限流 [project]\n- 支付限流用令牌桶\n- 東京タワーへ行く 🎉\n- שלום עולם\n",
  "knowledge/limits.md": "# Limits\n\nPayments are limited per user.\n",
  "MEMORY.md": "# Memory\n\n- payments: see limits\n",
};

/** On disk, because the index is a file; compacted, so that there are nodes. */
async function opened(more: Readonly<Record<string, string>> = {}): Promise<TestMemory> {
  const memory = openTestMemory({ files: { ...files, ...more }, disk: "folder" });
  await compact?.run(memory.memory, {} as never, {});
  await index.run(memory.memory, {}, {});
  return memory;
}

async function searched(
  { memory }: TestMemory,
  query: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<SearchResult> {
  return await search.run(memory, { query, ...options }, {});
}

describe("a search over a memory with nodes, knowledge and MEMORY.md", () => {
  test("finds the log and its lines first, with heading, day and age", async () => {
    const memory = await opened();
    const { hits, not_indexed } = await searched(memory, "token bucket");
    expect(not_indexed).toBe(0);
    expect(hits[0]).toMatchObject({
      source: expect.stringMatching(/^memory\/2026-03-10\.md:\d+-\d+$/u),
      date: "2026-03-10",
      age_days: 5,
      heading: "Payments",
      type: "project",
      snippet: "decisions: a «token» «bucket» limits payments · open: measure refused requests",
    });
  });

  test.each(["cafe", "strasse", "retry", "conn_refused", "限流", "タワー", "שלום", "pay*", "+payments +bucket"])(
    "finds %s, with a mark",
    async (query) => {
      const { hits } = await searched(await opened(), query);
      expect(hits[0]?.snippet).toContain("«");
    },
  );

  test("lists the newest entries of given days", async () => {
    const { hits } = await searched(await opened(), "in March");
    expect(hits.map(({ date }) => date)).toEqual(["2026-03-11", "2026-03-10"]);
    const less = await searched(await opened(), "in March -café");
    expect(less.hits.map(({ date }) => date)).toEqual(["2026-03-10"]);
    const nodes = await searched(await opened(), "in March", { in: "nodes" });
    expect(new Set(nodes.hits.map(({ kind }) => kind))).toEqual(new Set(["node"]));
    const weeks = await searched(await opened(), "in March", { level: "weekly" });
    expect(new Set(weeks.hits.map(({ level }) => level))).toEqual(new Set(["weekly"]));
  });

  test("filters by kind and level", async () => {
    const memory = await opened();
    const kinds = async (list: string): Promise<readonly string[]> => [
      ...new Set((await searched(memory, "payments", { in: list })).hits.map(({ kind }) => kind)),
    ];
    expect(await kinds("knowledge")).toEqual(["knowledge"]);
    expect(await kinds("memory")).toEqual(["memory"]);
    expect(await kinds("nodes")).toEqual(["node"]);
    expect((await searched(memory, "payments", { level: "daily" })).hits.map(({ level }) => level)).toContain("daily");
  });

  test("explains scores that add up", async () => {
    const { hits } = await searched(await opened(), '"token bucket" payments', { explain: true });
    for (const { why = [], score } of hits)
      expect(why.reduce((sum, part) => sum + part.score, 0)).toBeCloseTo(score, 2);
  });

  test("gives the same result twice", async () => {
    const memory = await opened();
    const told = async (): Promise<unknown> => (await searched(memory, "payments bucket user")).hits;
    expect(await told()).toEqual(await told());
  });

  test("shows no secret in a log", async () => {
    const secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5";
    const memory = await opened({ "memory/2026-03-12.md": `## Key [project]\n- the deploy key is ${secret}\n` });
    const result = await searched(memory, `deploy key ${secret}`);
    expect(result.hits.length).toBeGreaterThan(0);
    expect(JSON.stringify(result)).not.toContain(secret);
  });
});
