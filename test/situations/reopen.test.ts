import { describe, expect, it } from "vitest";
import { runCompact } from "../../src/tree/run/compact.ts";
import { runUndo } from "../../src/operations/undo.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const day = (date: string, topic: string): string =>
  `# ${date}\n\n## ${topic} [project]\n- decisions: ${topic} it is\n`;

/** February is fixed and has late data; today is in April. */
async function withLateData(): Promise<TestMemory> {
  const tree = openTestMemory({
    today: "2026-03-20",
    files: { "memory/2026-02-10.md": day("2026-02-10", "Alpha"), "memory/2026-02-11.md": day("2026-02-11", "Beta") },
  });
  await runCompact(tree.memory, {}, {});
  tree.setToday("2026-04-02");
  tree.write(
    "memory/2026-02-10.md",
    `${day("2026-02-10", "Alpha")}\n## Gamma [project]\n- decisions: Gamma came late\n`,
  );
  await runCompact(tree.memory, {}, {});
  tree.setToday("2026-04-05");
  await runCompact(tree.memory, {}, {});
  return tree;
}

const nodesOf = (tree: TestMemory): Record<string, string> =>
  Object.fromEntries(
    tree
      .list()
      .filter((path) => /^memory\/(?:daily|weekly|monthly)\/[^.]/u.test(path))
      .map((path) => [path, String(tree.read(path))]),
  );

describe("reopening and undoing", () => {
  it("merges addenda, gives the same as a first build, and passes verify", async () => {
    const tree = await withLateData();
    expect(Object.keys(nodesOf(tree))).toContain("memory/daily/2026-02-10.late-1.md");
    await runCompact(tree.memory, { reopen: "late" }, {});
    const fresh = openTestMemory({
      today: "2026-04-05",
      files: {
        "memory/2026-02-10.md": String(tree.read("memory/2026-02-10.md")),
        "memory/2026-02-11.md": day("2026-02-11", "Beta"),
      },
    });
    await runCompact(fresh.memory, {}, {});
    expect(nodesOf(tree)).toEqual(nodesOf(fresh));
    expect(tree.read("memory/ROOT.md")).toEqual(fresh.read("memory/ROOT.md"));
    expect((await runVerify(tree.memory, {})).ok).toBe(true);
  });

  it("undo restores every byte of the nodes that a reopening removed", async () => {
    const tree = await withLateData();
    const before = nodesOf(tree);
    await runCompact(tree.memory, { reopen: "2026-02-10" }, {});
    expect(nodesOf(tree)).not.toEqual(before);
    const result = await runUndo(tree.memory);
    expect(nodesOf(tree)).toEqual(before);
    expect(result.restored).toContain("memory/daily/2026-02-10.late-1.md");
    await runCompact(tree.memory, {}, {});
    expect(nodesOf(tree)).toEqual(before);
    expect((await runVerify(tree.memory, {})).ok).toBe(true);
    await expect(runUndo(tree.memory)).rejects.toMatchObject({ code: "nothing_to_undo" });
  });

  it("refuses while a folder is in the place of a log, and removes nothing", async () => {
    const tree = openTestMemory({
      today: "2026-03-20",
      disk: "folder",
      files: { "memory/2026-02-10.md": day("2026-02-10", "Alpha") },
    });
    await runCompact(tree.memory, {}, {});
    const before = nodesOf(tree);
    tree.remove("memory/2026-02-10.md");
    tree.write("memory/2026-02-10.md/inside.txt", "a folder");
    await expect(runCompact(tree.memory, { reopen: "2026-02-10" }, {})).rejects.toMatchObject({
      code: "not_a_file",
      message: expect.stringMatching(/^Nothing was reopened: memory\/2026-02-10\.md is not a regular file/u) as unknown,
    });
    expect(nodesOf(tree)).toEqual(before);
  });
});
