import { describe, expect, it } from "vitest";
import { addDays } from "../../src/base/calendar.ts";
import { readRoot } from "../../src/tree/root-run/root.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { compact, expectSound, logOf, rawFiles, rootSection, textAt } from "./scenario.ts";

const rootPath = "memory/ROOT.md";

/** Logs of many weeks, newest on 2026-03-14, with topics that occur once each. */
function wideLogs(weeks: number, perWeek: number): Readonly<Record<string, string>> {
  const logs: Record<string, string> = {};
  for (let week = 0; week < weeks; week++) {
    const day = addDays("2026-03-14", -week * 7);
    const entries = Array.from({ length: perWeek }, (_, n): [string, ...string[]] => [
      `Subject ${week}-${n} [project]`,
      `- decisions: variant ${n} of plan ${week} with pump ${week * 31 + n}`,
      `- remark ${n} on plan ${week}, valve ${week * 17 + n} and gasket ${week * 13 + n}`,
    ]);
    logs[day] = logOf(day, ...entries);
  }
  return logs;
}

function configured(tree: TestMemory, rootMaxTokens: number): void {
  tree.write("heartwood.config.json", JSON.stringify({ compaction: { rootMaxTokens } }));
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf("]"));
}

async function tokensOf(tree: TestMemory): Promise<number> {
  const root = await readRoot(tree.memory, {});
  return "tokens" in root ? root.tokens : Number.NaN;
}

describe("the cap of ROOT.md", () => {
  it("root-cap: a ROOT.md of 20,000 tokens made by heartwood shrinks below the cap when the cap is lowered", async () => {
    const tree = openTestMemory({ files: rawFiles(wideLogs(90, 8)) });
    configured(tree, 24_000);
    await compact(tree);
    expect(await tokensOf(tree)).toBeGreaterThan(15_000);
    configured(tree, 3000);
    const { root, written } = await compact(tree);
    expect(written.map(({ path }) => path)).toEqual([rootPath]);
    const text = textAt(tree, rootPath);
    expect(tree.memory.tokens.count(text)).toBeLessThanOrEqual(3000);
    expect(root).toMatchObject({ tokens: tree.memory.tokens.count(text), cap: 3000 });
    expect(root?.dropped).toBeGreaterThan(0);
    expect([text.split("\n").length <= 201, Buffer.byteLength(text) <= 25_000]).toEqual([true, true]);
    for (let n = 0; n < 8; n++) expect(rootSection(tree, "Active Context").join("\n")).toContain(`- Subject 0-${n}: `);
    const dropped = await readRoot(tree.memory, { dropped: true });
    expect("dropped" in dropped ? dropped.dropped.length : 0).toBe(root?.dropped);
    await expectSound(tree);
  });

  it("root-cap: extra sentences of topics are dropped first, then Historical Summary is compressed; a little over the cap, no topic is dropped", async () => {
    const tree = openTestMemory({ files: rawFiles(wideLogs(24, 2)) });
    configured(tree, 24_000);
    await compact(tree);
    const full = {
      tokens: await tokensOf(tree),
      active: rootSection(tree, "Active"),
      index: rootSection(tree, "Topics Index"),
      history: rootSection(tree, "Historical"),
    };
    expect([full.index.length, full.history.length]).toEqual([48, 6]);
    const spent = tree.memory.tokens.count(full.history.join("\n"));
    const shorter: string[] = [];
    for (const share of [0.2, 0.75, 1.5]) {
      configured(tree, Math.ceil(full.tokens - spent * share));
      await compact(tree);
      // Topics may be shorter than before, but each has its line.
      const index = rootSection(tree, "Topics Index");
      expect(index.map(nameOf).toSorted(), `over by ${share} of history`).toEqual(full.index.map(nameOf).toSorted());
      expect(rootSection(tree, "Active").toSorted()).toEqual(full.active.toSorted());
      shorter.push(rootSection(tree, "Historical").join("\n"));
      expect(await tokensOf(tree)).toBeLessThanOrEqual(full.tokens - spent * share + 1);
      await expectSound(tree);
    }
    for (const text of shorter) expect(text).toMatch(/^- 20/u);
    expect(new Set(shorter.map((text) => text.length)).size).toBeGreaterThan(1);
    expect(Math.min(...shorter.map((text) => text.length))).toBeLessThan(full.history.join("\n").length);
  });

  it("root-cap: far over the cap, completed topics leave the index first, then those without news for over 90 days; user and feedback stay", async () => {
    const logs: Record<string, string> = { ...wideLogs(30, 6) };
    logs["2026-03-13"] = logOf(
      "2026-03-13",
      ["Anna [user]", "- likes walnut"],
      ["Short [feedback]", "- rule: be short"],
      ["Fresh [project]", "- open: valve"],
      ["Ended [project]", "- outcome: shipped"],
    );
    logs["2025-06-02"] = logOf(
      "2025-06-02",
      ["Old friend [user]", "- plays chess"],
      ["Ancient [project]", "- one remark about boilers, cellars, gutters, shutters and the old pump house"],
    );
    const tree = openTestMemory({ files: rawFiles(logs) });
    configured(tree, 1500);
    await compact(tree);
    const index = rootSection(tree, "Topics Index").join("\n");
    for (const name of ["Anna [user, 2d]", "Short [feedback, 2d]", "Old friend [user, 286d]", "Fresh [project, 2d]"])
      expect(index).toContain(name);
    for (const name of ["- Ended [", "- Ancient ["]) expect(index).not.toContain(name);
    expect(await tokensOf(tree)).toBeLessThanOrEqual(1500);
    await expectSound(tree);
  });

  it("root-cap: a foreign ROOT.md of 20,000 tokens is archived and rebuilt below the cap, and its lines are in the log", async () => {
    const foreign = `# My root\n\n${Array.from({ length: 1500 }, (_, n) => `- line ${n} of somebody else's memory of things`).join("\n")}\n`;
    const tree = openTestMemory({
      files: { [rootPath]: foreign, ...rawFiles({ "2026-03-15": logOf("2026-03-15", ["Auth", "- tokens"]) }) },
    });
    expect(tree.memory.tokens.count(foreign)).toBeGreaterThan(15_000);
    const { warnings } = await compact(tree);
    expect(warnings.map(({ code }) => code)).toEqual(["root_lines", "root_replaced"]);
    expect(textAt(tree, "memory/2026-03-15.md")).toContain("\n- line 1499 of somebody else's memory of things\n");
    expect(tree.memory.tokens.count(textAt(tree, rootPath))).toBeLessThanOrEqual(3000);
    const archived = tree.list().filter((path) => path.startsWith("memory/archive/nodes/ROOT."));
    expect(archived.map((path) => textAt(tree, path))).toEqual([foreign]);
    await expectSound(tree);
  });

  it("root-cap: 20,000 tokens that a user added to ROOT.md are in the log afterwards, and ROOT.md is below the cap", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-15": logOf("2026-03-15", ["Auth", "- tokens"]) }) });
    await compact(tree);
    const added = Array.from(
      { length: 900 },
      (_, n) => `- Added ${n} [project]: remark number ${n} about the greenhouse and its ${n} vents`,
    );
    tree.write(rootPath, `${textAt(tree, rootPath)}${added.join("\n")}\n`);
    await compact(tree);
    expect(tree.memory.tokens.count(textAt(tree, rootPath))).toBeLessThanOrEqual(3000);
    const log = textAt(tree, "memory/2026-03-15.md");
    for (const n of [0, 450, 899])
      expect(log).toContain(`- Added ${n}: remark number ${n} about the greenhouse and its ${n} vents\n`);
    expect(rootSection(tree, "Topics Index").join("\n")).toContain("- Added ");
    await expectSound(tree);
  });
});
