import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../base/digest.ts";
import { describe, expect, it, afterEach, test } from "vitest";
import { runDoctor, checkThreads } from "./doctor.ts";
import { runUndo } from "./undo.ts";
import { runVerify } from "../tree/inspect/verify.ts";
import { readJournal } from "../tree/logs/archive.ts";
import { runCompact } from "../tree/run/compact.ts";
import type { DoctorResult } from "./doctor.ts";
import { runInit } from "../tree/setup/init.ts";
import { openTestMemory, type TestMemory, type TestMemoryOptions } from "../../test/fixtures/memory.ts";
import { ThreadScene } from "../../test/fixtures/thread-scene.ts";

const entry = (day: string, topic: string): string =>
  `# ${day}\n\n## ${topic} [project]\n- decisions: ${topic} was decided on for good reasons\n`;
const logs = {
  "memory/2026-03-02.md": entry("2026-03-02", "Auth"),
  "memory/2026-03-10.md": entry("2026-03-10", "Billing"),
};

async function compacted(options: TestMemoryOptions = {}): Promise<TestMemory> {
  const test = openTestMemory({ files: logs, ...options });
  await runInit(test.memory, {});
  await runCompact(test.memory, {}, {});
  return test;
}

const of = (result: DoctorResult, name: string) => result.checks.filter((check) => check.name === name);
const problems = (result: DoctorResult): readonly string[] =>
  result.checks.filter((check) => check.state === "problem").map((check) => check.name);

describe("doctor", () => {
  it("reports no problems in an intact memory and writes nothing", async () => {
    const test = await compacted();
    const before = contents(test);
    const result = await runDoctor(test.memory, {});
    expect(result.checks.filter((check) => check.state !== "ok")).toEqual([]);
    expect(result).toMatchObject({ ok: true, fixed: [], time_zone: "UTC", dir: test.memory.dir });
    expect(contents(test)).toEqual(before);
    expect(of(result, "disk")).toEqual([]);
  });

  it("notes what is missing in an empty folder, without calling it a problem", async () => {
    const result = await runDoctor(openTestMemory().memory, {});
    expect(result.ok).toBe(true);
    expect(of(result, "configuration")[0]).toMatchObject({ state: "note", fix: "heartwood init" });
    expect(of(result, "folders")[0]?.message).toContain("memory/daily/, ");
  });

  it("reports what a person should check in logs, MEMORY.md and notes next to the logs", async () => {
    const conflict = "<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> x\n";
    const test = await compacted();
    for (const path of ["MEMORY.md", "memory/feedback_tone.md"]) test.write(path, conflict);
    test.write("memory/2026-03-11.md", `# 2026-03-12\n\n${conflict}`);
    const result = await runDoctor(test.memory, {});
    expect(of(result, "raw logs").map(({ state, message }) => `${state} ${message.slice(0, 50)}`)).toEqual([
      "problem memory/2026-03-11.md has git conflict markers on l",
      "note memory/2026-03-11.md is named for 2026-03-11 but s",
    ]);
    expect(of(result, "notes").map(({ message }) => message.split(" ")[0])).toEqual([
      "MEMORY.md",
      "memory/feedback_tone.md",
    ]);
    expect(result.ok).toBe(false);
  });

  it("tests whether the disk is writable only with --fix", async () => {
    const test = await compacted();
    const result = await runDoctor(test.memory, { fix: true });
    expect(result).toMatchObject({ ok: true, fixed: [] });
    expect(of(result, "disk")).toEqual([{ name: "disk", state: "ok", message: "it is writable", fix: null }]);
    const full = openTestMemory({ files: logs });
    for (let at = 0; at < 400; at += 1) full.faults?.failAt(at + full.faults.operations, "ENOSPC");
    const failed = await runDoctor(full.memory, { fix: true });
    expect(failed.ok).toBe(false);
    expect(of(failed, "fix").length).toBeGreaterThan(0);
  });

  it("reports an old Node and an unknown time zone", async () => {
    const program = { version: "1.0.0", node: "20.19.1" };
    const test = openTestMemory({ files: logs });
    const clock = { ...test.memory.clock, zone: "Mars/Olympus" };
    const result = await runDoctor({ ...test.memory, clock, program }, {});
    expect(of(result, "node")[0]?.message).toBe("Node 20.19.1 is too old; heartwood needs 22.13");
    expect(of(result, "time zone")[0]?.message).toBe("Mars/Olympus is not a known time zone");
  });

  it("reports an unreadable configuration and continues", async () => {
    const test = await compacted();
    test.write("heartwood.config.json", '{ "compaction": { "rootMaxTokens": "many" } }');
    const result = await runDoctor(test.memory, {});
    expect(problems(result)).toEqual(["configuration"]);
    expect(of(result, "configuration")[0]?.message).toContain(
      'compaction.rootMaxTokens in heartwood.config.json is "many"',
    );
    expect(of(result, "nodes")).toHaveLength(1);
  });

  it("notes two configurations, an unexpected platform and a missing qmd", async () => {
    const detected = { platform: "openclaw", because: "the folder has AGENTS.md and SOUL.md" };
    const files = { ...logs, "hipocampus.config.json": "{}", "heartwood.config.json": '{ "platform": "plain" }' };
    const test = openTestMemory({ files, with: { detected, user: { qmd: "update" } } });
    const result = await runDoctor(test.memory, {});
    expect(of(result, "configuration")[0]?.message).toContain("hipocampus.config.json next to it is ignored");
    expect(of(result, "platform")[0]).toMatchObject({
      state: "note",
      message: "heartwood.config.json says plain, but the folder has AGENTS.md and SOUL.md, which suggests openclaw",
    });
    expect(of(result, "qmd")[0]?.message).toContain("not on PATH");
    expect(result.ok).toBe(true);
  });

  it("reports files that are not logs, broken and foreign nodes, and a foreign ROOT.md", async () => {
    const test = await compacted();
    test.write("memory/2026-02-30.md", "# nothing\n");
    test.write("memory/daily/2026-03-02.md", "---\ntype: daily\ntype: daily\n---\n");
    test.write("memory/weekly/2026-W11.md", "# mine\n");
    test.write("memory/daily/2026-03-10.md", `${test.read("memory/daily/2026-03-10.md")}- added\n`);
    test.write("memory/ROOT.md", "# my own root\n");
    const result = await runDoctor(test.memory, {});
    expect(problems(result)).toEqual(["raw logs", "nodes"]);
    expect(of(result, "nodes").map(({ state, message }) => `${state} ${message}`)).toEqual([
      "problem invalid front matter in memory/daily/2026-03-02.md at line 3: the key type occurs twice",
      "note the body of memory/daily/2026-03-10.md was edited",
      "note memory/weekly/2026-W11.md was not made by heartwood",
    ]);
    expect(of(result, "ROOT.md")[0]?.state).toBe("note");
  });

  it("--fix recovers from a run with a wrong later date, and undo reverts the fix", async () => {
    const log = "# 2026-03-14\n\n## Auth [project]\n- decisions: tokens\n";
    const test = openTestMemory({ files: { "memory/2026-03-14.md": log }, today: "2046-03-15" });
    await runCompact(test.memory, {}, {});
    const wrong = test.read("memory/ROOT.md");
    test.setToday("2026-03-15");
    const { warnings } = await runCompact(test.memory, {}, {});
    expect(warnings[0]?.message).toMatch(/heartwood doctor --fix, then heartwood compact/u);
    const { fixed } = await runDoctor(test.memory, { fix: true });
    expect(fixed).toHaveLength(2);
    const again = await runCompact(test.memory, { if_due: true }, {});
    expect(again.warnings).toEqual([]);
    expect(test.read("memory/ROOT.md")).toMatch(/2026-03-15/u);
    const codes = async (): Promise<readonly string[]> =>
      (await runVerify(test.memory, {})).findings.map(({ code }) => code);
    expect(await codes()).toContain("fixed_too_early");
    await runCompact(test.memory, { reopen: "2026-03-14..2026-03-15" }, {});
    expect(await codes()).toEqual([]);
    await runUndo(test.memory);
    await runUndo(test.memory);
    expect(test.read("memory/ROOT.md")).toBe(wrong);
  });

  it("reports a clock that went back and a state file that is not JSON", async () => {
    const test = await compacted();
    test.write("memory/.compaction-state.json", "{");
    test.setToday("2026-03-01");
    const result = await runDoctor(test.memory, {});
    expect(problems(result)).toEqual(["clock"]);
    expect(of(result, "state file")[0]?.state).toBe("note");
  });

  it("reports a file in place of the memory folder", async () => {
    const test = openTestMemory({ files: { memory: "a file" } });
    const result = await runDoctor(test.memory, {});
    expect(problems(result)).toContain("memory");
  });

  it("removes temporary leftovers and an unreadable cache with --fix", async () => {
    const test = await compacted();
    const leftovers = [
      "memory/.hw-00112233445566778899aabb.tmp",
      "knowledge/.hw-00112233445566778899aabc.tmp",
      ".hw-00112233445566778899aabd.tmp",
    ];
    for (const path of leftovers) test.write(path, "half");
    test.write(".heartwood/cache/tree.json", "{ half");
    const found = await runDoctor(test.memory, {});
    expect(of(found, "leftovers")).toHaveLength(3);
    expect(problems(found)).toEqual(["cache"]);
    const result = await runDoctor(test.memory, { fix: true });
    expect(result.ok).toBe(true);
    expect(result.fixed).toHaveLength(4);
    expect(test.list().filter((path) => path.includes(".hw-") || path.endsWith("tree.json"))).toEqual([]);
    expect((await runCompact(test.memory, {}, {})).written).toEqual([]);
  });

  it("does not report a cache of another version", async () => {
    const test = await compacted();
    test.write(".heartwood/cache/tree.json", '{"version":8,"logs":{},"nodes":{}}');
    expect(problems(await runDoctor(test.memory, {}))).toEqual([]);
  });

  it("detects and rebuilds an outdated cache", async () => {
    const test = await compacted({ disk: "folder" });
    await new Promise((resolve) => setTimeout(resolve, 60));
    const path = ".heartwood/cache/tree.json";
    const [head = "", ...rest] = (test.read(path) ?? "").split("\n");
    const body = rest.join("\n").replaceAll('"tentative"', '"fixed"    ');
    test.write(path, `${JSON.stringify({ ...JSON.parse(head), sha256: sha256(body) })}\n${body}`);
    const result = await runDoctor(test.memory, { fix: true });
    expect(result.fixed[0]).toMatch(/^\.heartwood\/cache\/tree\.json: it is out of date for memory\/\w+\/[\w-]+\.md/);
    expect(result.ok).toBe(true);
    expect(await readJournal(test.memory)).toEqual([]);
  });
});

function contents(test: TestMemory): readonly string[] {
  return test.list().map((path) => `${path}\n${test.read(path)}`);
}

const scenes: ThreadScene[] = [];
const newScene = (): ThreadScene => {
  const scene = new ThreadScene();
  scenes.push(scene);
  return scene;
};
afterEach(async () => void (await Promise.all(scenes.splice(0).map((scene) => scene.end()))));

const by = { actor_id: "user", origin: "test" };

test("without threads, reports nothing and creates no file", async () => {
  expect(await checkThreads(await newScene().memory())).toEqual([]);
});

test("counts threads and notes a job without a runner", async () => {
  const scene = newScene();
  await scene.run("thread.create", { thread_id: "t" });
  for (const content of ["a", "b"]) await scene.run("thread.append", { thread_id: "t", ...by, content });
  await scene.run("compaction.auto.schedule", { thread_id: "t", ...by, stride_messages: 2, execute: false });
  const checks = await checkThreads(await scene.memory());
  expect(checks.map(({ state, message }) => `${state} ${message}`)).toEqual([
    "ok 1 thread",
    "note 1 job without a runner",
  ]);
});

test("an unreadable store is a problem, not an error", async () => {
  const scene = newScene();
  await scene.run("thread.create", { thread_id: "t" });
  await (await scene.memory()).close();
  writeFileSync(join(scene.dir, ".heartwood/threads/threads.sqlite"), "x".repeat(8192));
  await scene.reopen();
  const [check] = await checkThreads(await scene.memory());
  expect(check?.state).toBe("problem");
  expect(check?.message).toContain("threads.sqlite");
});
