import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "../../src/base/calendar.ts";
import { runCompact } from "../../src/tree/run/compact.ts";
import { loadTree } from "../../src/tree/run/load.ts";
import { readTrace } from "../../src/tree/inspect/trace.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { planTree } from "../../src/tree/plan/plan.ts";
import { openTestMemory, type TestMemory, type TestMemoryOptions } from "../fixtures/memory.ts";
import { type Event, events, firstDay, happen } from "../fixtures/random-trees.ts";

const runs = Number(process.env["HEARTWOOD_LAW_RUNS"] ?? 40);
const settings = { numRuns: runs, seed: 20_260_315 };
const lastDay = addDays(firstDay, 45);

/** The files of the tree: everything under memory/ except the counts for the gate. */
function treeOf(tree: TestMemory): ReadonlyMap<string, string> {
  const paths = tree.list().filter((path) => path.startsWith("memory/") && !path.endsWith("state.json"));
  return new Map(paths.map((path) => [path, tree.read(path) ?? ""]));
}

function derivedOf(tree: TestMemory): ReadonlyMap<string, string> {
  return new Map([...treeOf(tree)].filter(([path]) => /^memory\/(?:daily|weekly|monthly)\/|^memory\/ROOT/u.test(path)));
}

function fixedOf(tree: TestMemory): ReadonlyMap<string, string> {
  return new Map([...derivedOf(tree)].filter(([, text]) => text.split("\n")[2] === "status: fixed"));
}

async function compact(tree: TestMemory, cycles?: number): Promise<number> {
  const result = await runCompact(tree.memory, cycles === undefined ? {} : { cycles }, {});
  return result.written.length;
}

async function compactInCycles(tree: TestMemory): Promise<void> {
  for (let cycle = 0; (await compact(tree, 1)) > 0; cycle++)
    if (cycle > 500) throw new Error("the cycles do not come to an end");
}

async function errorsOf(tree: TestMemory): Promise<readonly string[]> {
  const { findings } = await runVerify(tree.memory, {});
  return findings
    .filter(({ severity }) => severity === "error")
    .map(({ code, path, message }) => `${code} ${path} ${message}`);
}

/** A memory in which all these events have happened, not compacted. */
function open(happened: readonly Event[], options: TestMemoryOptions = {}): TestMemory {
  const tree = openTestMemory({ today: lastDay, ...options });
  for (const event of happened) happen(tree, event);
  return tree;
}

describe("laws of the tree", () => {
  it("after a run, nothing is planned, another run writes nothing, and verify finds no error", async () => {
    await fc.assert(
      fc.asyncProperty(events(45), fc.nat({ max: 80 }), async (happened, later) => {
        const tree = open(happened, { today: addDays(firstDay, later) });
        await compact(tree);
        const before = treeOf(tree);
        const { state } = await loadTree(tree.memory, { cache: "ignored" });
        expect(planTree(state)).toEqual([]);
        expect(await compact(tree)).toBe(0);
        expect(treeOf(tree)).toEqual(before);
        expect(await errorsOf(tree)).toEqual([]);
      }),
      settings,
    );
  });

  it("the same raw bytes on the same day give the same tree, in one run or in any number of limited ones", async () => {
    await fc.assert(
      fc.asyncProperty(events(45), async (happened) => {
        const [whole, parts] = [open(happened), open(happened)];
        await compact(whole);
        await compactInCycles(parts);
        expect(treeOf(parts)).toEqual(treeOf(whole));
      }),
      settings,
    );
  });

  it("extra runs between new entries on the same day do not change the result, as long as nothing is fixed yet", async () => {
    await fc.assert(
      fc.asyncProperty(events(0), fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), async (happened, between) => {
        const [once, often] = [open(happened, { today: firstDay }), openTestMemory({ today: firstDay })];
        await compact(once);
        for (const [index, event] of happened.entries()) {
          happen(often, event);
          if (between[index] === true) await compact(often, index % 2 === 0 ? 1 : undefined);
        }
        await compact(often);
        expect(treeOf(often)).toEqual(treeOf(once));
      }),
      settings,
    );
  });

  it("the bytes do not depend on folder and time zone", async () => {
    await fc.assert(
      fc.asyncProperty(events(45), async (happened) => {
        const trees = [
          open(happened),
          open(happened, { zone: "Pacific/Kiritimati" }),
          open(happened, { zone: "America/St_Johns", disk: "folder" }),
        ];
        for (const tree of trees) await compact(tree);
        for (const tree of trees.slice(1)) expect(treeOf(tree)).toEqual(treeOf(trees[0] as TestMemory));
      }),
      { ...settings, numRuns: Math.ceil(runs / 3) },
    );
  });

  it("late data reaches ROOT's months through every level, and no fixed file changes", async () => {
    const days = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 20 }), happened: events(45) }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(days, async (visits) => {
        const tree = openTestMemory({ today: firstDay });
        let day = 0;
        for (const [visit, { gap, happened }] of visits.entries()) {
          day += gap;
          tree.setToday(addDays(firstDay, day));
          // No text comes back elsewhere after an edit: that moves it within its node.
          for (const [index, event] of happened.entries())
            happen(tree, event.kind === "edit" ? event : { ...event, text: `${event.text}- said ${visit}.${index}\n` });
          const marker = `Marker ${visit} of the walk`;
          happen(tree, {
            kind: "append",
            day: happened[0]?.day ?? 0,
            text: `\n## ${marker} [user]\n- seen on visit ${visit}\n`,
          });
          const fixed = fixedOf(tree);
          await compact(tree);
          for (const [path, text] of fixed) expect(tree.read(path), path).toBe(text);
          const months = [...derivedOf(tree)].filter(([path]) => path.startsWith("memory/monthly/"));
          expect(
            months.some(([, text]) => text.includes(marker)),
            marker,
          ).toBe(true);
          expect(tree.read("memory/ROOT.md")).toContain(marker);
          const { raw } = await readTrace(tree.memory, { text: `${marker} [user` });
          expect(raw.map(({ text }) => text).join("\n")).toContain(`seen on visit ${visit}`);
          expect(await errorsOf(tree)).toEqual([]);
          expect(await compact(tree)).toBe(0);
        }
      }),
      settings,
    );
  });

  it(".heartwood is disposable: without it the next run writes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(events(45), async (happened) => {
        const tree = open(happened);
        await compact(tree);
        const before = treeOf(tree);
        for (const path of tree.list().filter((file) => file.startsWith(".heartwood/"))) tree.remove(path);
        expect(await compact(tree)).toBe(0);
        expect(treeOf(tree)).toEqual(before);
      }),
      settings,
    );
  });

  it("nodes are disposable: without them, ROOT.md and the records, a run makes the same as a first build", async () => {
    await fc.assert(
      fc.asyncProperty(events(30), events(45), async (early, late) => {
        const tree = open(early, { today: addDays(firstDay, 20) });
        await compact(tree);
        for (const event of late) happen(tree, event);
        tree.setToday(lastDay);
        await compact(tree);
        for (const path of derivedOf(tree).keys()) tree.remove(path);
        for (const path of tree.list()) if (path.startsWith("memory/records/")) tree.remove(path);
        await compact(tree);
        const fresh = open([...early, ...late]);
        await compact(fresh);
        expect(derivedOf(tree)).toEqual(derivedOf(fresh));
      }),
      settings,
    );
  });
});
