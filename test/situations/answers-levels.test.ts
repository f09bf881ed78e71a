import { describe, expect, it } from "vitest";
import { addDays, type Day } from "../../src/base/calendar.ts";
import { readTrace } from "../../src/tree/inspect/trace.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import type { NodeName } from "../../src/tree/model/period.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { pullSettings, recordAnswer } from "../fixtures/recorded-answers.ts";
import { bodyAt, compact, expectSound, keyAt, logOf, longLog, rawFiles, textAt } from "./scenario.ts";

const weekly: NodeName = { level: "weekly", period: "2026-W11", late: 0 };
const week = "memory/weekly/2026-W11.md";

/** Days that are copied, in a week that is summarised. */
function openWeek(): TestMemory {
  const days = Array.from({ length: 5 }, (_, index) => addDays("2026-03-09", index));
  const logs = Object.fromEntries(
    days.map((day): [Day, string] => [day, longLog(day, `Topic of ${day.slice(5)}`, 90)]),
  );
  return openTestMemory({ files: rawFiles(logs), today: "2026-03-14" });
}

describe("approximate refs on the way up", () => {
  it("survive a concatenated month and ROOT.md, and traces follow them through copies", async () => {
    const tree = openWeek();
    await compact(tree);
    expect(keyAt(tree, week, "made-by")).toBe("built-in-4");
    await recordAnswer(tree, weekly, {
      summary: [
        "## Topics",
        "- Night shifts [project]: parts, steps (~03-10:20-22, ~03-11:30)",
        "",
        "## Notes",
        "- slow (~03-10:8)",
      ],
    });
    await compact(tree);
    expect(bodyAt(tree, week)).toContain("- Night shifts [project]: parts, steps (~03-10:20-22, ~03-11:30)");
    const month = "memory/monthly/2026-03.md";
    expect(keyAt(tree, month, "made-by")).toBe("concat-1");
    expect(bodyAt(tree, month)).toContain("- Night shifts [project]: parts, steps (~03-10:20-22, ~03-11:30)");
    expect(textAt(tree, "memory/ROOT.md")).toContain("- Night shifts [project, ");
    const { raw, chain } = await readTrace(tree.memory, { text: "Night shifts" });
    expect(new Set(chain.map(({ path }) => path.split("/")[1]))).toEqual(
      new Set(["ROOT.md", "monthly", "weekly", "daily"]),
    );
    expect(raw.length).toBeGreaterThan(0);
    expect(raw.every(({ approximate, state }) => approximate === true && state === "found")).toBe(true);
    const exact = await readTrace(tree.memory, { text: "Topic of 03-12" });
    expect(exact.raw.some(({ approximate }) => approximate === undefined)).toBe(true);
    await expectSound(tree);
  });

  it("survive a summary of summaries", async () => {
    const days = Array.from({ length: 5 }, (_, index) => addDays("2026-03-09", index));
    const logs = Object.fromEntries(
      days.map((day): [Day, string] => [day, longLog(day, `Topic of ${day.slice(5)}`, 240)]),
    );
    const tree = openTestMemory({ files: rawFiles(logs), today: "2026-03-14", with: { user: pullSettings } });
    await compact(tree);
    for (const day of days)
      await recordAnswer(
        tree,
        { level: "daily", period: day, late: 0 },
        {
          summary: [
            "## Topics",
            `- Watch of ${day.slice(5)} [project]: nights (~${day.slice(5)}:33)`,
            "## Notes",
            ...Array.from(
              { length: 80 },
              (_, at) => `- Watch of ${day.slice(5)}: hour ${at} (~${day.slice(5)}:${at + 5})`,
            ),
          ],
        },
      );
    await compact(tree);
    expect(keyAt(tree, week, "made-by")).toBe("built-in-4");
    expect(bodyAt(tree, week)).toMatch(/^- Watch of 03-11 \[project\]: nights \(~03-11:33\)$/mu);
    expect(bodyAt(tree, week)).toMatch(/^- Watch of 03-11: hour \d+ \(~03-11:\d+\)$/mu);
    const { raw } = await readTrace(tree.memory, { text: "Watch of 03-11" });
    expect(raw.length).toBeGreaterThan(0);
    expect(raw.every(({ approximate }) => approximate === true)).toBe(true);
    await expectSound(tree);
  });
});

describe("addenda and late data", () => {
  const day = "2026-03-15";
  const path = `memory/daily/${day}.md`;
  const late = `memory/daily/${day}.late-1.md`;
  const long = longLog(day, "Payment flow", 240);

  it("entries added while a node waits become part of the node itself", async () => {
    const tree = openTestMemory({ files: rawFiles({ [day]: long }), today: day, with: { user: pullSettings } });
    await compact(tree, "2026-03-16");
    tree.write(`memory/${day}.md`, `${long}\n## More [project]\n- another thing happened in the evening\n`);
    await compact(tree);
    expect(tree.read(late)).toBeUndefined();
    expect(bodyAt(tree, path)).toContain("- More [project]");
    await compact(tree, "2026-03-19");
    expect(keyAt(tree, path, "status")).toBe("fixed");
  });

  it("a long addendum waits too, takes in its answer and passes verify", async () => {
    const tree = openTestMemory({
      files: rawFiles({ [day]: logOf(day, ["Small [project]", "- one line of text"]) }),
      today: day,
      with: { user: pullSettings },
    });
    await compact(tree, "2026-03-16");
    expect(keyAt(tree, path, "status")).toBe("fixed");
    tree.write(`memory/${day}.md`, `${textAt(tree, `memory/${day}.md`)}\n${long.split("\n").slice(2).join("\n")}`);
    await compact(tree);
    expect(keyAt(tree, late, "made-by")).toBe("built-in-4");
    await compact(tree, "2026-03-17");
    expect(keyAt(tree, late, "status")).toBe("tentative");
    const name: NodeName = { level: "daily", period: day, late: 1 };
    await recordAnswer(tree, name, {
      summary: ["## Topics", "- Payment flow: late parts (~03-15:30)", "## Notes", "- moved (~03-15:1)"],
    });
    const { written } = await compact(tree);
    expect(written.filter((node) => node.path === late)).toMatchObject([
      { status: "fixed", summarizer: "answer-1+built-in-4" },
    ]);
    expect(bodyAt(tree, late)).toMatch(/- moved \(~03-15:\d+-\d+\)/u);
    await expectSound(tree);
  });

  it("reopening a week takes in an answer that was recorded too late", async () => {
    const tree = openWeek();
    await compact(tree, "2026-03-23");
    expect(keyAt(tree, week, "status")).toBe("fixed");
    await recordAnswer(tree, weekly, {
      summary: ["## Topics", "- Night shifts: parts (~03-10:20)", "## Notes", "- slow (~03-10:8)"],
    });
    expect((await compact(tree)).written).toEqual([]);
    expect((await runVerify(tree.memory, {})).ok).toBe(true);
    await compact(tree, undefined, { reopen: "2026-W11" });
    expect(keyAt(tree, week, "made-by")).toBe("answer-1+built-in-4");
    expect(keyAt(tree, week, "status")).toBe("fixed");
    await expectSound(tree);
  });
});

describe("unreadable records of answers", () => {
  it("the tree is built as without a summarizer, with a warning, and nodes made from answers stay", async () => {
    const day = "2026-03-15";
    const path = `memory/daily/${day}.md`;
    const tree = openTestMemory({
      files: rawFiles({ [day]: longLog(day, "Payment flow", 240) }),
      today: day,
      with: { user: pullSettings },
    });
    await compact(tree);
    tree.write(".heartwood/artifacts/answers/daily", "not a folder");
    const { warnings } = await compact(tree, "2026-03-16");
    expect(warnings.map(({ message }) => message).join("\n")).toMatch(/model answers are not used/u);
    expect(keyAt(tree, path, "status")).toBe("fixed");
  });
});
