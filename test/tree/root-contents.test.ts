import { describe, expect, it } from "vitest";
import { addDays } from "../../src/base/calendar.ts";
import { readRoot } from "../../src/tree/root-run/root.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { compact, expectSound, logOf, rawFiles, rootSection, textAt } from "../situations/scenario.ts";

const today = "2026-03-15";

/** A log for each of the last days up to today. */
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

describe("the contents of ROOT.md", () => {
  it("keep a topic that has only code, a diff or a comment, with its age", async () => {
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

  it("merge the periods of Historical Summary before a topic leaves the index", async () => {
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

  it("keep every user and feedback topic in the index while their names fit, even if that leaves little for projects", async () => {
    const tree = daily(150, (n) => [
      [`Habit ${n} [user]`, `- takes tea number ${n} with lemon and honey from the shop at the corner`],
      [`Work ${n} [project]`, `- decisions: work ${n} is done by pump ${n * 7}`],
    ]);
    await compact(tree);
    const index = rootSection(tree, "Topics Index").join("\n");
    for (let n = 0; n < 150; n++) expect(index).toContain(`- Habit ${n} [user, ${n}d]`);
    expect(rootSection(tree, "Active Context").length).toBeGreaterThan(0);
  });

  it("include every user and feedback topic of a full month, in ROOT.md or in its ledger", async () => {
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

  it("list lessons and rules that occurred on three days or more, in any topics", async () => {
    const tree = daily(7, (n) => [
      ["CI [project]", "- lesson: retry helps with flaky runs"],
      [`Answer ${n} [feedback]`, "- rule: short answers please"],
    ]);
    await compact(tree);
    const patterns = rootSection(tree, "Recent Patterns").join("\n");
    expect(patterns).toMatch(/^- retry helps with flaky runs: learned on at least 7 days \(/mu);
    expect(patterns).toMatch(/^- short answers please: said on at least 7 days \(/mu);
    await expectSound(tree);
  });

  it("keep the rule of a fixed day if a later entry of that day is under the same heading", async () => {
    const tree = daily(1, () => [["Other [project]", "- decisions: keep going"]]);
    const log = logOf("2026-03-05", ["Commits [feedback]", "- rule: at most 72 characters"]);
    tree.write("memory/2026-03-05.md", log);
    await compact(tree);
    tree.write("memory/2026-03-05.md", `${log}\n## Server [project]\n- outcome: moved\n`);
    await compact(tree);
    expect(rootSection(tree, "Topics Index").join("\n")).toMatch(/Commits \[feedback.*at most 72 characters/u);
    await expectSound(tree);
  });

  it("treat the last of several entries of one day as the newest", async () => {
    const tree = daily(1, () => [["Other [project]", "- decisions: keep going"]]);
    tree.write(
      "memory/2026-03-05.md",
      logOf(
        "2026-03-05",
        ["Rollout [project]", "- status: in progress"],
        ["Rollout [project]", "- status: shipped to everyone"],
        ["Billing [project]", "- outcome: done"],
        ["Billing [project]", "- status: reopened, refunds are still wrong"],
      ),
    );
    await compact(tree);
    const history = rootSection(tree, "Historical Summary").join("\n");
    expect(history).toContain("Rollout: status: shipped to everyone, 03-05");
    expect(history).toContain("Billing: status: reopened, refunds are still wrong, 03-05");
    expect(history).not.toMatch(/Billing: done|Billing \(done\)/u);
  });

  it("count all days of what recurs, even in a summarised month, and add nothing to its raw lines", async () => {
    const filler = Array.from({ length: 25 }, (_, n) => `- remark ${n} of the day`);
    const tree = daily(25, (n) => [
      [
        "Search relevance [project]",
        n === 20 ? "- decisions: use Lucene with the kestrel tokenizer" : "- waiting for hardware",
      ],
      [`Day ${n} [project]`, ...filler],
    ]);
    await compact(tree);
    expect(rootSection(tree, "Recent Patterns").join("\n")).toMatch(
      /^- Search relevance: on at least 24 days \(.*\): waiting for hardware$/mu,
    );
    const root = await readRoot(tree.memory, {});
    const line = "lines" in root ? root.lines.find(({ text }) => text.startsWith("- Search relevance [")) : undefined;
    const raw = (line?.sources ?? []).map(({ path, lines: [from, to] }) =>
      (tree.read(path) ?? "")
        .split("\n")
        .slice(from - 1, to)
        .join("\n"),
    );
    for (const word of (line?.text.split("]: ")[1] ?? "none").split("; "))
      expect(raw.join("\n")).toContain(word.replace(/ \(\d\d-\d\d\)$/u, ""));
  });

  it("put the headings of a journal, which occur once, into lines with at most twelve refs", async () => {
    const roots = ["kiln", "ledger", "gate", "parcel", "import", "clock", "print", "archive", "radio", "valve"];
    const parts = ["board", "house", "wheel", "queue", "lamp", "book"].flatMap((end) =>
      roots.map((root) => root + end),
    );
    const acts = ["rework", "harden", "document", "split", "speed up", "measure", "rename"];
    const part = (n: number): string => parts[n % parts.length] ?? "";
    const act = (n: number): string => acts[n % acts.length] ?? "";
    const tree = daily(60, (day) =>
      Array.from({ length: 8 }, (_, k): [string, ...string[]] => {
        const n = day * 8 + k;
        return [
          `fix(${part(n * 7)}): ${act(n)} the ${part(n)} of the ${part(n * 11)} (#${n})`,
          `- ${act(n * 3)} the ${part(n * 13)}`,
        ];
      }),
    );
    await compact(tree);
    const root = await readRoot(tree.memory, {});
    const index = "lines" in root ? root.lines.filter(({ text }) => /^- .* \[project, \d+d\]/u.test(text)) : [];
    expect(index.length).toBeGreaterThan(12);
    for (const { text, sources } of index) expect(sources.length, text).toBeLessThanOrEqual(12);
    expect(index.map(({ text }) => text).join("\n")).not.toMatch(/\bfix\b|#\d/u);
    const reached = new Set(index.flatMap(({ sources }) => sources.map(({ path, lines }) => `${path}:${lines[0]}`)));
    expect(reached.size).toBeGreaterThan(100);
    await expectSound(tree);
  });

  it("quote what the user said in a conversation in full, with the day, but no questions", async () => {
    const tree = daily(1, () => [
      [
        "Chat [project]",
        "User: From now on, answer in French. What is the capital of Mongolia?",
        "Assistant: Ulaanbaatar. I always answer in French.",
        "User: I live in Porto.",
      ],
    ]);
    await compact(tree, "2026-03-20");
    expect(textAt(tree, `memory/daily/${today}.md`)).toContain("I live in Porto.");
    const index = rootSection(tree, "Topics Index").join("\n");
    expect(index).toMatch(/^- \S+ \[project, 5d\]: From now on, answer in French\. \(said 03-15\)$/mu);
    expect(index).toMatch(/^- \S+ \[project, 5d\]: I live in Porto\. \(said 03-15\)$/mu);
    expect(index).not.toMatch(/Mongolia\?|Ulaanbaatar\./u);
  });

  it("drop completed topics from the index before any others", async () => {
    const tree = daily(200, (n) => [
      [
        `Plan ${n} of the house at the lake [project]`,
        `- decisions: number ${n} is done by pump ${n * 7}`,
        ...(n % 3 === 0 ? ["- status: done"] : []),
      ],
    ]);
    await compact(tree);
    const index = rootSection(tree, "Topics Index").join("\n");
    const out = (await droppedOf(tree)).join("\n");
    const isIn = (n: number): boolean => index.includes(`- Plan ${n} of`);
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const silent = numbers.filter((n) => n % 3 !== 0 && n > 90);
    // The active ones fit here, and the newest of the silent ones.
    expect(numbers.filter((n) => n % 3 !== 0 && n <= 90 && !isIn(n))).toEqual([]);
    expect(silent.some(isIn)).toBe(true);
    expect(silent.every(isIn)).toBe(false);
    expect(silent.map(isIn)).toEqual(silent.map(isIn).toSorted((x, y) => Number(y) - Number(x)));
    expect(numbers.filter((n) => n % 3 === 0 && isIn(n))).toEqual([]);
    expect(out).not.toBe("");
  });
});

it("a user entry that fits stays whole, whatever else is included", async () => {
  const facts = Array.from({ length: 160 }, (_, n) => `fact ${n} of me`);
  const tree = daily(1, () => [
    ["About me [user]", ...facts],
    ["Build [project]", "- decisions: use ninja", "", "```", ...Array.from({ length: 60 }, (_, n) => `x=${n}`), "```"],
  ]);
  await compact(tree);
  const node = (tree.read(`memory/daily/${today}.md`) ?? "").split("\n");
  for (const fact of facts) expect(node).toContain(fact);
});
