import { describe, expect, it, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { runCompact } from "../run/compact.ts";
import { readConfiguration } from "./configuration.ts";
import { runInit } from "./init.ts";
import { clientNames } from "../../agents/install/client-files.ts";
import { platforms } from "../inputs.ts";

const log = "# 2026-03-10\n\n## Auth [project]\n- decisions: tokens, as sessions do not scale\n";

describe("init", () => {
  it("creates folders, configuration and templates, and says what to run next", async () => {
    const test = openTestMemory();
    const result = await runInit(test.memory, {});
    expect(result.platform).toBe("plain");
    expect(result.kept).toEqual([]);
    expect(result.created).toEqual([
      "memory/daily/",
      "memory/weekly/",
      "memory/monthly/",
      "memory/agents/compaction/",
      "memory/agents/recall/",
      "memory/agents/flush/",
      "knowledge/",
      "heartwood.config.json",
      "MEMORY.md",
      "USER.md",
      "SCRATCHPAD.md",
      "WORKING.md",
      "TASK-QUEUE.md",
      ".heartwood/.gitignore",
    ]);
    expect(result.next).toMatch(/^heartwood log add --topic /);
    expect(test.read(".heartwood/.gitignore")).toMatch(/^cache\/\n[^]*^threads\/\n$/mu);
    expect(test.read("MEMORY.md")).toContain("\n## Core (Static) — DO NOT compact or remove\n");
    expect(test.read("knowledge/.gitkeep")).toBe("");
  });

  it("writes a configuration with the defaults", async () => {
    const test = openTestMemory();
    const defaults = (await readConfiguration(test.memory)).configuration;
    await runInit(test.memory, {});
    expect((await readConfiguration(test.memory)).configuration).toEqual({
      ...defaults,
      file: "heartwood.config.json",
    });
    expect(JSON.parse(test.read("heartwood.config.json") ?? "")).toEqual({
      platform: "plain",
      search: { vector: "auto", embedModel: "auto" },
      compaction: { rootMaxTokens: 3000, cooldownHours: 3 },
      worktrees: "shared",
    });
  });

  it("creates nothing and changes no mtime when run again", async () => {
    const test = openTestMemory({ disk: "folder" });
    const first = await runInit(test.memory, { platform: "openclaw" });
    const before = await stampsOf(test.memory.files.list);
    const second = await runInit(test.memory, {});
    expect(second).toEqual({ ...first, created: [], kept: first.created });
    expect(await stampsOf(test.memory.files.list)).toEqual(before);
  });

  it("leaves everything that exists unchanged, even an empty file or folder", async () => {
    const files = { "USER.md": "", "memory/2026-03-10.md": log, "knowledge/rust.md": "# Rust\n" };
    const test = openTestMemory({ files });
    const result = await runInit(test.memory, {});
    expect(result.kept).toEqual(["knowledge/", "USER.md"]);
    expect(test.read("USER.md")).toBe("");
    expect(test.list()).not.toContain("knowledge/.gitkeep");
    expect(result.next).toBe("heartwood compact");
  });

  it("creates no MEMORY.md or USER.md for claude-code, which has its own", async () => {
    const test = openTestMemory({
      with: { detected: { platform: "claude-code", because: "the folder has CLAUDE.md" } },
    });
    const result = await runInit(test.memory, {});
    expect(result.platform).toBe("claude-code");
    expect(test.list()).not.toContain("MEMORY.md");
    expect(test.list()).not.toContain("USER.md");
    expect(test.list()).toContain("SCRATCHPAD.md");
  });

  it("keeps using a hipocampus configuration", async () => {
    const test = openTestMemory({ files: { "hipocampus.config.json": '{ "platform": "claude-code" }' } });
    const result = await runInit(test.memory, {});
    expect(result.platform).toBe("claude-code");
    expect(result.kept).toEqual(["hipocampus.config.json"]);
    expect(test.list()).not.toContain("heartwood.config.json");
    expect(test.list()).not.toContain("MEMORY.md");
  });

  it("supports every client that heartwood can be installed into", async () => {
    expect([...platforms].toSorted()).toEqual(["plain", ...clientNames].toSorted());
    const test = openTestMemory();
    expect(await runInit(test.memory, { platform: "cursor" })).toMatchObject({ platform: "cursor" });
    expect(test.read("heartwood.config.json")).toContain('"platform": "cursor"');
    expect(test.list()).toContain("MEMORY.md");
  });

  it("refuses an unknown platform, or one other than the configured one, without creating anything", async () => {
    const test = openTestMemory({ files: { "heartwood.config.json": '{ "platform": "codex" }' } });
    const unknown = runInit(test.memory, { platform: "emacs" });
    await expect(unknown).rejects.toMatchObject({ code: "invalid_platform" });
    const other = runInit(test.memory, { platform: "gemini" });
    await expect(other).rejects.toThrow("heartwood.config.json says codex");
    expect(test.list()).toEqual(["heartwood.config.json"]);
  });

  it("does not treat its own templates as work: the next compaction copies nothing into the log", async () => {
    const test = openTestMemory({ files: { "memory/2026-03-10.md": log } });
    await runInit(test.memory, {});
    await runCompact(test.memory, {}, {});
    expect(test.list().filter((path) => /^memory\/\d/.test(path))).toEqual(["memory/2026-03-10.md"]);
  });
});

async function stampsOf(list: (dir: string) => Promise<readonly { readonly name: string; readonly stamp: string }[]>) {
  const folders = ["", "memory", "memory/daily", "memory/agents", "memory/agents/recall", "knowledge", ".heartwood"];
  const stamps: Record<string, string> = {};
  for (const folder of folders) for (const entry of await list(folder)) stamps[`${folder}/${entry.name}`] = entry.stamp;
  return stamps;
}

describe("trust", () => {
  async function givenBy(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const given: string[] = [];
    const trust = {
      id: "test-trust",
      state: () => "untrusted" as const,
      grant: async (by: string) => void given.push(by),
    };
    await runInit(openTestMemory({ files, with: { trust } }).memory, {});
    return given;
  }

  test("init trusts a memory that it created", async () => {
    expect(await givenBy({ "README.md": "x", "src/a.ts": "x" })).toEqual(["init"]);
  });

  test.each([
    "memory/2026-03-01.md",
    "memory/ROOT.md",
    "WORKING.md",
    "MEMORY.md",
    "knowledge/a.md",
    "heartwood.config.json",
    "hipocampus.config.json",
    ".heartwood/cache/tree.json",
  ])("init does not trust a folder that came with %s", async (path) => {
    expect(await givenBy({ [path]: "{}" })).toEqual([]);
  });

  test("a memory is created even if trust cannot be recorded", async () => {
    const refused = async (): Promise<never> => {
      throw new MemoryError("io", "No place.");
    };
    const trust = { id: "test-trust", state: () => "untrusted" as const, grant: refused };
    expect(await runInit(openTestMemory({ with: { trust } }).memory, {})).toMatchObject({ trust: "untrusted" });
  });
});
