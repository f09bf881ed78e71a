import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { appendEntry } from "../logs/log-add.ts";
import { runCompact } from "./compact.ts";
import { runDoctor } from "../../operations/doctor.ts";
import { compactUnlessIdle } from "./idle.ts";
import { readStatus } from "../../operations/status.ts";
import { runVerify } from "../inspect/verify.ts";

const statePath = "memory/.compaction-state.json";
const cachePaths = ["tree.json", "idle.json", "ROOT.md", "root.json", "root-lines.json", "months.json"].map(
  (name) => `.heartwood/cache/${name}`,
);
const log = (day: string): string => `# ${day}\n\n## Auth [project]\n- tokens of ${day}\n`;
const kinds = ["folder", "fifo", "link"] as const;
const codeOf = { folder: "not_a_file", fifo: "not_a_file", link: "link_outside" } as const;

async function compacted(): Promise<TestMemory> {
  const files = { "memory/2026-03-17.md": log("2026-03-17") };
  const test = openTestMemory({ files, today: "2026-03-20", disk: "folder" });
  await runCompact(test.memory, {}, {});
  return test;
}

function putInTheWay(test: TestMemory, path: string, kind: (typeof kinds)[number]): void {
  const target = join(test.memory.dir, path);
  rmSync(target, { force: true });
  if (kind === "folder") mkdirSync(target);
  else if (kind === "link") symlinkSync("/nowhere/at/all", target);
  else execFileSync("mkfifo", [target]);
}

function tidy(test: TestMemory, path: string): void {
  rmSync(join(test.memory.dir, path), { recursive: true });
}

describe.each(kinds)("a %s in place of the state file", (kind) => {
  it("gives a warning in status and compact, and the tree is written", async () => {
    const test = await compacted();
    putInTheWay(test, statePath, kind);
    test.write("memory/2026-03-18.md", log("2026-03-18"));
    const status = await readStatus(test.memory);
    expect(status.warnings).toMatchObject([{ code: codeOf[kind], path: statePath }]);
    expect(status.warnings[0]?.message).toContain("move it aside");
    expect(status.run_due).toEqual({ yes: true, reason: "the state file is unreadable" });
    const run = await compactUnlessIdle(test.memory, { if_due: true }, {});
    expect(run.written.map(({ path }) => path)).toContain("memory/daily/2026-03-18.md");
    expect(run.warnings).toEqual(status.warnings);
    expect((await compactUnlessIdle(test.memory, {}, {})).warnings).toEqual(status.warnings);
    tidy(test, statePath);
    expect((await compactUnlessIdle(test.memory, {}, {})).warnings).toEqual([]);
  });

  it("gives a warning in verify and a problem in doctor, and entries can still be appended", async () => {
    const test = await compacted();
    putInTheWay(test, statePath, kind);
    const { findings, ok } = await runVerify(test.memory, {});
    expect([ok, findings]).toMatchObject([false, [{ code: codeOf[kind], severity: "warning", path: statePath }]]);
    for (const input of [{}, { fix: true }] as const) {
      const { checks } = await runDoctor(test.memory, input);
      const wrong = checks.filter(({ state }) => state === "problem");
      expect(wrong).toMatchObject([{ name: "state file", fix: `move ${statePath} away` }]);
    }
    const { action, warnings } = await appendEntry(test.memory, { topic: "Auth", body: "- more" });
    expect([action, warnings]).toMatchObject(["added", [{ code: "not_counted" }]]);
  });
});

describe.each(kinds)("a %s in place of a cache file", (kind) => {
  it.each([...cachePaths.map((path) => [path, [path]] as const), ["all of them", cachePaths] as const])(
    "affects only speed: %s",
    async (_name, paths) => {
      const [plain, test] = [await compacted(), await compacted()];
      for (const path of paths) putInTheWay(test, path, kind);
      for (const { memory, write } of [plain, test]) {
        write("memory/2026-03-18.md", log("2026-03-18"));
        expect((await compactUnlessIdle(memory, {}, {})).warnings).toEqual([]);
        expect(await compactUnlessIdle(memory, {}, {})).toMatchObject({ written: [], warnings: [] });
        expect((await readStatus(memory)).warnings).toEqual([]);
        expect((await runVerify(memory, {})).findings).toEqual([]);
      }
      for (const path of plain.list().filter((name) => name.startsWith("memory/") && name !== statePath))
        expect(test.read(path)).toBe(plain.read(path));
    },
  );

  it("is reported by doctor, with and without --fix", async () => {
    const test = await compacted();
    for (const path of cachePaths) putInTheWay(test, path, kind);
    for (const input of [{}, { fix: true }] as const) {
      const { checks } = await runDoctor(test.memory, input);
      const wrong = checks.filter(({ state }) => state === "problem");
      expect(wrong.map(({ name, fix }) => [name, fix])).toEqual(
        cachePaths.toSorted().map((path) => ["cache", `move ${path} away`]),
      );
    }
  });
});

it("a file or an outside link in place of the cache folder affects only speed", async () => {
  const test = await compacted();
  for (const put of [
    () => test.write(".heartwood/cache", "a file"),
    () => symlinkSync("/tmp", join(test.memory.dir, ".heartwood/cache")),
  ]) {
    tidy(test, ".heartwood/cache");
    put();
    test.write("memory/2026-03-18.md", `${test.read("memory/2026-03-18.md") ?? ""}- more\n`);
    expect((await compactUnlessIdle(test.memory, {}, {})).written).not.toEqual([]);
    expect((await readStatus(test.memory)).warnings).toEqual([]);
    expect((await runDoctor(test.memory, {})).checks.filter(({ state }) => state === "problem")).toMatchObject([
      { name: "cache" },
    ]);
    expect(statSync(join(test.memory.dir, "memory/ROOT.md")).isFile()).toBe(true);
  }
});
