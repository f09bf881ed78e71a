import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { runCompact } from "./compact.ts";

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
