import fc from "fast-check";
import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { openStory, someBytes, someStory, storyLog as log } from "../../../test/fixtures/note-stories.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { bytesAt, cutOf, shorten, type Shortening } from "../../../test/fixtures/shortened-notes.ts";
import { keptLinesOf } from "./trace-places.ts";
import { withLogicalLogs } from "../memory.ts";

const linesOf = (bytes: Uint8Array): readonly string[] =>
  (
    Buffer.from(bytes)
      .toString("latin1")
      .match(/[^\n]*\n|[^\n]+$/gu) ?? []
  ).map((line) => line.replace(/\r?\n$/u, ""));

it("every line of a shortened log is at its reported place, in a part or in the note", async () => {
  let inParts = 0;
  const holds = async (made: readonly Shortening[], note: Buffer): Promise<void> => {
    const tree = openStory(made, note);
    const { files } = await withLogicalLogs(tree.memory);
    const keptIn = await keptLinesOf(files, log);
    for (const [index, text] of linesOf((await files.read(log))?.bytes ?? new Uint8Array(0)).entries()) {
      const kept = keptIn([index + 1, index + 1]) ?? { path: log, lines: [index + 1, index + 1] };
      if (kept.path !== log) inParts += 1;
      const own = linesOf(await bytesAt(tree, kept.path))[kept.lines[0] - 1];
      // Cuts within a line, and appending to an unterminated line, leave part of the line in the file.
      expect((own ?? "").endsWith(text), JSON.stringify([index + 1, text, kept, own])).toBe(true);
    }
  };
  await fc.assert(
    fc.asyncProperty(someStory, fc.option(someBytes), ({ made, note }, edited) => holds(made, edited ?? note)),
    { numRuns: 200 },
  );
  expect(inParts).toBeGreaterThan(100);
});

it("lines before the first cut keep their line numbers, those of a rotated log do not", async () => {
  const text = "# T\n- one\n- two\n- three\n";
  const keptAfter = async (change: "cut" | "rotated") => {
    const tree = openTestMemory({ files: { [log]: text } });
    await shorten(tree, log, change === "cut" ? await cutOf(tree, log, "- two\n") : { kind: "rotated" });
    tree.write(log, Buffer.concat([await bytesAt(tree, log), Buffer.from("- four\n- five\n")]));
    const { files } = await withLogicalLogs(tree.memory);
    const keptIn = await keptLinesOf(files, log);
    return [keptIn([1, 2]), keptIn([2, 3]), keptIn([4, 4]), keptIn([4, 5]), keptIn([5, 6])];
  };
  const part = "memory/archive/2026-03-10.full.md";
  expect(await keptAfter("cut")).toEqual([
    null,
    { path: part, lines: [2, 3] },
    { path: part, lines: [4, 4] },
    { path: part, lines: [4, 4] },
    { path: log, lines: [4, 5] },
  ]);
  expect(await keptAfter("rotated")).toEqual([
    { path: part, lines: [1, 2] },
    { path: part, lines: [2, 3] },
    { path: part, lines: [4, 4] },
    { path: part, lines: [4, 4] },
    { path: log, lines: [13, 14] },
  ]);
});
