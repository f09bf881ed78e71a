import { describe, expect, it } from "vitest";
import { addDays } from "../src/base/calendar.ts";
import { readRoot } from "../src/engine/root.ts";
import { openTestMemory, type TestMemory } from "./fixtures/memory.ts";
import { compact, expectSound, logOf, rawFiles, rootSection } from "./situations/scenario.ts";

const today = "2026-03-15";

/** A log for each of so many days up to today. */
function daily(days: number, entries: (day: number) => readonly [string, ...string[]][]): TestMemory {
  const logs: Record<string, string> = {};
  for (let back = 0; back < days; back++) {
    const day = addDays(today, -back);
    logs[day] = logOf(day, ...entries(back));
  }
  return openTestMemory({ files: rawFiles(logs), today });
}

async function droppedOf(tree: TestMemory): Promise<readonly string[]> {
  const root = await readRoot(tree.memory, { dropped: true });
  return "dropped" in root ? root.dropped.map(({ text }) => text) : [];
}

describe("what stands in ROOT.md", () => {
  it("keeps a topic of which only code, a diff or a comment is told, and its age", async () => {
    const tree = daily(1, () => [
      ["Deploy script [project]", "```sh", "kubectl apply", "```"],
      ["Marker [reference]", "<!-- only a comment -->"],
    ]);
    tree.write(
      "memory/2026-03-05.md",
      logOf("2026-03-05", ["Deploy script [project]", "- decisions: kubectl is used"]),
    );
    await compact(tree);
    const index = rootSection(tree, "Topics Index").join("\n");
    expect(index).toContain("- Deploy script [project, 0d]");
    expect(index).toContain("- Marker [reference, 0d]");
    await expectSound(tree);
  });

  it("merges the periods of Historical Summary before a topic leaves the index", async () => {
    const tree = daily(290, (n) => [
      [
        `Topic number ${n} [project]`,
        `- decisions: number ${n} is done by pump ${n * 7}`,
        ...(n % 3 === 0 ? ["- status: done"] : []),
      ],
    ]);
    await compact(tree);
    expect((await droppedOf(tree)).length).toBeGreaterThan(0);
    const history = rootSection(tree, "Historical Summary");
    expect(history.length).toBeGreaterThan(0);
    for (const line of history) expect(line).toMatch(/^- \d{4}-\d\d~/u);
  });

  it("keeps every user and feedback topic in the index while their names fit, also where that leaves little for projects", async () => {
    const tree = daily(150, (n) => [
      [`Habit ${n} [user]`, `- takes tea number ${n} with lemon and honey from the shop at the corner`],
      [`Work ${n} [project]`, `- decisions: work ${n} is done by pump ${n * 7}`],
    ]);
    await compact(tree);
    const index = rootSection(tree, "Topics Index").join("\n");
    for (let n = 0; n < 150; n++) expect(index).toContain(`- Habit ${n} [user, ${n}d]`);
    expect(rootSection(tree, "Active Context").length).toBeGreaterThan(0);
  });

  it("has every user and feedback topic of a full month in ROOT.md or in its ledger", async () => {
    const tree = daily(14, (n) =>
      Array.from({ length: 24 }, (_, k): [string, ...string[]] => [
        `Wish ${n}-${k} [${k % 2 === 0 ? "user" : "feedback"}]`,
        `- rule: wish ${n}-${k} holds for the whole of the work, in every room and in every season`,
        "- why: it was said so at length, and more than once, by the one who has to live with it",
      ]),
    );
    await compact(tree);
    const said = [...rootSection(tree, "Topics Index"), ...(await droppedOf(tree))].join("\n");
    for (let n = 0; n < 14; n++) for (let k = 0; k < 24; k++) expect(said).toContain(`- Wish ${n}-${k} [`);
  });

  it("tells of lessons and corrections that came on three days or more, in whatever topics", async () => {
    const tree = daily(7, (n) => [
      ["CI [project]", "- lesson: retry helps with flaky runs"],
      [`Answer ${n} [feedback]`, "- rule: short answers please"],
    ]);
    await compact(tree);
    const patterns = rootSection(tree, "Recent Patterns").join("\n");
    expect(patterns).toMatch(/^- retry helps with flaky runs: learned on 7 days \(/mu);
    expect(patterns).toMatch(/^- short answers please: corrected on 7 days \(/mu);
    await expectSound(tree);
  });
});
