import { expect, it } from "vitest";
import { runCompact } from "../../src/tree/run/compact.ts";
import { runDoctor } from "../../src/operations/doctor.ts";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { readRoot } from "../../src/tree/root-run/root.ts";
import { readStatus } from "../../src/operations/status.ts";
import { readTrace } from "../../src/tree/inspect/trace.ts";
import { readNode, readTree } from "../../src/tree/inspect/tree-view.ts";
import { runUndo } from "../../src/operations/undo.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { createNodeFiles } from "../../src/platform/node-files/node-files.ts";
import { openTestMemory } from "../fixtures/memory.ts";

/** No command reads a whole log into memory, so memory stays below 300 MB at any size (measured by `bench/tree.mjs`). */
const log = "memory/2026-03-01.md";
const most = 1024 * 1024;

interface Large {
  readonly tree: ReturnType<typeof openTestMemory>;
  /** The largest piece of a log that was read since the last call. */
  largestRead(): number;
  /** How often large work was announced since the last call. */
  announced(): number;
}

/** 10 MB, with one line of 3 MB. */
function openLarge(): Large {
  const part = (name: string): string =>
    `## ${name} [project]\n${"- decisions: a token bucket passes bursts\n".repeat(40_000)}`;
  const text = `${part("Limits")}## Long [project]\n- quokka fact\n- ${"word ".repeat(600_000)}\n${part("Login")}${part("Search")}${part("Mail")}`;
  const folder = openTestMemory({ disk: "folder", today: "2026-03-20", files: { [log]: text } });
  const plain = createNodeFiles({ root: folder.memory.dir });
  let largest = 0;
  let calls = 0;
  const files = {
    ...plain,
    read: async (...given: Parameters<typeof plain.read>) => {
      const read = await plain.read(...given);
      if (given[0] === log) largest = Math.max(largest, read?.bytes.length ?? 0);
      return read;
    },
  };
  const taken = (value: number, reset: () => void): number => {
    reset();
    return value;
  };
  const memory = { ...folder.memory, files, onWork: () => void (calls += 1) };
  return {
    tree: { ...folder, memory },
    largestRead: () => taken(largest, () => (largest = 0)),
    announced: () => taken(calls, () => (calls = 0)),
  };
}

it("no command reads more than 1 MiB of a log at a time, and large work is announced first", async () => {
  const { tree, largestRead, announced } = openLarge();
  const { memory } = tree;
  const forget = (): void => tree.remove(".heartwood/cache/tree.json");
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["compact", () => runCompact(memory, {}, {})],
    ["doctor", () => runDoctor(memory, {})],
    [
      "log add to a past day",
      () => appendEntry(memory, { topic: "Late", body: "- wombat", date: "2026-03-01", id: "a" }),
    ],
    [
      "log add of what is there",
      () => appendEntry(memory, { topic: "Late", body: "- x", date: "2026-03-01", id: "a" }),
    ],
    ["status with late data", () => readStatus(memory)],
    ["compact of an addendum", () => runCompact(memory, {}, {})],
    ["verify", () => runVerify(memory, {})],
    ["status without a cache", async () => (forget(), readStatus(memory))],
    ["trace", () => readTrace(memory, { text: "quokka" })],
    ["root", () => readRoot(memory, {})],
    ["tree", () => readTree(memory)],
    ["show", () => readNode(memory, { period: "2026-03-01" })],
    ["reopen", () => runCompact(memory, { reopen: "2026-03-01" }, {})],
    ["undo", () => runUndo(memory)],
  ];
  const sizes: string[] = [];
  for (const [name, step] of steps) {
    await step();
    const largest = largestRead();
    if (largest > most) sizes.push(`${name}: ${largest}`);
    const isSilent = announced() === 0 && largest === most;
    if (isSilent && !name.startsWith("log add")) sizes.push(`${name}: nothing announced`);
  }
  expect(sizes).toEqual([]);
});

it("trace and log add report the right lines of a large log", async () => {
  const { tree } = openLarge();
  await runCompact(tree.memory, {}, {});
  const { raw } = await readTrace(tree.memory, { text: "quokka" });
  expect(raw.map(({ path, lines, state }) => [path, lines, state])).toEqual([[log, [40_002, 40_004], "found"]]);
  expect(raw[0]?.text.slice(0, 40)).toBe("## Long [project]\n- quokka fact\n- word w");
  const lines = tree.read(log)?.split("\n").length ?? 0;
  const added = await appendEntry(tree.memory, { topic: "Late", body: "- wombat", date: "2026-03-01", id: "a" });
  expect([added.lines, added.action]).toEqual([[lines + 1, lines + 3], "added"]);
  const again = await appendEntry(tree.memory, { topic: "Late", body: "- wombat", date: "2026-03-01", id: "a" });
  expect([again.lines, again.action]).toEqual([[lines + 1, lines + 3], "duplicate"]);
});
