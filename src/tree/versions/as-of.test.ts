import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { addDays, type Day } from "../../base/calendar.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";
import { appendEntry } from "../logs/log-add.ts";
import { runCompact } from "../run/compact.ts";
import { memoryAsOf, readNodeAsOf } from "./as-of.ts";

const first = "2026-02-23";
const words = ["quokka", "wombat", "numbat", "bilby", "potoroo", "dunnart", "bettong", "kowari"] as const;

async function rootAsOf(tree: TestMemory, as_of: Day): Promise<string> {
  return (await readNodeAsOf(tree.memory, { period: "ROOT", as_of })).text;
}

/** What happens on one day: entries for it and for earlier days, or a line typed into an earlier log. */
interface Doing {
  readonly kind: "entry" | "late" | "typed";
  readonly word: number;
  readonly back: number;
}

async function act(tree: TestMemory, day: Day, { kind, word, back }: Doing, number: number): Promise<void> {
  const topic = `${words[word % words.length]} ${word}`;
  const body = `- decisions: the ${topic} needs ${number} acorns\n- open: ask about ${words[(word + 3) % words.length]}`;
  const earlier = addDays(day, -back);
  const date = kind === "entry" || earlier < first ? day : earlier;
  const path = `memory/${date}.md`;
  if (kind !== "typed") await appendEntry(tree.memory, { topic, body, date, origin: "user" });
  // What is typed before all nodes of its day are fixed leaves no trace of when.
  else if (isFixed(tree, date))
    tree.write(path, `${tree.read(path)}\n## ${topic} typed [project]\n- ${number} acorns\n`);
}

describe("the memory as of a day", () => {
  test("is what a run at the end of that day had made, whatever was added later", async () => {
    const doing = fc.record<Doing>({
      kind: fc.constantFrom("entry", "entry", "entry", "late", "typed"),
      word: fc.nat(19),
      back: fc.integer({ min: 1, max: 9 }),
    });
    const days = fc.array(fc.array(doing, { maxLength: 3 }), { minLength: 8, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(days, async (history) => {
        const tree = openTestMemory({ today: first });
        const made = new Map<Day, ReadonlyMap<string, string>>();
        let number = 0;
        for (const [at, all] of history.entries()) {
          const day = addDays(first, at);
          tree.setToday(day);
          for (const one of all) await act(tree, day, one, (number += 1));
          await runCompact(tree.memory, {}, {});
          made.set(day, new Map(nodesIn(tree).map((path) => [path, tree.read(path) ?? ""])));
        }
        const before = tree.list().map((path) => [path, tree.read(path)]);
        for (const [day, nodes] of made) {
          const { files } = await memoryAsOf(tree.memory, day);
          for (const [path, text] of nodes)
            expect([day, path, Buffer.from((await files.read(path))?.bytes ?? []).toString()]).toEqual([
              day,
              path,
              text,
            ]);
        }
        expect(tree.list().map((path) => [path, tree.read(path)])).toEqual(before);
      }),
      { numRuns: Number(process.env["ASOF"] ?? lawRuns(10)), endOnFailure: true },
    );
  });

  test("has no entry that was written later, even if no run came between", async () => {
    const tree = openTestMemory({ today: "2026-03-10" });
    await appendEntry(tree.memory, { topic: "Quokka", body: "- decisions: feed at noon" });
    tree.setToday("2026-03-20");
    await appendEntry(tree.memory, { topic: "Wombat", body: "- decisions: dig at night", date: "2026-03-10" });
    await appendEntry(tree.memory, { topic: "Numbat", body: "- decisions: sleep" });
    await runCompact(tree.memory, {}, {});
    expect(tree.read("memory/ROOT.md")).toContain("Wombat");
    const then = await rootAsOf(tree, "2026-03-10");
    expect(then).toContain("Quokka [project, 0d]");
    expect(then).not.toMatch(/wombat|numbat/iu);
    expect(await rootAsOf(tree, "2026-03-19")).not.toMatch(/wombat|numbat/iu);
    expect(await rootAsOf(tree, "2026-03-20")).toMatch(/Wombat[^]*Numbat|Numbat[^]*Wombat/u);
    const daily = await readNodeAsOf(tree.memory, { period: "2026-03-10", as_of: "2026-03-12" });
    expect(daily.text).not.toContain("Wombat");
    expect(daily.status).toBe("fixed");
  });

  test("ignores notes of now, and refuses a day before everything and one that is none", async () => {
    const tree = openTestMemory({
      today: "2026-03-20",
      files: { "WORKING.md": "# W\n- [ ] dig\n", "memory/2026-03-10.md": "## A\n- b\n" },
    });
    expect(await rootAsOf(tree, "2026-03-12")).not.toContain("dig");
    await expect(rootAsOf(tree, "2026-03-09")).rejects.toMatchObject({ code: "not_found" });
    await expect(rootAsOf(tree, "2026-02-30")).rejects.toMatchObject({ code: "invalid_date" });
  });
});

function isFixed(tree: TestMemory, date: Day): boolean {
  const nodes = tree.list().filter((path) => path.startsWith(`memory/daily/${date}.`));
  return nodes.length > 0 && nodes.every((path) => tree.read(path)?.includes("status: fixed"));
}

function nodesIn(tree: TestMemory): readonly string[] {
  return tree.list().filter((path) => /^memory\/(?:ROOT\.md$|daily\/|weekly\/|monthly\/)/u.test(path));
}
