import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { auditOf } from "../../../test/fixtures/bound-operations.ts";
import type { AuditResult } from "../model/report.ts";

const lines = "- one two three four five\n- six seven eight nine ten\n";

function open(files: Readonly<Record<string, string>>): TestMemory {
  return openTestMemory({ disk: "folder", files });
}

async function look(files: Readonly<Record<string, string>>, input = {}): Promise<AuditResult> {
  return auditOf(open(files).memory).run(input);
}

const short = (bytes: number): string => "0123456\n".repeat(bytes / 8);

describe("defaults", () => {
  it.each([
    [{}, 5 * 1024, []],
    [{}, 5 * 1024 + 8, ["memory_over_max"]],
    [{ max_memory_kb: 6 }, 6 * 1024, []],
    [{ max_memory_kb: 6 }, 6 * 1024 + 8, ["memory_over_max"]],
  ])("MEMORY.md may have 5 KB: %o and %i bytes", async (input, bytes, codes) => {
    const { findings } = await look({ "MEMORY.md": short(bytes) }, input);
    expect(findings.map(({ code }) => code).filter((code) => code !== "memory_over_loader")).toEqual(codes);
  });

  it("only a finding of severity high fails", async () => {
    const medium = { "MEMORY.md": `## A\n${"word\n".repeat(150)}${"word ".repeat(600)}\n` };
    expect(await look(medium)).toMatchObject({ fail_on: "high", ok: true, findings_count: { high: 0, medium: 1 } });
    expect((await look(medium, { fail_on: "medium" })).ok).toBe(false);
    expect((await look({ "MEMORY.md": lines, "memory/2026-03-01.md": lines })).ok).toBe(false);
  });

  it("nothing is written", async () => {
    for (const input of [{}, { aggressive: true }, { apply: true, dry_run: true }]) {
      const here = open({ "MEMORY.md": lines, "memory/2026-03-01.md": lines });
      expect(await auditOf(here.memory).run(input)).toMatchObject({ dry_run: true, id: null });
      expect(here.read("memory/2026-03-01.md")).toBe(lines);
    }
  });
});

describe("the result of an apply", () => {
  it("contains the size of MEMORY.md on disk before and after, and resolved findings", async () => {
    const here = open({ "MEMORY.md": `${lines}${lines}`, "memory/2026-03-01.md": `# A\n${lines}` });
    const result = await auditOf(here.memory).run({ apply: true, aggressive: true, fail_on: "low" });
    expect(result).toMatchObject({
      dry_run: false,
      memory_size_before: 2 * lines.length,
      memory_size_after: lines.length,
      ok: true,
      findings_count: { low: 0, medium: 0, high: 0 },
    });
    expect(result.findings.length).toBe(3);
  });
});

describe("a rotated note", () => {
  it("is measured and compared without its summary", async () => {
    const said = `${lines}- eleven twelve thirteen fourteen\n`;
    const here = open({ "MEMORY.md": said, "memory/2026-03-01.md": `${said}${"- a long log\n".repeat(3000)}` });
    const audit = auditOf(here.memory);
    const [path] = (await audit.run({ apply: true, aggressive: true })).rotated_files;
    expect(path).toBe("memory/2026-03-01.md");
    const again = await audit.run({ aggressive: true });
    expect(again.cross_file_issues).toEqual([]);
    expect(again.daily_notes).toEqual([{ path, bytes: 0, over: null, captured: false, shortened: true }]);
    here.write("memory/2026-03-01.md", `${here.read("memory/2026-03-01.md")}${said}`);
    const grown = await audit.run();
    expect(grown.daily_notes).toMatchObject([{ bytes: said.length }]);
    expect(grown.cross_file_issues).toMatchObject([{ section: "header", similarity: 1 }]);
  });

  it("leaves the archive folder as it was before when it is undone", async () => {
    for (const found of ["there", "not there"]) {
      const here = open({ "MEMORY.md": lines, "memory/2026-03-01.md": lines });
      const archive = join(here.memory.dir, "memory/archive");
      if (found === "there") mkdirSync(archive);
      const audit = auditOf(here.memory);
      await audit.run({ apply: true });
      await audit.undo();
      expect(existsSync(archive)).toBe(found === "there");
    }
  });
});
