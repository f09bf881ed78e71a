import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { MemoryError } from "../../src/base/errors.ts";
import { openThreadReader } from "../../src/open.ts";
import { rememberedStamp } from "../../src/recall/index/sources.ts";
import { prepareIndex } from "../../src/recall/index/prepare.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import type { Memory } from "../../src/operations/operation.ts";
import type { Files } from "../../src/platform/files.ts";
import type { Locks } from "../../src/platform/locks.ts";
import { createSqliteSearch } from "../../src/recall/index/sqlite-search.ts";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { shorten } from "../fixtures/shortened-notes.ts";
import { createdDraft, messageDraft } from "../fixtures/thread-frames.ts";

/** Changes that happen while the index is being updated. */
const opened: Memory[] = [];
afterEach(async () => {
  for (const { searchIndex, threads } of opened.splice(0)) {
    await searchIndex.close();
    await threads.close();
  }
});

function project(files: Readonly<Record<string, string>>): TestMemory {
  const made = openTestMemory({ disk: "folder", files });
  opened.push(made.memory);
  return made;
}

/** Opens the memory again, as another process would. */
function another(memory: Memory, more: Partial<Memory> = {}): Memory {
  const folder = join(memory.dir, ".heartwood", "search");
  const other = { ...memory, searchIndex: createSqliteSearch({ folder, driver: nodeSqlite }), ...more };
  opened.push(other);
  return other;
}

interface Answer {
  readonly found: readonly string[];
  readonly missing: number;
  readonly warnings: readonly string[];
}

async function ask(memory: Memory, word: string): Promise<Answer> {
  const { index, not_indexed: missing, warnings } = await prepareIndex(memory, { ms: 5000 });
  const rows = await index.find({ any: [{ kind: "word", text: word, weight: 1 }], limit: 50 });
  const ids = rows.map(({ id }) => id);
  const found = (await index.rows("chunk", ids)).map(({ source, lines }) => `${source}:${lines.join("-")}`);
  return { found, missing, warnings: warnings.map(({ code }) => code) };
}

const log = "memory/2026-03-10.md";

describe("another process at the index", () => {
  test("that indexed something in the meantime is not assumed to have indexed everything", async () => {
    const { memory, write } = project({ [log]: "zebra" });
    await runIndex(memory, {}, {});
    write(log, "zebra");
    const acquire: Locks["acquire"] = async () => {
      write(log, "quagga");
      await runIndex(memory, {}, {});
      write(log, "zebra");
      return { release: async () => undefined };
    };
    const late = another(memory, { locks: { id: "late-locks", acquire } });
    expect(await ask(late, "zebra")).toEqual({ found: [`${log}:1-1`], missing: 0, warnings: [] });
  });

  test("makes a removed log count as not indexed while it has the lock", async () => {
    const { memory, remove } = project({ [log]: "zebra", "MEMORY.md": "okapi" });
    await runIndex(memory, {}, {});
    remove(log);
    const acquire = () => Promise.reject(new MemoryError("busy", "Somebody is at it."));
    expect(await ask(another(memory, { locks: { id: "busy-locks", acquire } }), "zebra")).toMatchObject({ missing: 1 });
    expect(await ask(memory, "zebra")).toMatchObject({ found: [], missing: 0 });
  });
});

describe("sources", () => {
  test("a folder or threads that cannot be listed stay in the index, with a warning", async () => {
    const { memory } = project({ [log]: "zebra", "knowledge/a.md": "zebra" });
    await memory.threads.append({ thread_id: "t", frames: [createdDraft(), messageDraft(1, "the zebra")] });
    const before = await ask(memory, "zebra");
    expect(before.found).toHaveLength(3);
    const refused = () => Promise.reject(new MemoryError("io", "It cannot be read."));
    const { files, threads } = memory;
    const list: Files["list"] = (dir) => (dir === "knowledge" ? refused() : files.list(dir));
    const some: Files = {
      id: files.id,
      list,
      names: (dir) => files.names(dir),
      read: (path, range) => files.read(path, range),
      append: (path, bytes) => files.append(path, bytes),
      commit: (changes) => files.commit(changes),
    };
    const hindered = another(memory, { files: some, threadReader: openThreadReader({ ...threads, heads: refused }) });
    expect(await ask(hindered, "zebra")).toEqual({ ...before, warnings: ["not_listed", "not_listed"] });
  });

  test("a file that changed since it was listed is checked once more, however old it was", () => {
    const source = { stamp: "1", changedAt: 0 };
    expect(rememberedStamp(source, "1", 1e9)).toBe("1");
    expect(rememberedStamp(source, "2", 1e9)).not.toBe("2");
  });

  test("a thread restored from a copy that continues differently is indexed again", async () => {
    const { memory } = project({});
    const folder = join(memory.dir, ".heartwood", "threads");
    await memory.threads.append({ thread_id: "t", frames: [createdDraft(), messageDraft(1, "hello")] });
    await memory.threads.close();
    cpSync(folder, `${folder}-copy`, { recursive: true });
    await memory.threads.append({ thread_id: "t", frames: [messageDraft(2, "the zebra")] });
    expect((await ask(memory, "zebra")).found).toHaveLength(1);
    await memory.threads.close();
    rmSync(folder, { recursive: true });
    cpSync(`${folder}-copy`, folder, { recursive: true });
    await memory.threads.append({ thread_id: "t", frames: [messageDraft(3, "a quagga")] });
    expect(await ask(another(memory), "zebra")).toMatchObject({ found: [], missing: 0 });
    expect((await ask(memory, "quagga")).found).toHaveLength(1);
  });

  test("a shortened note is indexed as the whole log, before and after it is restored", async () => {
    const text = `# 2026-03-10\n\n## A\n${"- an okapi\n".repeat(40)}\n## B\n- the zebra\n\n## C\n${"- an okapi\n".repeat(40)}`;
    const tree = project({ [log]: text });
    const { memory } = tree;
    const before = await ask(memory, "zebra");
    expect(before.found).toHaveLength(1);
    await shorten(tree, log, { kind: "rotated" });
    expect(tree.read(log)).not.toContain("zebra");
    expect(await ask(another(memory), "zebra")).toEqual(before);
    expect(await runIndex(memory, {}, {})).toMatchObject({ indexed: 0, not_indexed: 0 });
    tree.write(log, text);
    expect(await ask(another(memory), "zebra")).toEqual(before);
  });
});
