import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../test/fixtures/memory.ts";
import { runCompact } from "../tree/run/compact.ts";
import { runInit } from "../tree/setup/init.ts";
import { appendEntry } from "../tree/logs/log-add.ts";
import { readStatus } from "./status.ts";

const entry = (day: string, topic: string, text = `${topic} was decided on for good reasons`): string =>
  `# ${day}\n\n## ${topic} [project]\n- decisions: ${text}\n`;

async function compacted(files: Record<string, string>, today: string): Promise<TestMemory> {
  const test = openTestMemory({ files, today });
  await runCompact(test.memory, {}, {});
  return test;
}

const february = {
  "memory/2026-02-03.md": entry("2026-02-03", "Auth"),
  "memory/2026-02-04.md": entry("2026-02-04", "Billing"),
};

describe("status", () => {
  it("suggests init first, then log add, compact and root", async () => {
    const test = openTestMemory();
    expect((await readStatus(test.memory)).next).toBe("heartwood init");
    await runInit(test.memory, {});
    expect((await readStatus(test.memory)).next).toMatch(/^heartwood log add/);
    await appendEntry(test.memory, { topic: "Auth", body: "- decisions: tokens" });
    expect((await readStatus(test.memory)).next).toBe("heartwood compact");
    await runCompact(test.memory, {}, {});
    expect((await readStatus(test.memory)).next).toBe("heartwood root");
  });

  it("counts raw logs and the nodes of each level, with addenda counted separately", async () => {
    const test = await compacted(
      { ...february, "memory/2026-02-04-standup.md": entry("2026-02-04", "Standup") },
      "2026-04-10",
    );
    test.write("memory/2026-02-03.md", `${entry("2026-02-03", "Auth")}\n## Late [project]\n- decisions: came later\n`);
    await runCompact(test.memory, {}, {});
    const status = await readStatus(test.memory);
    expect(status.raw).toMatchObject({ days: 2, files: 3, first: "2026-02-03", last: "2026-02-04" });
    expect(status.nodes).toEqual({
      daily: { total: 2, fixed: 2, tentative: 0, late: 1 },
      weekly: { total: 1, fixed: 1, tentative: 0, late: 1 },
      monthly: { total: 1, fixed: 1, tentative: 0, late: 1 },
    });
    expect(status.root).toMatchObject({ cap: 3000, dropped: 0, last_updated: "2026-04-10" });
    expect(status.due_nodes).toEqual([]);
    expect(status.run_due).toEqual({ yes: false, reason: "no node is due" });
    expect(status.last_run).toBe("2026-04-10T12:00:00+00:00");
  });

  it("lists due nodes and whether a run is due", async () => {
    const test = await compacted(february, "2026-02-04");
    test.setToday("2026-02-05");
    const status = await readStatus(test.memory);
    expect(status.due_nodes.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      "memory/daily/2026-02-04.md status",
      "memory/ROOT.md ages",
    ]);
    expect(status.run_due.yes).toBe(true);
    expect(status.next).toBe("heartwood compact");
  });

  it("reports the figures of ROOT.md when it is due, even without the cache", async () => {
    const test = await compacted(february, "2026-02-04");
    const before = (await readStatus(test.memory)).root;
    expect(before?.topics).toBe(2);
    test.setToday("2026-02-20");
    expect((await readStatus(test.memory)).root).toEqual(before);
    for (const path of test.list().filter((name) => name.startsWith(".heartwood/cache/"))) test.remove(path);
    expect((await readStatus(test.memory)).root).toEqual(before);
  });

  it("writes nothing", async () => {
    const test = openTestMemory({ files: february });
    const before = test.list();
    await readStatus(test.memory);
    expect(test.list()).toEqual(before);
  });

  it("compares hot files and agents' notes with their targets and reports an unreadable one", async () => {
    const notes = { "memory/agents/recall/AGENT.md": "- one\n".repeat(31), "memory/agents/flush/AGENT.md": "- one\n" };
    const test = openTestMemory({ files: { "MEMORY.md": "line\n".repeat(50), "USER.md/x": "", ...notes } });
    const { files, skipped } = await readStatus(test.memory);
    expect(files).toEqual([
      { path: "MEMORY.md", lines: 50, target_lines: 50, over: false, advice: null },
      { path: "memory/agents/flush/AGENT.md", lines: 1, target_lines: 30, over: false, advice: null },
      {
        path: "memory/agents/recall/AGENT.md",
        lines: 31,
        target_lines: 30,
        over: true,
        advice: "remove the oldest patterns and those that no longer apply",
      },
    ]);
    expect(skipped).toMatchObject([{ path: "USER.md", code: "not_a_file" }]);
  });

  it.each([
    ["SCRATCHPAD.md", 150, /^log what will matter later/u],
    ["WORKING.md", 100, /^log the results of finished tasks/u],
    ["TASK-QUEUE.md", 50, /^remove finished tasks/u],
  ] as const)("%s is over its target of %d lines with one line more, and gets advice", async (path, target, advice) => {
    const fileOf = async (text: string) => (await readStatus(openTestMemory({ files: { [path]: text } }).memory)).files;
    expect(await fileOf("line\r\n".repeat(target))).toEqual([
      { path, lines: target, target_lines: target, over: false, advice: null },
    ]);
    expect(await fileOf(`${"line\n".repeat(target)}last`)).toMatchObject([
      { path, lines: target + 1, target_lines: target, over: true, advice: expect.stringMatching(advice) as string },
    ]);
  });

  it("does not report missing hot files", async () => {
    const { files, skipped, warnings } = await readStatus(openTestMemory().memory);
    expect({ files, skipped, warnings }).toEqual({ files: [], skipped: [], warnings: [] });
  });
});

describe("MEMORY.md in status", () => {
  const bytes = (count: number): string => `${"x".repeat(79)}\n`.repeat(Math.ceil(count / 80)).slice(0, count);
  const overOf = async (text: string) =>
    (await readStatus(openTestMemory({ files: { "MEMORY.md": text } }).memory)).memory;

  it.each([
    ["15,360 bytes", bytes(15_360), [], 192],
    ["15,361 bytes", bytes(15_361), ["trigger"], 193],
    ["200 lines", "line\n".repeat(200), [], 200],
    ["200 lines without a line end", "line\n".repeat(200).trimEnd(), [], 200],
    ["201 lines", "line\n".repeat(201), ["loader_lines"], 200],
    ["25,000 bytes", `${"x".repeat(249)}\n`.repeat(100), ["trigger"], 100],
    ["25,001 bytes", `${"x".repeat(249)}\n`.repeat(99) + `${"x".repeat(250)}\n`, ["trigger", "loader_bytes"], 99],
    ["one line of 25,001 bytes", "x".repeat(25_001), ["trigger", "loader_bytes"], 0],
  ] as const)("%s", async (_name, text, over, loaded) => {
    expect(await overOf(text)).toMatchObject({
      bytes: text.length,
      own_bytes: text.length,
      over,
      loaded_lines: loaded,
    });
  });

  it("excludes the section that mirrors ROOT.md from the trigger, but not from the loaders' limits", async () => {
    const derived = `## Compaction Root\n${bytes(15_000)}\n`;
    expect(await overOf(derived)).toMatchObject({ own_bytes: 0, over: [] });
    const both = `# Mine\n${bytes(10_000)}\n${derived}`;
    expect(await overOf(both)).toMatchObject({ own_bytes: 10_008, over: ["loader_lines", "loader_bytes"] });
  });

  it("is null if MEMORY.md is missing or not a file", async () => {
    expect((await readStatus(openTestMemory({}).memory)).memory).toBeNull();
    expect((await readStatus(openTestMemory({ files: { "MEMORY.md/x": "" } }).memory)).memory).toBeNull();
  });

  it("suggests audit as the next command when nothing is more urgent", async () => {
    const test = await compacted(february, "2026-02-25");
    expect((await readStatus(test.memory)).next).toBe("heartwood root");
    test.write("MEMORY.md", bytes(15_361));
    expect((await readStatus(test.memory)).next).toBe("heartwood audit");
    test.write("memory/2026-02-24.md", entry("2026-02-24", "Auth"));
    expect((await readStatus(test.memory)).next).toBe("heartwood compact");
  });
});

const late = async (test: TestMemory) => (await readStatus(test.memory)).late;

describe("MEMORY.md of openclaw in status", () => {
  it("counts the user's own lines, not the section that mirrors ROOT.md", async () => {
    const test = openTestMemory({ files: february, today: "2026-02-06" });
    await runInit(test.memory, { platform: "openclaw" });
    const linesOf = async () => (await readStatus(test.memory)).files.find(({ path }) => path === "MEMORY.md")?.lines;
    const before = await linesOf();
    await runCompact(test.memory, {}, {});
    expect(test.read("MEMORY.md")).toContain("## Compaction Root");
    // The blank line before the section counts as the user's.
    expect(await linesOf()).toBe((before ?? 0) + 1);
  });
});

describe("late data in status", () => {
  const path = "memory/2026-02-03.md";
  const appended = { path, period: "2026-02-03", code: "late_source" };

  it("a log that grew is late, first without an addendum, then with one, and again when it grows further", async () => {
    const test = await compacted(february, "2026-02-06");
    expect(await late(test)).toEqual([]);
    const first = `${february[path]}\n## Late [project]\n- decisions: came later\n`;
    test.write(path, first);
    expect(await late(test)).toEqual([{ ...appended, addendum: null }]);
    await runCompact(test.memory, {}, {});
    const written = { ...appended, addendum: "memory/daily/2026-02-03.late-1.md" };
    expect(await late(test)).toEqual([written]);
    test.setToday("2026-02-07");
    await runCompact(test.memory, {}, {});
    expect(await late(test)).toEqual([written]);
    test.write(path, `${first}- and more came even later\n`);
    expect(await late(test)).toEqual([written, { ...appended, addendum: null }]);
    await runCompact(test.memory, {}, {});
    expect(await late(test)).toEqual([written, { ...appended, addendum: "memory/daily/2026-02-03.late-2.md" }]);
  });

  it("a new log of a fixed day is late, an edited log is source_edited", async () => {
    const test = await compacted(february, "2026-02-06");
    test.write("memory/2026-02-03-standup.md", entry("2026-02-03", "Standup"));
    test.write("memory/2026-02-04.md", entry("2026-02-04", "Billing", "it was all quite different from what was said"));
    const edited = { path: "memory/2026-02-04.md", period: "2026-02-04", code: "source_edited" };
    const added = { ...appended, path: "memory/2026-02-03-standup.md" };
    expect(await late(test)).toEqual([
      { ...added, addendum: null },
      { ...edited, addendum: null },
    ]);
    await runCompact(test.memory, {}, {});
    expect(await late(test)).toEqual([
      { ...added, addendum: "memory/daily/2026-02-03.late-1.md" },
      { ...edited, addendum: "memory/daily/2026-02-04.late-1.md" },
    ]);
  });

  it("a whole day that arrives after its week or month is fixed is late for that week or month", async () => {
    const test = await compacted(february, "2026-02-25");
    test.write("memory/2026-02-05.md", entry("2026-02-05", "Import"));
    const day = { path: "memory/2026-02-05.md", period: "2026-W06", code: "late_source" };
    expect(await late(test)).toEqual([{ ...day, addendum: null }]);
    await runCompact(test.memory, {}, {});
    expect(await late(test)).toEqual([{ ...day, addendum: "memory/weekly/2026-W06.late-1.md" }]);
    test.setToday("2026-04-10");
    await runCompact(test.memory, {}, {});
    test.write("memory/2026-02-18.md", entry("2026-02-18", "Import"));
    const week = { path: "memory/2026-02-18.md", period: "2026-02", code: "late_source" };
    expect((await late(test)).at(-1)).toEqual({ ...week, addendum: null });
    await runCompact(test.memory, {}, {});
    expect((await late(test)).at(-1)).toEqual({ ...week, addendum: "memory/monthly/2026-02.late-1.md" });
  });

  it("a deleted log is reported as missing and its node stays", async () => {
    const test = await compacted(february, "2026-02-06");
    test.remove(path);
    expect(await late(test)).toEqual([{ path, period: "2026-02-03", code: "source_missing", addendum: null }]);
    await runCompact(test.memory, {}, {});
    expect(test.read("memory/daily/2026-02-03.md")).toBeDefined();
  });
});
