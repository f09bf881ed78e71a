import { describe, expect, it } from "vitest";
import { runCompact } from "../../src/tree/run/compact.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { openTestMemory } from "../fixtures/memory.ts";

const facts = (count: number): string =>
  Array.from({ length: count }, (_, index) => `- fact ${index} about the user`).join("\n");

describe("what people say about themselves", () => {
  it("fills the summary of a long day before any of it is cut, and the cut is reported", async () => {
    const tree = openTestMemory({
      today: "2026-03-05",
      files: { "memory/2026-03-04.md": `# 2026-03-04\n\n## Many [user]\n${facts(400)}\n` },
    });
    const result = await runCompact(tree.memory, {}, {});
    const node = String(tree.read("memory/daily/2026-03-04.md"));
    expect(node.split("\n").filter((line) => line.startsWith("- fact ")).length).toBeGreaterThan(120);
    expect(result.warnings.map((warning) => warning.code)).toContain("shortened");
  });

  it("keeps the beginning of a rule that is longer than a whole summary", async () => {
    const rule = `- rule: ${"word ".repeat(14_000)}`;
    const tree = openTestMemory({
      today: "2026-03-05",
      files: { "memory/2026-03-04.md": `# 2026-03-04\n\n## Long rule [feedback]\n${rule}\n` },
    });
    await runCompact(tree.memory, {}, {});
    const node = String(tree.read("memory/daily/2026-03-04.md"));
    expect(node).toContain("### Long rule [feedback] (03-04:3-4)\n- rule: word word");
    expect(Buffer.byteLength(node)).toBeLessThan(18_000);
  });

  it("is never only in Historical Summary", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => {
        const day = new Date(Date.UTC(2025, 9, 1) + index * 86_400_000).toISOString().slice(0, 10);
        return [
          `memory/${day}.md`,
          `# ${day}\n\n## Person ${index} [user]\n- fact ${index} is about coffee and trains\n\n## Other ${index} [user]\n- likes music\n`,
        ];
      }),
    );
    const tree = openTestMemory({ today: "2026-02-20", files });
    await runCompact(tree.memory, {}, {});
    const root = String(tree.read("memory/ROOT.md"));
    const history = root.slice(root.indexOf("## Historical Summary"), root.indexOf("## Topics Index"));
    expect(history).not.toMatch(/Person|Other/u);
    expect(root.match(/\[user, /gu)?.length ?? 0).toBeGreaterThan(50);
  });

  it("a log with one very long line is summarised, not cut and called a copy", async () => {
    const long = `# 2026-03-04\n\n## Long [project]\n- ${"a".repeat(1_000_000)}\n- tail\n`;
    const tree = openTestMemory({ today: "2026-03-05", files: { "memory/2026-03-04.md": long } });
    await runCompact(tree.memory, {}, {});
    const node = String(tree.read("memory/daily/2026-03-04.md"));
    expect(node).toContain("made-by: built-in-4");
    expect(Buffer.byteLength(node)).toBeLessThan(20_000);
    expect(Buffer.byteLength(String(tree.read("memory/monthly/2026-03.md")))).toBeLessThan(20_000);
  });

  it("keeps lines of a long day that look like output or code word for word up to the month", async () => {
    const said = [
      "I sit with the data team",
      "at Example GmbH (Berlin office)",
      "and my standup is daily",
      "at 09:30",
      "```sh",
      "alias ll='ls -l'",
      "```",
    ].join("\n");
    const filler = Array.from({ length: 220 }, (_, index) => `- note ${index} on the roof`).join("\n");
    const log = `# 2026-03-04\n\n## Where I work [user]\n${said}\n\n## Roof [project]\n${filler}\n- 決定: 東京都千代田区𠮷野家本店で打ち合わせ\n`;
    const tree = openTestMemory({ today: "2026-04-20", files: { "memory/2026-03-04.md": log } });
    await runCompact(tree.memory, {}, {});
    for (const path of ["daily/2026-03-04", "weekly/2026-W10", "monthly/2026-03"])
      expect(tree.read(`memory/${path}.md`)).toContain(`### Where I work [user] (03-04:3-10)\n${said}\n`);
    expect(tree.read("memory/ROOT.md")).not.toContain("\uFFFD");
    expect((await runVerify(tree.memory, {})).findings).toEqual([]);
  });
});
