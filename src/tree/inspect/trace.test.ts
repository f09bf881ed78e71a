import { expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { sha256 } from "../../base/digest.ts";
import { runCompact } from "../run/compact.ts";
import { readTrace } from "./trace.ts";
import { runVerify } from "./verify.ts";

const log = "memory/2026-03-18.md";
const section = "## A [project]\n- quokka fact\n";

async function compacted(text: string): Promise<TestMemory> {
  const tree = openTestMemory({ today: "2026-03-20", files: { [log]: text } });
  await runCompact(tree.memory, {}, {});
  return tree;
}

async function traced(tree: TestMemory): Promise<readonly unknown[]> {
  const { raw } = await readTrace(tree.memory, { text: "A [project" });
  return raw.map(({ path, lines, state, sha256: digest, text }) => [path, lines, state, digest, text]);
}

it("a sentence of ROOT.md links to its own line, and its topic to the whole section", async () => {
  const tree = await compacted(`# 2026-03-18\n\n${section}`);
  const { raw } = await readTrace(tree.memory, { text: "quokka" });
  expect(raw.map(({ lines, text }) => [lines, text])).toEqual([[[4, 4], "- quokka fact\n"]]);
  const { raw: whole } = await readTrace(tree.memory, { text: "A [project" });
  expect(whole.map(({ lines }) => lines)).toEqual([[3, 4]]);
});

function standing(path: string, lines: readonly [number, number], state: "found" | "moved"): readonly unknown[] {
  return [path, lines, state, sha256(section), section];
}

it("lines of a renamed log are found in the other log of the day", async () => {
  const tree = await compacted(`# 2026-03-18\n\n${section}`);
  tree.write("memory/2026-03-18-old.md", tree.read(log) ?? "");
  tree.remove(log);
  expect(await traced(tree)).toEqual([standing("memory/2026-03-18-old.md", [3, 4], "moved")]);
  const { findings } = await runVerify(tree.memory, {});
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
});

it("lines that moved down are found, even if something was appended after them", async () => {
  const tree = await compacted(`# 2026-03-18\n\n${section}`);
  tree.write(log, `## New top\n- z\n# 2026-03-18\n\n${section}`);
  expect(await traced(tree)).toEqual([standing(log, [5, 6], "moved")]);
  tree.write(log, `## New top\n- z\n# 2026-03-18\n\n${section}\n## B [project]\n- more\n`);
  expect(await traced(tree)).toEqual([standing(log, [5, 6], "moved")]);
  const { findings } = await runVerify(tree.memory, {});
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
});

it("each of several identical sections is found at its own place", async () => {
  const other = "## B [project]\n- wombat\n";
  const tree = await compacted(`${other}${section}${other}${section}`);
  tree.write(log, `## New top\n- z\n${other}${section}${other}${section}`);
  const { raw } = await readTrace(tree.memory, { text: "A [project" });
  expect(raw.map(({ lines, state }) => [lines, state])).toEqual([
    [[5, 6], "moved"],
    [[9, 10], "moved"],
  ]);
});

it("lines that no longer exist have neither a digest nor a text", async () => {
  const tree = await compacted(`# 2026-03-18\n\n${section}`);
  tree.write(log, "## New top\n- z\n# 2026-03-18\n\n## A [project]\n- another fact\n");
  expect(await traced(tree)).toEqual([[log, [3, 4], "changed", "", ""]]);
  tree.write("memory/2026-03-18-old.md", "## C\n- else\n");
  tree.remove(log);
  expect(await traced(tree)).toEqual([[log, [3, 4], "missing", "", ""]]);
});

it("editing another section or appending changes nothing for these lines", async () => {
  const tree = await compacted(`## B [project]\n- wombat\n${section}`);
  tree.write(log, `## B [project]\n- koalas\n${section}`);
  expect(await traced(tree)).toEqual([standing(log, [3, 4], "found")]);
  tree.write(log, `## B [project]\n- wombat\n${section}- more\n`);
  expect(await traced(tree)).toEqual([standing(log, [3, 4], "found")]);
});

it("once an addendum contains a renamed log, its lines are listed once", async () => {
  const tree = await compacted(`# 2026-03-18\n\n${section}`);
  tree.write("memory/2026-03-18-old.md", tree.read(log) ?? "");
  tree.remove(log);
  await runCompact(tree.memory, {}, {});
  expect(await traced(tree)).toEqual([standing("memory/2026-03-18-old.md", [3, 4], "found")]);
});

it("lines of a log whose sections are recorded in groups are found in their group", async () => {
  const many = (from: number): string =>
    Array.from({ length: 1500 }, (_, at) => `## Topic ${at + from} [project]\n- fact ${at + from}\n`).join("");
  const tree = await compacted(`${many(0)}## Rare [user]\n- quokka fact\n${many(2000)}`);
  expect(tree.read("memory/daily/2026-03-18.md")).toContain("grouping: ");
  tree.write(log, `## New top\n- z\n${tree.read(log)}`);
  const { raw } = await readTrace(tree.memory, { text: "quokka" });
  expect(raw.map(({ lines, state, text }) => [lines, state, text])).toEqual([
    [[3003, 3004], "moved", "## Rare [user]\n- quokka fact\n"],
  ]);
});
