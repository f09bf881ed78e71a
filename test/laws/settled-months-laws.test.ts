import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "../../src/base/calendar.ts";
import { readTree } from "../../src/tree/inspect/tree-view.ts";
import { lateSourcesOf, logWarnings } from "../../src/tree/plan/late-sources.ts";
import { planTree } from "../../src/tree/plan/plan.ts";
import { runCompact } from "../../src/tree/run/compact.ts";
import { loadTree, type LoadedTree } from "../../src/tree/run/load.ts";
import { lawRuns } from "../fixtures/law-runs.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const settings = { numRuns: lawRuns(60), seed: 20_261_127 };
const firstDay = "2025-10-06";
const today = "2026-03-15";

/** What happens to a memory: to which of its files, and how. */
const steps = fc.array(
  fc.record({
    act: fc.constantFrom(
      "append",
      "append today",
      "edit",
      "remove log",
      "new log",
      "edit node",
      "remove node",
      "remove records",
      "beside",
      "next day",
      "reopen",
      "compact",
      "compact",
    ),
    which: fc.nat({ max: 1000 }),
  }),
  { minLength: 1, maxLength: 8 },
);

describe("a settled month, of which most of the cache is not parsed", () => {
  it("is as if all of it was, whatever happens to the memory", async () => {
    let settled = 0;
    let opened = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const test = await oldMemory();
        for (const step of all) {
          const known = (await loadTree(test.memory, { cache: "used" })).cacheable.months.size;
          await take(test, step);
          const used = await loadTree(test.memory, { cache: "used" });
          expect(seen(used)).toEqual(seen(await loadTree(test.memory, { cache: "used", months: "opened" })));
          settled += used.cacheable.months.size;
          if (used.cacheable.months.size < known) opened += 1;
        }
      }),
      settings,
    );
    expect([settled > 0, opened > 0]).toEqual([true, true]);
  });
});

const cachePath = ".heartwood/cache/tree.json";

describe("a cache that was torn, or is of another time", () => {
  it.each(["rows that are parsed at once", "rows that are parsed when needed", "the end"])(
    "without %s, is no cache: nothing is leaked, refused or missed",
    async (missing) => {
      const secret = "Xk9#mQ2vLp7wQuokka77x";
      const test = await oldMemory(`- password: ${secret}\n`);
      const text = test.read(cachePath) ?? "";
      const cut = text.indexOf("\n\n") + 2;
      const zeros = (part: string): string => "\0".repeat(part.length);
      const [head, rest] = [text.slice(0, cut), text.slice(cut)];
      const torn = {
        "rows that are parsed at once": head.replaceAll(/\{"logs".*$/gmu, zeros) + rest,
        "rows that are parsed when needed": head + zeros(rest),
        "the end": text.slice(0, -100),
      }[missing];
      test.write(cachePath, torn ?? "");
      test.write(`memory/${today}.md`, `${log(today, 0)}- the words ${secret} are said again\n`);
      const used = await loadTree(test.memory, { cache: "used" });
      expect(used.cacheable.months.size).toBe(0);
      await runCompact(test.memory, {}, {});
      const derived = test.list().filter((path) => /^memory\/(?:daily|weekly|monthly|ROOT)/u.test(path));
      expect(derived.filter((path) => (test.read(path) ?? "").includes("Quokka77x"))).toEqual([]);
      expect((await readTree(test.memory)).months.length).toBeGreaterThan(4);
    },
  );

  it("stays in use after a run that recorded something late", async () => {
    const test = await oldMemory();
    const size = async (): Promise<number> => (await loadTree(test.memory, { cache: "used" })).cacheable.months.size;
    const before = await size();
    test.write(`memory/${firstDay}.md`, `${test.read(`memory/${firstDay}.md`) ?? ""}\n## More\n- later\n`);
    await runCompact(test.memory, {}, {});
    pass(test);
    expect([before > 2, test.list().includes("memory/records/changes.jsonl")]).toEqual([true, true]);
    expect(await size()).toBe(before - 1);
  });

  it("settles no month by records that arrived while it was being written", async () => {
    const test = await oldMemory();
    const path = "memory/records/fixed-2025-11.jsonl";
    const other = (test.read(path) ?? "").replaceAll('"version":1', '"version":2').replaceAll(/ \S+(?="\])/gu, "");
    test.remove(cachePath);
    test.write(`memory/${today}.md`, log(today, 1));
    const { files } = test.memory;
    let arrived = false;
    const commit: typeof files.commit = async (changes) => {
      if (!arrived && changes.some((change) => change.path.startsWith("memory/daily/"))) {
        arrived = true;
        test.write(path, other);
        pass(test);
      }
      return files.commit(changes);
    };
    await runCompact({ ...test.memory, files: { ...files, commit } }, {}, {});
    pass(test);
    expect(arrived).toBe(true);
    const used = await loadTree(test.memory, { cache: "used" });
    expect(planTree(used.state)).toEqual(planTree((await loadTree(test.memory, { cache: "ignored" })).state));
  });
});

/** Files that changed just before a cache was written are read again. */
function pass(test: TestMemory): void {
  for (let at = 0; at < 30; at++) test.write("knowledge/x.md", `${at}`);
}

async function oldMemory(said = ""): Promise<TestMemory> {
  const days = Array.from({ length: 22 }, (_, at) => addDays(firstDay, at * 7 + (at % 3)));
  const test = openTestMemory({
    today,
    files: Object.fromEntries(days.map((day, at) => [`memory/${day}.md`, log(day, at) + (at === 3 ? said : "")])),
  });
  await runCompact(test.memory, {}, {});
  pass(test);
  test.write(`memory/${today}.md`, log(today, 0));
  await runCompact(test.memory, {}, {});
  pass(test);
  return test;
}

function log(day: string, at: number): string {
  return `# ${day}\n\n## Topic ${at} [${at % 4 === 0 ? "user" : "project"}]\n- decisions: number ${at}\n- note of ${day}\n`;
}

async function take(test: TestMemory, { act, which }: { readonly act: string; readonly which: number }): Promise<void> {
  const pick = (pattern: RegExp): string => {
    const paths = test.list().filter((path) => pattern.test(path));
    return paths[which % Math.max(1, paths.length)] ?? `memory/${firstDay}.md`;
  };
  const log = pick(/^memory\/[^/]+\.md$/u);
  const node = pick(/^memory\/(?:daily|weekly|monthly)\//u);
  const now = test.memory.clock.today();
  if (act === "append") test.write(log, `${test.read(log) ?? ""}\n## More ${which}\n- later\n`);
  if (act === "append today") test.write(`memory/${now}.md`, `${test.read(`memory/${now}.md`) ?? ""}- ${which}\n`);
  if (act === "edit") test.write(log, (test.read(log) ?? "").replace("number", "figure"));
  if (act === "remove log" && test.read(log) !== undefined) test.remove(log);
  if (act === "new log") test.write(`memory/${addDays(firstDay, which % 150)}-b.md`, `## New ${which}\n- said\n`);
  if (act === "edit node") test.write(node, `${test.read(node) ?? ""}\nedited by hand\n`);
  if (act === "remove node" && test.read(node) !== undefined) test.remove(node);
  const records = pick(/^memory\/records\//u);
  if (act === "remove records" && records.startsWith("memory/records/")) test.remove(records);
  if (act === "beside") test.write(`memory/${addDays(firstDay, which % 150)} (1).bak`, "not a log");
  if (act === "next day") test.setToday(addDays(now, 1 + (which % 9)));
  if (act === "reopen") await runCompact(test.memory, { reopen: "2025-10-01..2026-03-31" }, {}).catch(() => undefined);
  if (act === "compact") await runCompact(test.memory, {}, {});
}

/** What the tree says of itself. */
function seen(loaded: LoadedTree) {
  const { state, skipped, warnings } = loaded;
  return {
    steps: planTree(state),
    late: lateSourcesOf(state, new Set()),
    warnings: [...warnings, ...logWarnings(loaded)],
    skipped,
    nodes: state.nodes.all().map((node) => {
      const { name, status, reading, content, recorded, lines, bytes, madeBy, sources, topics } = node;
      const { since, redactedBy, answer } = node;
      const made = { madeBy, sources, topics, since, redactedBy, answer };
      return { name, status, reading, content, recorded, lines, bytes, ...made };
    }),
    logs: [...state.days.values()].flatMap(({ logs }) => logs.map(({ path, bytes, source }) => [path, bytes, source])),
  };
}
