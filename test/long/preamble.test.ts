import { describe, expect, it } from "vitest";
import { runCompact } from "../../src/tree/run/compact.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { openTestMemory } from "../fixtures/memory.ts";

describe("text before the first heading of a log", () => {
  it("is not part of the last entry, and blank lines there are not an entry", async () => {
    const items = Array.from({ length: 210 }, (_, index) => `- item ${index} about the pump`).join("\n");
    const text = `\nWalrus notes from the morning\n\n## Pump [project]\n${items}\n\n## Last [user]\n- likes tea\n`;
    const tree = openTestMemory({ today: "2026-03-05", files: { "memory/2026-03-04.md": text } });
    await runCompact(tree.memory, {}, {});
    const node = String(tree.read("memory/daily/2026-03-04.md"));
    expect(node).not.toContain("Infinity");
    expect(node.match(/### Last \[user\]/gu)).toHaveLength(1);
    const preserved = node.slice(node.indexOf("### Last"), node.indexOf("## Notes"));
    expect(preserved).not.toContain("Walrus");
    expect((await runVerify(tree.memory, {})).ok).toBe(true);
  });

  it("a log of 200,000 headings is read without a stack overflow", async () => {
    const text = `# 2026-03-04\n${"## a\n".repeat(200_000)}`;
    const tree = openTestMemory({ today: "2026-03-05", files: { "memory/2026-03-04.md": text } });
    const result = await runCompact(tree.memory, {}, {});
    expect(result.skipped).toEqual([]);
    expect(tree.read("memory/daily/2026-03-04.md")).toBeDefined();
  });

  it("part of a log with 100,000 short lines is read without a stack overflow", async () => {
    const text = `# 2026-03-04\n\n## Many [project]\n${"a b\n".repeat(200_000)}`;
    const tree = openTestMemory({ today: "2026-03-05", files: { "memory/2026-03-04.md": text } });
    const result = await runCompact(tree.memory, {}, {});
    expect(result.skipped).toEqual([]);
    expect(tree.read("memory/daily/2026-03-04.md")).toBeDefined();
  });
});
