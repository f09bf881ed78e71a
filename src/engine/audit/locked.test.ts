import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Memory } from "../memory.ts";
import { withLocks } from "./locked.ts";

/** What a compaction that is under way is about to rename. */
const temporary = "memory/daily/.hw-0123456789abcdef0001.tmp";

describe("the locks of an audit", () => {
  it("leave the temporary files of a run that holds the tree alone", async () => {
    const test = openTestMemory({ files: { [temporary]: "half a node" } });
    const { locks } = test.memory;
    const held: string[] = [];
    const acquire: Memory["locks"]["acquire"] = async (name, options) => {
      held.push(name);
      if (name === "tree") throw new MemoryError("busy", "A compaction is under way.");
      return locks.acquire(name, options);
    };
    const memory: Memory = { ...test.memory, locks: { ...locks, acquire } };
    await expect(withLocks(memory, { holder: "audit" }, async () => "done")).rejects.toMatchObject({ code: "busy" });
    expect(held).toEqual(["tree"]);
    expect(test.read(temporary)).toBe("half a node");
  });

  it("remove those of interrupted runs before the work", async () => {
    const test = openTestMemory({ files: { [temporary]: "half a node" } });
    const seen = await withLocks(test.memory, { holder: "audit" }, async () => test.read(temporary));
    expect(seen).toBeUndefined();
  });
});
