import { beforeAll, describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { runCompact } from "../run/compact.ts";
import { readGathered, readTopics, showTopic } from "./topics.ts";

const files = {
  "memory/2026-02-02.md":
    "# 2026-02-02\n\n## Cache size [project]\n- decisions: the cache size is 4 GB\n- next: measure it\n",
  "memory/2026-03-10.md": "# 2026-03-10\n\n## Cache size [project]\n- decisions: the cache size is 8 GB\n",
  "memory/2026-03-12.md":
    "# 2026-03-12\n\n## Short answers [feedback]\n- rule: answer in three sentences\n- why: reads on a phone\n\n## Keys [reference]\n- the token is ghp_abcdefghijklmnopqrstuvwxyz0123456789\n",
};

async function compacted(own: Readonly<Record<string, string>> = files): Promise<TestMemory> {
  const tested = openTestMemory({ files: own, today: "2026-03-15" });
  await runCompact(tested.memory, {}, {});
  return tested;
}

describe("the list of topics", () => {
  let tested: TestMemory;
  beforeAll(async () => void (tested = await compacted()));

  it("has each topic with its days and age, the one mentioned last first", async () => {
    const { today, topics } = await readTopics(tested.memory);
    expect(today).toBe("2026-03-15");
    expect(topics.map(({ topic, type, days, age_days }) => [topic, type, days, age_days])).toEqual([
      ["Keys", "reference", ["2026-03-12"], 3],
      ["Short answers", "feedback", ["2026-03-12"], 3],
      ["Cache size", "project", ["2026-02-02", "2026-03-10"], 5],
    ]);
    expect(topics.every((one) => one.in_root && one.naming === "given" && one.progress === "active")).toBe(true);
  });

  it("is an error before there is a tree", async () => {
    const { memory } = openTestMemory({ files });
    await expect(readTopics(memory)).rejects.toMatchObject({ code: "not_found" });
  });

  it("follows the day and the tree, and gathers nothing anew if neither changed", async () => {
    const { memory, write, setToday } = await compacted();
    const first = await readGathered(memory);
    expect((await readGathered(memory)).gathered).toBe(first.gathered);
    write("memory/2026-03-14.md", "# 2026-03-14\n\n## Parser [project]\n- decisions: hand written\n");
    await runCompact(memory, {}, {});
    expect((await readTopics(memory)).topics[0]?.topic).toBe("Parser");
    setToday("2026-03-20");
    expect((await readTopics(memory)).topics[0]?.age_days).toBe(6);
  });
});

describe("a topic", () => {
  it("shows what holds, with what it replaced, and their places", async () => {
    const { memory } = await compacted();
    const shown = await showTopic(memory, { name: "cache SIZE" });
    const [newest, ...others] = shown.statements;
    expect(newest).toMatchObject({
      text: "the cache size is 8 GB",
      day: "2026-03-10",
      role: "decision",
      places: [{ path: "memory/2026-03-10.md", lines: [4, 4] }],
      replaced: [
        {
          text: "the cache size is 4 GB",
          day: "2026-02-02",
          until: "2026-03-10",
          places: [{ path: "memory/2026-02-02.md", lines: [4, 4] }],
        },
      ],
    });
    expect(others.every(({ replaced }) => replaced.length === 0)).toBe(true);
    expect(shown.places.map(({ path }) => path)).toEqual(["memory/2026-02-02.md", "memory/2026-03-10.md"]);
  });

  it("gives each line of an entry its own place, and replaces secrets", async () => {
    const { memory } = await compacted();
    const rule = await showTopic(memory, { name: "Short answers" });
    expect(rule.statements.map(({ part, places }) => [part, places[0]?.lines])).toEqual([
      ["itself", [4, 4]],
      ["why", [5, 5]],
    ]);
    expect(JSON.stringify(await showTopic(memory, { name: "Keys" }))).not.toContain("ghp_abc");
  });

  it("has the details of years ago, which ROOT.md no longer uses", async () => {
    const { memory } = await compacted({
      "memory/2024-01-05.md": "# 2024-01-05\n\n## Kiln [project]\n- decisions: the kiln fires at 1200 degrees\n",
      ...files,
    });
    const { statements } = await showTopic(memory, { name: "Kiln" });
    expect(statements.map(({ text }) => text)).toContain("the kiln fires at 1200 degrees");
  });

  it("that is not in the tree is an error with the nearest name", async () => {
    const { memory } = await compacted();
    await expect(showTopic(memory, { name: "Cashe size" })).rejects.toMatchObject({
      code: "not_found",
      message:
        'There is no topic "Cashe size" in the tree (did you mean Cache size?); heartwood topic list lists all topics.',
    });
  });
});
