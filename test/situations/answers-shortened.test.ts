import { expect, it } from "vitest";
import { readNodeFile } from "../../src/tree/run/tree-files.ts";
import { openSubjects } from "../../src/summaries/run/jobs.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { basisOf } from "../../src/tree/plan/status.ts";
import type { NodeName } from "../../src/tree/model/period.ts";
import { type TestMemory, openTestMemory } from "../fixtures/memory.ts";
import { recordAnswer } from "../fixtures/recorded-answers.ts";
import { shorten } from "../fixtures/shortened-notes.ts";
import { compact, expectSound, filesOf, longLog, rawFiles } from "./scenario.ts";

const day = "2026-03-10";
const log = `memory/${day}.md`;
const name: NodeName = { level: "daily", period: day, late: 0 };
const lines = [
  "## Topics",
  "- Glacier survey: parts, night (~03-10:20)",
  "",
  "## Notes",
  "- Glacier survey: moved (~03-10:30)",
];

function nodesOf(tree: TestMemory): ReadonlyMap<string, string> {
  return new Map([...filesOf(tree)].filter(([path]) => /^memory\/(?:daily|weekly|monthly|ROOT\.md)/u.test(path)));
}

async function openAnswered(): Promise<TestMemory> {
  const tree = openTestMemory({ files: rawFiles({ [day]: longLog(day, "Glacier survey", 240) }), today: day });
  await compact(tree, day);
  await recordAnswer(tree, name, { summary: lines });
  await compact(tree, "2026-03-15");
  return tree;
}

it("an answer about a note stays valid after the note is shortened, and the node can be rebuilt", async () => {
  const tree = await openAnswered();
  const before = nodesOf(tree);
  expect(before.get(`memory/daily/${day}.md`)).toContain("moved (~03-10:30)");
  await shorten(tree, log, { kind: "rotated" });
  expect((await compact(tree)).written).toEqual([]);
  await expectSound(tree);
  for (const path of before.keys()) tree.remove(path);
  await compact(tree);
  expect(nodesOf(tree)).toEqual(before);
  expect((await runVerify(tree.memory, {})).ok).toBe(true);
});

it("a request about a shortened note contains all its original lines", async () => {
  const tree = openTestMemory({ files: rawFiles({ [day]: longLog(day, "Glacier survey", 240) }), today: day });
  await compact(tree, day);
  const requestOf = async (): Promise<unknown> =>
    (await openSubjects(tree.memory).find("daily", day))?.request({ contextTokens: 32_768 }, {});
  const whole = await requestOf();
  await shorten(tree, log, { kind: "rotated" });
  expect(await requestOf()).toEqual(whole);
  const sources = (await readNodeFile(tree.memory.files, name))?.facts.sources ?? [];
  expect(whole).toMatchObject({ basis: basisOf(name, sources) });
});
