import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { runCompact } from "../run/compact.ts";
import { type TreeNodeView, readNode, readTree } from "./tree-view.ts";

const entry = (day: string, topic: string, type = "project"): string =>
  `# ${day}\n\n## ${topic} [${type}]\n- decisions: ${topic} was decided on for good reasons\n`;

const logs = {
  "memory/2026-03-02.md": entry("2026-03-02", "Auth"),
  "memory/2026-03-03.md": entry("2026-03-03", "Short answers", "feedback"),
  "memory/2026-03-03-standup.md": entry("2026-03-03", "Standup"),
  "memory/2026-03-10.md": entry("2026-03-10", "Billing"),
};

async function compacted(today: string): Promise<TestMemory> {
  const test = openTestMemory({ files: logs, today });
  await runCompact(test.memory, {}, {});
  return test;
}

const outline = (nodes: readonly TreeNodeView[], indent = ""): readonly string[] =>
  nodes.flatMap((node) => [
    `${indent}${node.period}${node.late === 0 ? "" : `/${node.late}`} ${node.status}`,
    ...outline(node.children, `${indent}  `),
  ]);

describe("tree", () => {
  it("is empty before the first compaction", async () => {
    const test = openTestMemory({ files: logs });
    expect(await readTree(test.memory)).toEqual({ root: null, months: [] });
  });

  it("shows months, weeks and days, newest first, with topics and raw logs", async () => {
    const test = await compacted("2026-03-10");
    const { root, months } = await readTree(test.memory);
    expect(root).toMatchObject({ path: "memory/ROOT.md", last_updated: "2026-03-10" });
    expect(root?.tokens).toBe(test.memory.tokens.count(test.read("memory/ROOT.md") ?? ""));
    expect(outline(months)).toEqual([
      "2026-03 tentative",
      "  2026-W11 tentative",
      "    2026-03-10 tentative",
      "  2026-W10 tentative",
      "    2026-03-03 fixed",
      "    2026-03-02 fixed",
    ]);
    const day = months[0]?.children[1]?.children[0];
    expect(day).toMatchObject({ path: "memory/daily/2026-03-03.md", level: "daily", late: 0, summarizer: "copy-1" });
    expect(day?.topics).toEqual(["Short answers [feedback]", "Standup [project]"]);
    expect(day?.raw).toEqual(["memory/2026-03-03.md", "memory/2026-03-03-standup.md"]);
  });

  it("shows an addendum below the node that includes it", async () => {
    const test = await compacted("2026-04-10");
    test.write("memory/2026-03-02.md", `${logs["memory/2026-03-02.md"]}\n## Late [project]\n- decisions: came later\n`);
    await runCompact(test.memory, {}, {});
    expect(outline((await readTree(test.memory)).months)).toEqual([
      "2026-03 fixed",
      "  2026-W11 fixed",
      "    2026-03-10 fixed",
      "  2026-W10 fixed",
      "    2026-03-03 fixed",
      "    2026-03-02 fixed",
      "2026-03/1 tentative",
      "  2026-W10/1 tentative",
      "    2026-03-02/1 tentative",
    ]);
  });

  it("shows nodes whose parents are not built at the top level", async () => {
    const test = await compacted("2026-03-10");
    test.remove("memory/monthly/2026-03.md");
    test.remove("memory/weekly/2026-W10.md");
    test.remove("memory/ROOT.md");
    const { root, months } = await readTree(test.memory);
    expect(root).toBeNull();
    expect(outline(months)).toEqual([
      "2026-W11 tentative",
      "  2026-03-10 tentative",
      "2026-03-03 fixed",
      "2026-03-02 fixed",
    ]);
  });
});

describe("show", () => {
  it("prints the file of a node unchanged, with its addenda", async () => {
    const test = await compacted("2026-03-10");
    test.write("memory/2026-03-02.md", `${logs["memory/2026-03-02.md"]}\n## Late [project]\n- decisions: came later\n`);
    await runCompact(test.memory, {}, {});
    const shown = await readNode(test.memory, { period: "2026-03-02" });
    expect(shown).toMatchObject({
      path: "memory/daily/2026-03-02.md",
      level: "daily",
      period: "2026-03-02",
      status: "fixed",
    });
    expect(shown).toMatchObject({
      summarizer: "copy-1",
      sources: ["memory/2026-03-02.md"],
      topics: ["Auth [project]"],
    });
    expect(shown.text).toBe(test.read("memory/daily/2026-03-02.md"));
    const late = "memory/daily/2026-03-02.late-1.md";
    expect(shown.late).toEqual([{ path: late, text: test.read(late) }]);
  });

  it("accepts a period in any case", async () => {
    const test = await compacted("2026-03-10");
    expect((await readNode(test.memory, { period: " 2026-w11 " })).path).toBe("memory/weekly/2026-W11.md");
    expect((await readNode(test.memory, { period: "2026-03" })).sources).toEqual([
      "memory/weekly/2026-W10.md",
      "memory/weekly/2026-W11.md",
    ]);
    const root = await readNode(test.memory, { period: "root" });
    expect(root).toMatchObject({
      path: "memory/ROOT.md",
      level: "root",
      period: "ROOT",
      sources: ["memory/monthly/2026-03.md"],
    });
    expect(root.topics).toContain("Short answers [feedback]");
    expect(root.text).toBe(test.read("memory/ROOT.md"));
  });

  it("does not show a secret that a user wrote into a node", async () => {
    const test = await compacted("2026-03-10");
    const path = "memory/daily/2026-03-02.md";
    test.write(path, `${test.read(path)}- token: ghp_${"aB3dE5fG7h".repeat(4).slice(0, 36)}\n`);
    const { text } = await readNode(test.memory, { period: "2026-03-02" });
    expect(text).toContain("[REDACTED:");
    expect(text).not.toContain("ghp_aB3");
  });

  it("explains what a period must be, and suggests alternatives to a missing node", async () => {
    const test = await compacted("2026-03-10");
    for (const period of ["", "2026-02-30", "2025-W53", "../etc/passwd", "march"])
      await expect(readNode(test.memory, { period })).rejects.toMatchObject({ code: "invalid_period" });
    const missing = readNode(test.memory, { period: "2026-03-05" });
    await expect(missing).rejects.toMatchObject({ code: "not_found" });
    await expect(missing).rejects.toThrow("the nearest are 2026-03-03 and 2026-03-10");
    test.write("memory/2026-03-05.md", entry("2026-03-05", "New"));
    await expect(readNode(test.memory, { period: "2026-03-05" })).rejects.toThrow("run heartwood compact");
    const empty = openTestMemory();
    await expect(readNode(empty.memory, { period: "ROOT" })).rejects.toMatchObject({ code: "not_found" });
  });
});
