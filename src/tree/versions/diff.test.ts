import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { appendEntry } from "../logs/log-add.ts";
import { runCompact } from "../run/compact.ts";
import { readDiff, type DiffResult } from "./diff.ts";
import { printPullRequestComment } from "./pr-comment.ts";

async function history() {
  const tree = openTestMemory({ today: "2026-03-02" });
  const add = (topic: string, body: string, type?: "feedback" | "reference") =>
    appendEntry(tree.memory, { topic, body, origin: "user", ...(type === undefined ? {} : { type }) });
  await add("Quokka", "- decisions: feed at noon");
  await add("Docs", "- https://example.com/a", "reference");
  await runCompact(tree.memory, {}, {});
  tree.setToday("2026-03-09");
  await add("Quokka", "- decisions: feed at dusk");
  await add("Wombat", "- decisions: dig at night");
  await runCompact(tree.memory, {}, {});
  return tree;
}

describe("diff of two days", () => {
  test("lists topics with their days, and lines of ROOT.md whatever their age", async () => {
    const tree = await history();
    const diff = await readDiff(tree.memory, { from: "2026-03-02", to: "2026-03-09" });
    expect(diff.from).toEqual({ name: "2026-03-02", kind: "day", day: "2026-03-02" });
    expect(diff.topics).toEqual({
      added: [{ topic: "Wombat", type: "project", days: ["2026-03-09"] }],
      changed: [{ topic: "Quokka", type: "project", days: ["2026-03-09"] }],
      removed: [],
    });
    expect(diff.root.added.map(({ text }) => text).join("\n")).toMatch(/Wombat: dig at night/u);
    expect(diff.root.removed.map(({ text }) => text).join("\n")).not.toMatch(/Wombat/u);
    const back = await readDiff(tree.memory, { from: "2026-03-09", to: "2026-03-02" });
    expect(back.topics.removed).toEqual(diff.topics.added);
    expect(back.root).toEqual({ added: diff.root.removed, removed: diff.root.added });
  });

  test("finds nothing between equal versions, and the memory as it is by default", async () => {
    const tree = await history();
    const before = tree.list();
    const { topics, root } = await readDiff(tree.memory, { from: "2026-03-09" });
    expect([topics, root]).toEqual([
      { added: [], changed: [], removed: [] },
      { added: [], removed: [] },
    ]);
    expect(tree.list()).toEqual(before);
  });

  test("a day before everything is an empty version", async () => {
    const tree = await history();
    const { topics, root } = await readDiff(tree.memory, { from: "2026-01-01" });
    expect(topics.added.map(({ topic }) => topic)).toEqual(["Docs", "Quokka", "Wombat"]);
    expect(root.removed).toEqual([]);
  });
});

describe("diff of two folders", () => {
  test("builds the tree of each in memory, and a topic with another type has changed", async () => {
    const log = "memory/2026-03-02.md";
    const other = openTestMemory({
      files: { [log]: "## Quokka [reference]\n- https://example.com\n\n## Bilby\n- digs\n" },
    });
    const tree = openTestMemory({
      files: { [log]: "## Quokka\n- https://example.com\n" },
      with: { filesIn: () => other.memory.files },
    });
    const { from, to, topics } = await readDiff(tree.memory, { from: "now", to: "../other" });
    expect([from.kind, to.kind]).toEqual(["now", "folder"]);
    expect(topics).toEqual({
      added: [{ topic: "Bilby", type: "project", days: ["2026-03-02"] }],
      changed: [{ topic: "Quokka", type: "reference", was_type: "project", days: ["2026-03-02"] }],
      removed: [],
    });
    expect([...tree.list(), ...other.list()]).toEqual([log, log]);
  });

  test.each(["2026-02-30", "2026-13-01"])("%s is neither a day nor a revision", async (from) => {
    const message = `"${from}" is not a day of the calendar; pass a valid date such as 2026-03-15.`;
    const refusal = { code: "invalid_date", message };
    await expect(readDiff(openTestMemory().memory, { from, to: "2026-03-01" })).rejects.toMatchObject(refusal);
    await expect(readDiff(openTestMemory().memory, { from: "2026-03-01", to: from })).rejects.toMatchObject(refusal);
  });

  test("a revision without git is refused", async () => {
    await expect(readDiff(openTestMemory().memory, { from: "main" })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a comment for a pull request", () => {
  const version = { name: "main", kind: "revision", day: "2026-03-15" } as const;
  const none: DiffResult = {
    from: version,
    to: { ...version, name: "HEAD" },
    topics: { added: [], changed: [], removed: [] },
    root: { added: [], removed: [] },
  };
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.constantFrom("@ada", "</details>", "```", "` @ada `", "<img src=x>", "-->", "[x](javascript:1)", "‮evil"),
  );
  const topic = fc.record({
    topic: texts,
    type: fc.constantFrom("project", "feedback"),
    days: fc.array(fc.constant("2026-03-15")),
  });
  const line = fc.record({ section: fc.constantFrom("Recent Patterns", "Topics Index"), text: texts });
  const lists = { maxLength: 120 };

  test("has no text of the memory outside code, and at most 60,000 characters", () => {
    fc.assert(
      fc.property(
        fc.array(topic, lists),
        fc.array(topic, lists),
        fc.array(line, lists),
        fc.array(line, lists),
        (a, b, c, d) => {
          const diff = {
            ...none,
            topics: { added: a, changed: b, removed: a },
            root: { added: c, removed: d },
          } as DiffResult;
          const comment = printPullRequestComment(diff);
          expect(comment.length).toBeLessThanOrEqual(60_000);
          expect(comment.startsWith("<!-- heartwood pr-comment -->\n")).toBe(true);
          const outside = comment
            .replaceAll(/^(`{3,})diff\n[^]*?\n\1$/gmu, "")
            .replaceAll(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/gu, "");
          expect(outside).not.toMatch(/@ada|javascript|<img|‮/u);
          expect(outside.match(/<\/details>/gu)?.length).toBe(outside.match(/<details>/gu)?.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("says in one line that nothing changes, and folds long lists", () => {
    expect(printPullRequestComment(none)).toBe(
      "<!-- heartwood pr-comment -->\n**Memory:** no change (`main` → `HEAD`)\n",
    );
    const many = Array.from({ length: 40 }, (_, at) => ({ section: "Topics Index", text: `- t${at}` }));
    const text = printPullRequestComment({ ...none, root: { added: many, removed: [] } });
    expect(text).toContain("<details>\n<summary>ROOT.md</summary>\n\n```diff\n@@ Topics Index @@\n+ t0\n");
    const few = printPullRequestComment({
      ...none,
      topics: { ...none.topics, added: [{ topic: "Quokka", type: "project", days: ["2026-03-15"] }] },
    });
    expect(few).toContain("\n\n- New: `Quokka` [project], 2026-03-15\n");
    expect(few).not.toContain("<details>");
  });
});
