import { describe, expect, it } from "vitest";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import { bodyAt, compact, expectSound, filesOf, keyAt, logOf, rawFiles, textAt, writtenIn } from "./scenario.ts";

/** Whether a file belongs to the tree, which does not depend on the number of runs. */
function isTree([path]: readonly [string, string]): boolean {
  return path.startsWith("memory/") && !path.includes("state.json");
}

describe("open periods stay open, and every run ends", () => {
  it("body-says-fixed: a log line with `status: fixed` does not keep later entries out of today's node", async () => {
    const morning = logOf("2026-03-15", ["Release", "status: fixed", "- status: fixed", "type: daily"]);
    const tree = openTestMemory({ files: rawFiles({ "2026-03-15": morning }) });
    await compact(tree);
    const path = "memory/daily/2026-03-15.md";
    expect(keyAt(tree, path, "status")).toBe("tentative");
    await appendEntry(tree.memory, { topic: "Afternoon", body: "- tea at four" });
    await compact(tree);
    expect(bodyAt(tree, path)).toContain("- tea at four");
    expect(bodyAt(tree, path)).toContain("status: fixed");
    expect(keyAt(tree, path, "status")).toBe("tentative");
    await expectSound(tree);
  });

  it("current-week-frozen: a fixed Monday does not stop Wednesday from reaching the week", async () => {
    const tree = openTestMemory({
      files: rawFiles({ "2026-03-09": logOf("2026-03-09", ["Monday", "status: fixed"]) }),
    });
    await compact(tree, "2026-03-09");
    await compact(tree, "2026-03-10");
    expect(keyAt(tree, "memory/daily/2026-03-09.md", "status")).toBe("fixed");
    tree.write("memory/2026-03-11.md", logOf("2026-03-11", ["Wednesday", "- the middle"]));
    await compact(tree, "2026-03-11");
    expect(bodyAt(tree, "memory/weekly/2026-W11.md")).toContain("- the middle");
    expect(keyAt(tree, "memory/weekly/2026-W11.md", "status")).toBe("tentative");
    await expectSound(tree);
  });

  it("current-month-frozen: a finished week does not stop the next one from reaching the month", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-03": logOf("2026-03-03", ["Early March", "- first"]) }) });
    await compact(tree, "2026-03-16");
    expect(keyAt(tree, "memory/weekly/2026-W10.md", "status")).toBe("fixed");
    tree.write("memory/2026-03-17.md", logOf("2026-03-17", ["Mid March", "- second"]));
    await compact(tree, "2026-03-17");
    expect(bodyAt(tree, "memory/monthly/2026-03.md")).toContain("- second");
    expect(keyAt(tree, "memory/monthly/2026-03.md", "weeks")).toBe("2026-W10, 2026-W12");
    expect(textAt(tree, "memory/ROOT.md")).toContain("Mid March");
    await expectSound(tree);
  });

  it("body-says-needs-summarization: a log that mentions those words is rolled up like any other", async () => {
    const text = logOf("2026-03-14", [
      "Hipocampus",
      "status: needs-summarization",
      "- the marker `needs-summarization` is a word here",
    ]);
    const tree = openTestMemory({ files: rawFiles({ "2026-03-14": text }) });
    await compact(tree, "2026-03-14");
    await compact(tree, "2026-04-20");
    for (const path of ["memory/daily/2026-03-14.md", "memory/weekly/2026-W11.md", "memory/monthly/2026-03.md"]) {
      expect(bodyAt(tree, path)).toContain("status: needs-summarization");
      expect(keyAt(tree, path, "status")).toBe("fixed");
    }
    expect(textAt(tree, "memory/ROOT.md")).toContain("Hipocampus");
    await expectSound(tree);
  });

  it("cycle-limit: on 2026-03-16 one cycle fixes yesterday and composes today at every level", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-15": logOf("2026-03-15", ["Sunday", "- rest"]) }) });
    await compact(tree, "2026-03-15");
    tree.write("memory/2026-03-16.md", logOf("2026-03-16", ["Monday", "- work"]));
    const result = await compact(tree, "2026-03-16", { cycles: 1 });
    expect(result.cycles).toBe(1);
    expect(writtenIn(result)).toEqual([
      "memory/daily/2026-03-15.md fixed",
      "memory/daily/2026-03-16.md tentative",
      "memory/weekly/2026-W12.md tentative",
      "memory/monthly/2026-03.md tentative",
      "memory/ROOT.md tentative",
    ]);
    expect(result.due).toEqual([]);
    await expectSound(tree);
  });

  it("cycle-limit: each cycle composes at most one node per level, most recent first, until nothing is due", async () => {
    const days = ["2026-01-06", "2026-02-03", "2026-03-03", "2026-03-12", "2026-03-15"];
    const files = rawFiles(
      Object.fromEntries(days.map((day) => [day, logOf(day, [`Topic of ${day}`, "- something"])])),
    );
    const tree = openTestMemory({ files });
    const dailies: string[] = [];
    for (let cycle = 0; cycle < days.length; cycle++) {
      const { written } = await compact(tree, undefined, { cycles: 1 });
      const composed = written.filter((node) => node.action !== "status");
      for (const level of ["daily", "weekly", "monthly", "root"])
        expect(composed.filter((node) => node.level === level).length).toBeLessThanOrEqual(1);
      dailies.push(...composed.filter((node) => node.level === "daily").map((node) => node.period));
    }
    expect(dailies).toEqual(days.toReversed());
    while ((await compact(tree, undefined, { cycles: 1 })).written.length > 0);
    await expectSound(tree);

    const whole = openTestMemory({ files });
    expect((await compact(whole)).due).toEqual([]);
    expect([...filesOf(whole)].filter(isTree)).toEqual([...filesOf(tree)].filter(isTree));
    await expectSound(whole);
  });
});
