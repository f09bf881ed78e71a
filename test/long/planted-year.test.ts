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

  it("has five recurring lessons on three days or more, and eight corrections; otherwise the other tests prove nothing", () => {
    expect(truth.recurringLessons.filter(({ days }) => days.length >= 3).length).toBe(5);
    expect(truth.corrections.length).toBe(8);
    expect(composeYear({ seed: 1 })).toEqual({ logs, truth });
  });

  it("follows the formats, without cut words, duplicates or source markup", () => {
    const found = Object.entries(formatFindings(root.lines, raw)).filter(([, lines]) => lines.length > 0);
    expect(found).toEqual([]);
  });

  it("has every user and feedback fact in the index, with a distinctive word", () => {
    expect(missedIn("user and feedback facts")).toEqual([]);
  });

  it("shows at least nine of ten active projects, with a distinctive word", () => {
    expect(rows.filter(({ name }) => name.startsWith("active projects")).map(({ holds }) => holds)).toEqual([
      true,
      true,
    ]);
  });

  it("shows the current value of a corrected fact first, then the old one", () => {
    expect(missedIn("corrections")).toEqual([]);
  });

  it("shows exact ages in days", () => {
    expect(missedIn("index lines with a wrong age")).toEqual([]);
  });

  it("drops completed topics first, then silent ones, oldest first", () => {
    expect(missedIn("topics that left the index")).toEqual([]);
  });

  it("lists recurring lessons, with their days", () => {
    expect(missedIn("recurring lessons")).toEqual([]);
  });

  it("has no words from code or from ephemeral notes", () => {
    expect(missedIn("words of code")).toEqual([]);
  });

  it.each([500, 1000])("omits no user or feedback topic in favour of a project at %i tokens", async (cap) => {
    const smaller = (await readRoot(tree.memory, { max_tokens: cap })) as RootResult;
    expect(smaller.tokens).toBeLessThanOrEqual(cap);
    expect(namesBeforeProjects(smaller, truth, cap).missed).toEqual([]);
  });

  it("traces lines to the raw lines of five facts", () => {
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
