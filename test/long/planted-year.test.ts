import { beforeAll, describe, expect, it } from "vitest";
import { composeYear } from "../../bench/corpora/year.mjs";
import { formatFindings } from "../../bench/root-lines.mjs";
import { leadsTo, linesForFact, namesBeforeProjects, truthRows, type TruthRow } from "../../bench/root-truth.mjs";
import { type DroppedResult, type LineRange, type RootResult, readRoot } from "../../src/tree/root-run/root.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import { compact, rawFiles } from "../situations/scenario.ts";

const { logs, truth } = composeYear({ seed: 1 });
const raw = logs.map(([, lines]) => `${lines.join("\n")}\n`);
const files = rawFiles(Object.fromEntries(logs.map(([date], at) => [date, raw[at] ?? ""])));
const tree = openTestMemory({ files, today: truth.today });

describe("a developer's year in ROOT.md", () => {
  let root: RootResult;
  let rows: readonly TruthRow[];

  beforeAll(async () => {
    await compact(tree);
    root = (await readRoot(tree.memory, {})) as RootResult;
    const { dropped } = (await readRoot(tree.memory, { dropped: true })) as DroppedResult;
    rows = truthRows({ lines: root.lines, dropped }, truth);
  });

  const missedIn = (name: string): readonly string[] => rows.find((row) => row.name.startsWith(name))?.missed ?? [name];

  it("holds five recurring lessons of three days or more, and eight corrections, or this test tests nothing", () => {
    expect(truth.recurringLessons.filter(({ days }) => days.length >= 3).length).toBe(5);
    expect(truth.corrections.length).toBe(8);
    expect(composeYear({ seed: 1 })).toEqual({ logs, truth });
  });

  it("keeps to the formats, without cut words, duplicates or marks of the source", () => {
    const found = Object.entries(formatFindings(root.lines, raw)).filter(([, lines]) => lines.length > 0);
    expect(found).toEqual([]);
  });

  it("has every user and feedback fact in the index, with a word of it", () => {
    expect(missedIn("user and feedback facts")).toEqual([]);
  });

  it("shows at least nine of ten active projects, with a word of theirs", () => {
    expect(rows.filter(({ name }) => name.startsWith("active projects")).map(({ holds }) => holds)).toEqual([
      true,
      true,
    ]);
  });

  it("says of what was corrected first what holds, then what held", () => {
    expect(missedIn("corrections")).toEqual([]);
  });

  it("counts ages to the day", () => {
    expect(missedIn("index lines with a wrong age")).toEqual([]);
  });

  it("lets completed topics go first, then the silent ones, the oldest first", () => {
    expect(missedIn("topics that left the index")).toEqual([]);
  });

  it("tells the lessons that came again and again, with their days", () => {
    expect(missedIn("recurring lessons")).toEqual([]);
  });

  it("has no word of code or of passing notes", () => {
    expect(missedIn("words of code")).toEqual([]);
  });

  it.each([500, 1000])("misses no name of a user or feedback fact beside a project at %i tokens", async (cap) => {
    const smaller = (await readRoot(tree.memory, { max_tokens: cap })) as RootResult;
    expect(smaller.tokens).toBeLessThanOrEqual(cap);
    expect(namesBeforeProjects(smaller, truth, cap).missed).toEqual([]);
  });

  it("leads from a line to the raw line of each of five facts", () => {
    const lost = truth.facts.filter((fact) => {
      const places = linesForFact(root.lines, fact).map(({ sources }) =>
        sources.map((place) => ({ ...place, text: textOf(place) })),
      );
      return !places.some((of) => leadsTo(of, fact));
    });
    expect(lost.map(({ question }) => question)).toEqual([]);
  });
});

function textOf({ path, lines: [from, to] }: LineRange): string {
  return (files[path] ?? "")
    .split("\n")
    .slice(from - 1, to)
    .join("\n");
}
