import { auditOf } from "../../../test/fixtures/bound-operations.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { describe, expect, it } from "vitest";

const facts = [
  "- The deploy server is called frost and lives in the north rack",
  "- Never restart the billing queue before the nightly export is done",
  "- Anna keeps every key for the staging database inside a drawer",
];

describe("the findings of an apply", () => {
  it("use the line numbers from before, and remaining ones are not resolved", async () => {
    const memory = [
      "\uFEFFfirst line of it all",
      "",
      ...facts,
      facts[0],
      "knowledge/gone.md",
      "#### Twice as a heading",
      "#### Twice as a heading",
      facts[1],
    ].join("\n");
    const test = openTestMemory({
      disk: "folder",
      files: { "MEMORY.md": memory, "memory/2026-03-01.md": `${facts.join("\n")}\nknowledge/gone.md` },
    });
    const audit = auditOf(test.memory);
    const { findings } = await audit.run({ apply: true, aggressive: true });
    const told = findings.map(({ code, path, line, resolved }) => `${code} ${path} ${line} ${resolved}`);
    expect(told).toEqual([
      "redundant_section memory/2026-03-01.md 1 true",
      "duplicate_line MEMORY.md 3 true",
      "duplicate_line MEMORY.md 4 true",
      "dangling_reference MEMORY.md 7 false",
      "duplicate_line MEMORY.md 8 false",
    ]);
    const now = await audit.run();
    expect(now.findings.map(({ code, line }) => `${code} ${line}`)).toEqual([
      "dangling_reference 6",
      "duplicate_line 7",
    ]);
  });

  it("are all resolved after a section was cut, although its own line stays", async () => {
    const own = "- and one line of its own that nobody else has at all";
    const test = openTestMemory({
      disk: "folder",
      files: {
        "MEMORY.md": `# Facts\n\n${facts.join("\n")}\n`,
        "memory/2026-03-01.md": `# Facts\n\n${facts.join("\n")}\n${own}\n`,
      },
    });
    const { findings, ok, cross_file_issues } = await auditOf(test.memory).run({ apply: true });
    expect(cross_file_issues.length).toBe(1);
    expect(findings.every(({ resolved }) => resolved)).toBe(true);
    expect(ok).toBe(true);
    expect(test.read("memory/2026-03-01.md")).toContain(own);
  });
});
