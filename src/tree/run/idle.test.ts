import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import type { ByteRange } from "../../platform/files.ts";
import { runCompact } from "./compact.ts";
import { loadTree } from "./load.ts";

it("a run removes its own leftovers but not a user's file with a similar name", async () => {
  const ours = "memory/daily/.hw-00112233445566778899aabb0001.tmp";
  const theirs = "memory/daily/.hw-notes.tmp";
  const tree = openTestMemory({
    files: {
      "memory/2026-03-14.md": "# 2026-03-14\n\n## Auth [project]\n- decisions: a\n",
      [ours]: "half",
      [theirs]: "mine",
    },
  });
  await runCompact(tree.memory, {}, {});
  expect(tree.list()).not.toContain(ours);
  expect(tree.read(theirs)).toBe("mine");
});

it("after the first run, and after a change, loading the tree reads no log whose day is over", async () => {
  const log = (day: string) => `# ${day}\n\n## Kiln [project]\n- decisions: shelf ${day}\n`;
  const days = ["2026-01-05", "2026-01-06", "2026-02-02", "2026-03-15"];
  const tree = openTestMemory({ files: Object.fromEntries(days.map((day) => [`memory/${day}.md`, log(day)])) });
  const logsRead = async (): Promise<readonly string[]> => {
    const read = new Set<string>();
    const { files } = tree.memory;
    const spied = { ...files, read: (path: string, range?: ByteRange) => files.read((read.add(path), path), range) };
    await loadTree({ ...tree.memory, files: spied }, { cache: "used" });
    return [...read].filter((path) => /^memory\/\d{4}-\d\d-\d\d\.md$/u.test(path));
  };
  await runCompact(tree.memory, {}, {});
  expect(await logsRead()).toEqual([]);
  tree.write("memory/2026-03-15.md", `${log("2026-03-15")}- open: buy clay\n`);
  expect(await logsRead()).toEqual(["memory/2026-03-15.md"]);
  await runCompact(tree.memory, {}, {});
  expect(await logsRead()).toEqual([]);
});
