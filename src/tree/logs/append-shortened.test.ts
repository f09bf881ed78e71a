import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openStory, someBytes, someStory, storyLog as log } from "../../../test/fixtures/note-stories.ts";
import { bytesAt, shorten } from "../../../test/fixtures/shortened-notes.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { appendEntry } from "./log-add.ts";
import { withLogicalLogs } from "../memory.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const entry = { topic: "Ledger", body: "- opened\n\n- a\n- closed", date: "2026-03-10", id: "ledger-1" };

it("an entry is appended to a shortened note once and whole, and the reported lines are those of the whole log", async () => {
  await fc.assert(
    fc.asyncProperty(someStory, fc.option(someBytes), async ({ made, note }, edited) => {
      const before = edited ?? note;
      const tree = openStory(made, before);
      const added = await appendEntry(tree.memory, entry);
      expect(added.action).toBe("added");
      const now = await bytesAt(tree, log);
      expect(now.subarray(0, before.length).equals(before)).toBe(true);
      expect(now.subarray(before.length).toString("utf8")).toMatch(
        /(?:^|\n)## Ledger \[project\]\r?\n<!-- hw .*- closed\r?\n$/su,
      );
      const { files } = await withLogicalLogs(tree.memory);
      const lines = Buffer.from((await files.read(log))?.bytes ?? [])
        .toString("latin1")
        .split(/\r?\n/u);
      const [from, to] = added.lines;
      expect([lines[from - 1], lines[to - 1], lines[to]]).toEqual(["## Ledger [project]", "- closed", ""]);
      const again = await appendEntry(tree.memory, entry);
      expect([again.action, again.lines]).toEqual(["duplicate", added.lines]);
      expect((await bytesAt(tree, log)).equals(now)).toBe(true);
    }),
    { numRuns: lawRuns(150) },
  );
});

it("a missing part does not prevent logging, and the result says what was not searched", async () => {
  const tree = openTestMemory({ files: { [log]: "# 2026-03-10\n\n## A\n- one\n" } });
  const { step } = await shorten(tree, log, { kind: "rotated" });
  tree.remove(step.part);
  const added = await appendEntry(tree.memory, entry);
  expect([added.action, added.warnings.map(({ code, path }) => [code, path])]).toEqual([
    "added",
    [["archive_damaged", log]],
  ]);
  expect(added.warnings[0]?.message).toContain(step.part);
  expect(tree.read(log)?.split("\n")[added.lines[0] - 1]).toBe("## Ledger [project]");
});
