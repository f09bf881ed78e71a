import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { MemoryError } from "../../base/errors.ts";
import type { LockName, Locks } from "../../platform/locks.ts";
import { auditOf } from "../../../test/fixtures/bound-operations.ts";

const line = "- The deploy server is called frost and lives in the north rack";
const facts = `# Facts\n\n${line}\n- Never restart the billing queue before the export\n`;
const leftover = "memory/.hw-0123456789abcdef01230001.tmp";

/** A folder with work to do and a temporary file, and locks that record what is there when they are acquired. */
function open(taken?: LockName): { readonly test: TestMemory; readonly events: string[] } {
  const events: string[] = [];
  const locks: Locks = {
    id: "told-locks",
    acquire: async (name) => {
      events.push(`${name} ${test.read(leftover) === undefined ? "clean" : "litter"}`);
      if (name === taken) throw new MemoryError("busy", "Somebody else has it.");
      return { release: async () => void events.push(`${name} free`) };
    },
  };
  const files = { "MEMORY.md": facts, "memory/2026-03-01.md": facts, [leftover]: "half a note" };
  const test = openTestMemory({ files, disk: "folder", with: { locks } });
  return { test, events };
}

describe("the locks of an audit", () => {
  it("are taken in the order of a compaction, and temporary files are removed only with the `tree` lock", async () => {
    const { test, events } = open();
    await auditOf(test.memory).run({ apply: true });
    expect(events).toEqual(["tree litter", "append litter", "append free", "append clean", "append free", "tree free"]);
  });

  it("leave the temporary files of a running process alone, and change nothing", async () => {
    const { test } = open("tree");
    await expect(auditOf(test.memory).run({ apply: true })).rejects.toMatchObject({ code: "busy" });
    expect(test.read(leftover)).toBe("half a note");
    expect(test.read("memory/2026-03-01.md")).toBe(facts);
  });

  it("are released if the second one is busy", async () => {
    const { test, events } = open("append");
    await expect(auditOf(test.memory).run({ apply: true })).rejects.toMatchObject({ code: "busy" });
    expect(events.at(-1)).toBe("tree free");
  });

  it("are not waited for after a call was aborted", async () => {
    const { test, events } = open();
    const stopped = auditOf(test.memory).run({ apply: true }, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
    expect(events).toEqual([]);
  });
});
