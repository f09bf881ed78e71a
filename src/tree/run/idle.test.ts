import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import type { ByteRange } from "../../platform/files.ts";
import { MemoryError } from "../../base/errors.ts";
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

describe("in a fresh clone, where nothing is due but no cache is there", () => {
  const log = "# 2026-03-14\n\n## Kiln [project]\n- decisions: shelf three for glazes\n";
  const cloned = async () => {
    const first = openTestMemory({ files: { "memory/2026-03-14.md": log } });
    await runCompact(first.memory, {}, {});
    const shared = first.list().filter((path) => !path.startsWith(".heartwood/"));
    return openTestMemory({
      files: Object.fromEntries(shared.map((path) => [path, first.read(path) ?? ""])),
    });
  };

  it("compact writes the caches and nothing else, once", async () => {
    const tree = await cloned();
    const before = tree.list();
    const { written, due } = await runCompact(tree.memory, {}, {});
    expect([written, due]).toEqual([[], []]);
    const caches = ["ROOT.md", "idle.json", "root-lines.json", "root.json", "tree.json"];
    const added = tree.list().filter((path) => !before.includes(path));
    expect(added).toEqual(caches.map((name) => `.heartwood/cache/${name}`));
    const lines = tree.read(".heartwood/cache/root-lines.json");
    tree.remove(".heartwood/cache/root-lines.json");
    await runCompact(tree.memory, {}, {});
    expect(tree.list()).not.toContain(".heartwood/cache/root-lines.json");
    expect(lines).toContain("memory/monthly/2026-03.md");
  });

  it("compact takes nothing from WORKING.md, as with the caches", async () => {
    const tree = await cloned();
    tree.write("WORKING.md", "# Working\n\n- finish the kiln report by friday\n");
    const before = tree.list();
    expect((await runCompact(tree.memory, {}, {})).written).toEqual([]);
    const added = tree.list().filter((path) => !before.includes(path));
    expect(added.filter((path) => !path.startsWith(".heartwood/cache/"))).toEqual([]);
  });

  it("compact succeeds without them where it may not write", async () => {
    const tree = await cloned();
    const before = tree.list();
    const commit = async () => {
      throw new MemoryError("io", "The folder cannot be written to.");
    };
    const memory = { ...tree.memory, files: { ...tree.memory.files, commit } };
    expect(await runCompact(memory, {}, {})).toMatchObject({ written: [], due: [], unchanged: 3 });
    expect(tree.list()).toEqual(before);
  });
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
