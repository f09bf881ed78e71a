import { describe, expect, it } from "vitest";
import { runIndex } from "../../src/recall/index/refresh.ts";
import { readRoot } from "../../src/tree/root-run/root.ts";
import { runSearch } from "../../src/recall/search/search.ts";
import { readTrace } from "../../src/tree/inspect/trace.ts";
import { readTree } from "../../src/tree/inspect/tree-view.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { compact, expectSound, filesOf, logOf, rootSection, textAt } from "../situations/scenario.ts";

/** A month as left by another tool, in hipocampus format and typed by hand. */
const forms: readonly (readonly [form: string, text: (month: string) => string])[] = [
  [
    "of hipocampus",
    (month) =>
      `---\ntype: monthly\nstatus: fixed\nperiod: ${month}\nsource-files: [memory/weekly/old.md]\ntopics: [billing migration]\n---\n## Key Themes\n- billing migration: moved to Postgres 16\n`,
  ],
  ["written by hand", () => "## Billing migration\n- moved to Postgres 16\n"],
];

async function treeWith(month: string, text: string): Promise<TestMemory> {
  const files = {
    [`memory/monthly/${month}.md`]: text,
    "memory/2026-04-08.md": logOf("2026-04-08", ["Auth [project]", "- sessions moved"]),
  };
  const tree = openTestMemory({ files, today: "2026-04-20", disk: "folder" });
  await compact(tree);
  return tree;
}

/** January's weeks end on 1 February, March's on the 29th, and those of December 2025 on the 28th. */
const months = ["2025-12", "2026-01", "2026-02", "2026-03"];

describe.each(forms)("a monthly node %s, without its sources", (_, text) => {
  it.each(months)("belongs to its month in ROOT.md: %s", async (month) => {
    const tree = await treeWith(month, text(month));
    expect(rootSection(tree, "Historical Summary").join("\n")).toMatch(
      new RegExp(`^- ${month}: .*illing migration`, "u"),
    );
    const root = await readRoot(tree.memory, {});
    const sources = ("lines" in root ? root.lines : [])
      .filter((line) => line.text.includes("illing migration"))
      .flatMap((line) => line.sources.map(({ path }) => path));
    expect(sources.length).toBeGreaterThan(0);
    for (const path of sources) expect(path).toMatch(new RegExp(`^memory/${month}-\\d\\d\\.md$`, "u"));
    await expectSound(tree);
  });

  it.each(months)("belongs to its month in trace, tree and search, and is not changed: %s", async (month) => {
    const tree = await treeWith(month, text(month));
    const path = `memory/monthly/${month}.md`;
    const { chain, raw } = await readTrace(tree.memory, { text: "illing migration" });
    expect(chain.map((step) => step.path)).toContain(path);
    for (const place of raw) expect(place.path).toContain(`memory/${month}-`);
    const view = await readTree(tree.memory);
    expect(view.months.map((node) => node.period)).toEqual(["2026-04", month]);
    await runIndex(tree.memory, {}, {});
    const [year = "", number = ""] = month.split("-");
    const last = new Date(Date.UTC(Number(year), Number(number), 0)).toISOString().slice(0, 10);
    const { hits } = await runSearch(
      tree.memory,
      { query: "postgres", since: `${month}-01`, until: last, in: "nodes" },
      {},
    );
    expect(hits.map(({ source, date }) => `${source.split(":")[0]} ${date?.slice(0, 7)}`)).toEqual([
      `${path} ${month}`,
    ]);
    expect(textAt(tree, path)).toBe(text(month));
    expect([...filesOf(tree).keys()].filter((file) => file.includes("archive"))).toEqual([]);
  });
});
