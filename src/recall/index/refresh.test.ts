import { utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Files } from "../../platform/files.ts";
import type { SearchIndex } from "./search-index.ts";
import type { Memory } from "../../operations/operation.ts";
import { prepareIndex } from "./prepare.ts";
import { runIndex } from "./refresh.ts";

const opened: TestMemory[] = [];
afterEach(async () => {
  for (const { memory } of opened.splice(0)) await memory.searchIndex.close();
});

function project(files: Readonly<Record<string, string | Uint8Array>>, more: Partial<Memory> = {}): TestMemory {
  const made = openTestMemory({ disk: "folder", files, with: more });
  opened.push(made);
  return made;
}

/** With stamps old enough to be trusted. */
function settle({ memory, list }: TestMemory): void {
  for (const path of list()) if (path.endsWith(".md")) utimesSync(join(memory.dir, path), 1_700_000_000, 1_700_000_000);
}

async function countOf({ memory }: TestMemory, word: string): Promise<number | undefined> {
  return (await memory.searchIndex.frequencies([word])).counts[0];
}

function reading(memory: Memory, read: Files["read"]): Memory {
  const { files } = memory;
  return {
    ...memory,
    files: {
      id: files.id,
      names: (folder) => files.names(folder),
      list: (folder) => files.list(folder),
      read,
      append: (path, bytes) => files.append(path, bytes),
      commit: (changes) => files.commit(changes),
    },
  };
}

/** A line that is fast to read: only its beginning is indexed. */
const mebibytes = (count: number, word: string): string => `${word}\n${"x".repeat(count * 1024 * 1024)}\n`;

describe("a source", () => {
  test("that cannot be read is reported and counted as missing, and stays in the index as it was", async () => {
    const made = project({ "knowledge/a.md": "zebra", "knowledge/b.md": "okapi" });
    await runIndex(made.memory, {}, {});
    made.write("knowledge/a.md", "quagga");
    const broken = reading(made.memory, async (path, range) => {
      if (path === "knowledge/a.md") throw new MemoryError("io", "It cannot be read.");
      return made.memory.files.read(path, range);
    });
    const result = await runIndex(broken, {}, {});
    expect(result).toMatchObject({ sources: 2, indexed: 0, unchanged: 1, not_indexed: 1 });
    expect(result.warnings).toEqual([{ code: "not_indexed", path: "knowledge/a.md", message: "It cannot be read." }]);
    expect(await countOf(made, "zebra")).toBe(1);
    expect((await prepareIndex(broken, { ms: 5000 })).not_indexed).toBe(1);
  });

  test("that no longer exists when it is read is removed from the index", async () => {
    const made = project({ "knowledge/a.md": "zebra" });
    await runIndex(made.memory, {}, {});
    made.write("knowledge/a.md", "quagga");
    const gone = reading(made.memory, async () => undefined);
    expect(await runIndex(gone, {}, {})).toMatchObject({ indexed: 0, chunks: 0, not_indexed: 0 });
  });

  test("is not read for secrets when another changes, unless it has some, which are then kept out of the other", async () => {
    const secret = "hT7#kq2LmZ99";
    const made = project({
      "memory/2026-01-01.md": "## Plain\n- zebra\n",
      "memory/2026-01-02.md": `## Safe\n- password: ${secret}\n`,
      "memory/2026-01-03.md": "## Last\n- okapi\n",
    });
    settle(made);
    await runIndex(made.memory, {}, {});
    made.write("memory/2026-01-03.md", `## Last\n- okapi, and ${secret} again\n`);
    const read = new Set<string>();
    const counting = reading(made.memory, async (path, range) => {
      if (path.endsWith(".md")) read.add(path);
      return made.memory.files.read(path, range);
    });
    expect(await runIndex(counting, {}, {})).toMatchObject({ indexed: 1, unchanged: 2 });
    expect([...read].toSorted()).toEqual(["memory/2026-01-02.md", "memory/2026-01-03.md"]);
    expect(await countOf(made, "again")).toBe(1);
    expect(await countOf(made, "kq2lmz99")).toBe(0);
  });

  test("with a new stamp and the same bytes is read once and only gets the new stamp", async () => {
    const made = project({ "knowledge/a.md": "zebra" });
    settle(made);
    await runIndex(made.memory, {}, {});
    made.write("knowledge/a.md", "zebra");
    settle(made);
    let reads = 0;
    const counting = reading(made.memory, async (path, range) => {
      reads += path === "knowledge/a.md" ? 1 : 0;
      return made.memory.files.read(path, range);
    });
    const { generation } = made.memory.searchIndex;
    const before = await generation();
    expect(await runIndex(counting, {}, {})).toMatchObject({ indexed: 0, unchanged: 1 });
    expect([reads, (await generation()) === before]).toEqual([1, false]);
    expect(await runIndex(counting, {}, {})).toMatchObject({ indexed: 0, unchanged: 1 });
    expect(reads).toBe(1);
  });
});

describe("a large run", () => {
  test("writes in batches, keeps them all, and announces the work first", async () => {
    const files = Object.fromEntries(
      [1, 2, 3].map((day) => [`memory/2026-03-0${day}.md`, mebibytes(9, `zebra${day}`)]),
    );
    let works = 0;
    const made = project(files, { onWork: () => void (works += 1) });
    settle(made);
    const { searchIndex } = made.memory;
    const writes: string[] = [];
    const write: SearchIndex["write"] = async (rules, changes, how) => {
      writes.push(`${how?.before} ${changes.length}`);
      await searchIndex.write(rules, changes, how);
    };
    const counting = { ...made.memory, searchIndex: { ...searchIndex, write } };
    const done: number[] = [];
    await runIndex(counting, { rebuild: true }, { progress: (event) => void done.push(event.done, event.total) });
    expect([writes, done, works]).toEqual([["anew 2", "kept 1"], [2, 3, 3, 3], 1]);
    for (const day of [1, 2, 3]) expect(await countOf(made, `zebra${day}`)).toBe(1);
    made.write("memory/2026-03-04.md", "zebra4");
    await runIndex(counting, {}, {});
    expect(works).toBe(1);
  });

  test("that rebuilds the index without any source leaves it empty", async () => {
    const made = project({ "knowledge/a.md": "zebra" });
    await runIndex(made.memory, {}, {});
    made.remove("knowledge/a.md");
    expect(await runIndex(made.memory, { rebuild: true }, {})).toMatchObject({ sources: 0, removed: 0, chunks: 0 });
  });
});

describe("a query without patience", () => {
  test("indexes 64 small sources, but not 65", async () => {
    const small = (count: number): TestMemory =>
      project(Object.fromEntries(Array.from({ length: count }, (_, at) => [`knowledge/${at}.md`, "zebra"])));
    expect((await prepareIndex(small(64).memory, { ms: 0 })).not_indexed).toBe(0);
    expect((await prepareIndex(small(65).memory, { ms: 0 })).not_indexed).toBe(65);
  });

  test("spends more time on the newest source than on others", async () => {
    const big = `zebra\n${"x".repeat(900_000)}\n`;
    const { memory } = project({ "memory/2026-03-01.md": big, "memory/2026-03-02.md": big });
    expect((await prepareIndex(memory, { ms: 200 })).not_indexed).toBe(1);
  });
});
