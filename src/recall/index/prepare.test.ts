import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { nodeSqlite } from "../../platform/sqlite.ts";
import { createSqliteSearch } from "./sqlite-search.ts";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { MemoryError } from "../../base/errors.ts";
import type { LockOptions } from "../../platform/locks.ts";
import type { SearchIndex } from "./search-index.ts";
import { runIndex } from "./refresh.ts";
import { refreshIndex } from "../../summaries/run/compact.ts";
import { emptyIndex, prepareIndex, onStableIndex } from "./prepare.ts";
import type { Memory } from "../../operations/operation.ts";
import { chooseEmbedder } from "./embedding.ts";
import { indexRules } from "./sources.ts";

const opened: SearchIndex[] = [];
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

function project(files: Readonly<Record<string, string>>, more: Partial<Memory> = {}): TestMemory {
  const made = openTestMemory({ disk: "folder", files, with: more });
  opened.push(made.memory.searchIndex);
  return made;
}

/** The same index opened once more, as by another process. */
function otherIndex({ memory }: TestMemory): SearchIndex {
  const other = createSqliteSearch({ folder: join(memory.dir, ".heartwood", "search"), driver: nodeSqlite });
  opened.push(other);
  return other;
}

const patience = { ms: 5000 };

describe("a process that queries again immediately", () => {
  test("reports what is missing while another process indexes", async () => {
    const made = project({ "knowledge/a.md": "zebra" });
    let isBusy = true;
    const acquire = async () => {
      if (isBusy) throw new MemoryError("busy", "Another process is at it.");
      return { release: async () => {} };
    };
    const memory: Memory = { ...made.memory, locks: { id: "some-locks", acquire } };
    expect(await prepareIndex(memory, patience)).toMatchObject({ not_indexed: 1, warnings: [] });
    isBusy = false;
    expect((await prepareIndex(memory, patience)).not_indexed).toBe(0);
    made.write("knowledge/a.md", "okapi");
    isBusy = true;
    expect((await prepareIndex(memory, "whole")).not_indexed).toBe(1);
    isBusy = false;
    expect((await prepareIndex(memory, patience)).not_indexed).toBe(0);
  });

  test("indexes again immediately if another process has reset the index", async () => {
    const made = project({ "knowledge/a.md": "zebra" });
    expect((await prepareIndex(made.memory, patience)).not_indexed).toBe(0);
    await otherIndex(made).write(indexRules, [], { before: "anew" });
    const { index, not_indexed } = await prepareIndex(made.memory, patience);
    expect([not_indexed, (await index.frequencies(["zebra"])).counts]).toEqual([0, [1]]);
  });
});

describe("the lock", () => {
  test("is waited for only if the whole index is needed, not by a query, and is released", async () => {
    const asked: LockOptions[] = [];
    let released = 0;
    const acquire = async (_name: string, how: LockOptions) => {
      asked.push(how);
      return { release: async () => void (released += 1) };
    };
    const made = project({ "knowledge/a.md": "zebra" }, { locks: { id: "told-locks", acquire } });
    await prepareIndex(made.memory, patience);
    made.write("knowledge/a.md", "okapi");
    await prepareIndex(made.memory, "whole");
    const { signal } = new AbortController();
    await runIndex(made.memory, {}, { signal });
    expect(asked).toEqual([
      { holder: "search" },
      { holder: "search", waitMs: 30_000 },
      { holder: "index", waitMs: 30_000, signal },
    ]);
    expect(released).toBe(3);
  });
});

describe("an index of a newer version", () => {
  const newer = { ...emptyIndex, state: async () => ({ is: "newer", sources: [], bytes: 0 }) as const };

  test("is refused by `index`, even if there is nothing to index, and is ignored by a compaction", async () => {
    const { memory } = project({}, { searchIndex: newer });
    await expect(runIndex(memory, {}, {})).rejects.toMatchObject({ code: "newer_store" });
    mkdirSync(join(memory.dir, ".heartwood", "search"), { recursive: true });
    writeFileSync(join(memory.dir, ".heartwood", "search", "index.sqlite"), "newer");
    expect(await refreshIndex(memory, [])).toEqual([]);
  });
});

test("an embedder without an id is ignored", async () => {
  const open = () => Promise.reject(new Error("never opened"));
  const { memory } = project({}, { embedder: { id: "", open } });
  expect((await chooseEmbedder(memory)).embedder).toBe(undefined);
});

test("a query is repeated if another process wrote meanwhile, and ends even if that process never stops writing", async () => {
  const generations = ["1", "2", "2", "2"];
  let tries = 0;
  const once = { ...emptyIndex, generation: async () => generations.shift() ?? "" };
  expect(await onStableIndex(once, async () => ++tries)).toBe(2);
  let number = 0;
  tries = 0;
  const always = { ...emptyIndex, generation: async () => String(number++) };
  expect(await onStableIndex(always, async () => ++tries)).toBe(4);
});

describe("a prompt, which uses the index as it is", () => {
  const asItIs = { ms: 0, index: "as_it_is" } as const;
  const dayLog = (day: number): string => `memory/2026-03-${String(day).padStart(2, "0")}.md`;
  const days = Array.from({ length: 20 }, (_, at) => at + 1);
  const entry = "# Log\n\n- zebra\n";
  const twentyDays = async (): Promise<TestMemory> => {
    const logs = Object.fromEntries(days.map((day) => [dayLog(day), entry]));
    const made = project({ ...logs, "USER.md": "- okapi", "knowledge/a.md": "zebra" });
    await prepareIndex(made.memory, "whole");
    return made;
  };

  test("is told which of the newest logs have changed, and how many files in all", async () => {
    const made = await twentyDays();
    expect(await prepareIndex(made.memory, asItIs)).toMatchObject({ not_indexed: 0 });
    made.write(dayLog(20), `${entry}- okapi\n`);
    made.write(dayLog(21), entry);
    made.write("USER.md", "- zebra");
    made.write("knowledge/a.md", "okapi");
    const prepared = await prepareIndex(made.memory, asItIs);
    // After them come logs that were indexed in the moment in which they were written.
    expect([prepared.not_indexed, prepared.behind?.slice(0, 2)]).toEqual([4, [dayLog(21), dayLog(20)]]);
    expect((await prepared.index.frequencies(["okapi"])).counts).toEqual([1]);
  });

  test("does not look into older logs or list nodes, and leaves them in the index", async () => {
    const made = await twentyDays();
    made.write(dayLog(1), `${entry}- okapi\n`);
    const listed: string[] = [];
    const files = { ...made.memory.files, list: (dir: string) => (listed.push(dir), made.memory.files.list(dir)) };
    const { not_indexed } = await prepareIndex({ ...made.memory, files }, asItIs);
    expect([not_indexed, listed.filter((dir) => dir.startsWith("memory"))]).toEqual([0, []]);
  });

  test("gets nothing from a log that no longer exists", async () => {
    const made = await twentyDays();
    made.remove(dayLog(2));
    const { index } = await prepareIndex(made.memory, asItIs);
    expect((await index.frequencies(["zebra"])).counts).toEqual([20]);
  });
});
