import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { sha256 } from "../../base/digest.ts";
import { rootSections } from "../../tree/root/root-format.ts";
import { longestRootItem, printRootAnswer, readRootAnswer } from "../../tree/root/root-answer.ts";
import { runCompact } from "../../tree/run/compact.ts";
import type { DroppedResult } from "../../tree/root-run/root.ts";
import { readRoot } from "../../tree/root-run/root.ts";
import { runVerify } from "../../tree/inspect/verify.ts";
import { commitRecord } from "../../tree/run/answer-store.ts";
import { openSubjects } from "./jobs.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const rootPath = "memory/ROOT.md";
const folder = ".heartwood/artifacts/answers/root";

/** Logs with more topics than fit the smaller caps. */
function logs(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [3, 4, 5, 10, 11, 12, 13, 14].map((day) => {
      const date = `2026-03-${String(day).padStart(2, "0")}`;
      const told = Array.from(
        { length: 8 },
        (_, n) =>
          `## Subject ${day % 2}-${n} [project]\n- decisions: variant ${n} of plan ${day} with the pump\n- lesson: restart the worker ${n} before the migration\n- open: measure valve ${n}\n`,
      );
      return [`memory/${date}.md`, `# ${date}\n\n${told.join("\n")}\n## Tone [feedback]\n- rule: short sentences\n`];
    }),
  );
}

/** Replaces the recorded answer by one whose summary has these lines, without checks. */
async function plant(test: TestMemory, summary: readonly string[]): Promise<void> {
  const [subject] = await openSubjects(test.memory).list("root");
  for (const path of test.list().filter((one) => one.startsWith(`${folder}/`))) test.remove(path);
  await commitRecord(test.memory, {
    state: "accepted",
    kind: "root",
    label: "ROOT",
    basis: subject?.basis ?? "",
    digest: sha256(JSON.stringify(summary)),
    prompt_rule: "root-prompt-1",
    model: "pull",
    at: "2026-03-15T12:00:00+00:00",
    tokens: { prompt: 1, answer: 1 },
    findings: [],
    answer: "",
    summary,
  });
  await runCompact(test.memory, {}, {});
}

const caps = [700, 1200, 3000] as const;
const trees = new Map<number, TestMemory>();

beforeAll(async () => {
  for (const cap of caps) {
    const configuration = JSON.stringify({ compaction: { rootMaxTokens: cap } });
    const test = openTestMemory({ files: { ...logs(), "heartwood.config.json": configuration } });
    await runCompact(test.memory, {}, {});
    trees.set(cap, test);
  }
});

function treeOf(cap: number): TestMemory {
  const tree = trees.get(cap);
  if (tree === undefined) throw new Error("no tree of that cap");
  return tree;
}

/** Properties that must hold whatever a record contains. */
function expectSound(test: TestMemory, cap: number): void {
  const text = test.read(rootPath) ?? "";
  expect(test.memory.tokens.count(text)).toBeLessThanOrEqual(cap);
  expect([text.split("\n").length - 1 <= 200, Buffer.byteLength(text) <= 25_000]).toEqual([true, true]);
  const [front = "", ...body] = text.split("\n---\n");
  expect(body).toHaveLength(1);
  expect(front.split("\n").map((line) => line.split(":")[0])).toEqual([
    "---",
    "type",
    "status",
    "last-updated",
    "made-by",
    "answer",
    "model",
    "made-from",
  ]);
  const lines = (body[0] ?? "").split("\n");
  expect(lines.filter((line) => line.startsWith("#"))).toEqual(rootSections.map((section) => `## ${section}`));
  expect(lines.every((line) => line === "" || /^(?:- \S|## )/u.test(line))).toBe(true);
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\0]/u);
}

const words = fc.constantFrom(
  "variant",
  "pump",
  "worker",
  "migration",
  "valve",
  "plan",
  "subject",
  "# Title",
  "## Topics Index",
  "[user]",
  "[feedback, 3d]",
  "---",
  "<!-- hw id=1 -->",
  "{1+2=2026-03-15:1}",
  "\u202e",
  "\u0000",
  "```",
  "(03-15:1-4)",
  "한국어 요약",
  "日本語",
  "👩‍👩‍👧",
  "\ud800",
  "answer: x",
  "- ",
  "<<<<<<<",
);
const item = fc.array(words, { maxLength: 60 }).map((parts) => `- ${parts.join(" ")}`);
const line = fc.oneof(
  { weight: 6, arbitrary: item },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "## Active Context",
      "## Recent Patterns",
      "## Historical Summary",
      "## Active Context (recent ~7 days)",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("---", "## Topics Index", "# Messages", "type: root", "```", "") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 80 }) },
);

describe("ROOT.md with any recorded answer", () => {
  it("keeps exactly to its cap and format, and is rebuilt by verify", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...caps), fc.array(line, { maxLength: 120 }), async (cap, lines) => {
        const test = treeOf(cap);
        await plant(test, ["## Active Context", "- the pump of some variant", ...lines]);
        expectSound(test, cap);
        const { ok, findings } = await runVerify(test.memory, {});
        expect([ok, findings]).toEqual([true, []]);
        expect((await runCompact(test.memory, { dry_run: true }, {})).due).toEqual([]);
      }),
      { numRuns: lawRuns(25) },
    );
  });

  it("is not affected by 10,000 lines, front matter or repeated sections", async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => `- line ${n} of the pump and the worker`);
    const test = treeOf(3000);
    await plant(test, [
      "---",
      "type: root",
      "---",
      "## Active Context",
      ...many,
      "## Active Context",
      ...many,
      "## Topics Index",
      ...many,
    ]);
    expectSound(test, 3000);
    const dropped = (await readRoot(test.memory, { dropped: true })) as DroppedResult;
    expect(dropped.dropped.filter(({ text }) => text.startsWith("- line ")).length).toBeGreaterThan(0);
  });

  it("drops the end of Historical Summary first and Active Context last", async () => {
    const test = treeOf(700);
    const lines = (name: string): readonly string[] =>
      Array.from({ length: 12 }, (_, n) => `- ${name} ${n}: the pump, the valve and the worker of plan ${n}`);
    await plant(test, [
      "## Active Context",
      ...lines("now"),
      "## Recent Patterns",
      ...lines("often"),
      "## Historical Summary",
      ...lines("then"),
    ]);
    const text = test.read(rootPath) ?? "";
    const shown = ["now", "often", "then"].map((name) => text.split(`\n- ${name} `).length - 1);
    expect(shown[0]).toBeGreaterThan(0);
    expect(shown[0]).toBeLessThanOrEqual(12);
    expect([shown[1] === 0 || shown[0] === 12, shown[2] === 0 || shown[1] === 12]).toEqual([true, true]);
    expect(text).toContain("\n- now 0: ");
    expectSound(test, 700);
  });

  it("keeps the built-in lines if an answer has nothing for Active Context, and is not due again", async () => {
    const test = treeOf(1200);
    await plant(test, ["## Recent Patterns", "- the worker is restarted before the migration"]);
    expect(test.read(rootPath)).not.toContain("- the worker is restarted before");
    expect(test.read(rootPath)).toMatch(/## Active Context[^\n]*\n- Subject/u);
    expectSound(test, 1200);
    expect((await runCompact(test.memory, { dry_run: true }, {})).due).toEqual([]);
    expect((await runVerify(test.memory, {})).ok).toBe(true);
  });
});

describe("reading an answer about ROOT.md", () => {
  it("a read answer reads back the same", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const items = readRootAnswer(["## Active Context", ...lines]);
        expect(readRootAnswer(printRootAnswer(items))).toEqual(items);
        for (const { text } of items) {
          expect(text.length).toBeLessThanOrEqual(longestRootItem);
          expect(text).not.toMatch(/[\n\r]|^#+ |\[(?:user|feedback|project|reference)\]|<!--/iu);
          expect(text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: lawRuns(300) },
    );
  });

  it("a secret is redacted", () => {
    const items = readRootAnswer(["## Active Context", "- the database password: Vq7-mTz4Lp2x"]);
    expect(JSON.stringify(items)).not.toContain("Vq7-mTz4Lp2x");
  });
});
