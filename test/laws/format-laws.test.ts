import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "../../src/base/calendar.ts";
import { scanLines } from "../../src/base/markdown.ts";
import { parseHeadingTopic, type Topic } from "../../src/base/memory-type.ts";
import { parseRefSuffix, printRefSuffix, type Ref } from "../../src/base/refs.ts";
import { printEntry, type Entry } from "../../src/tree/model/entry-format.ts";
import { parseEntry } from "../fixtures/read-entry.ts";
import { contentDigest, parseNode, printNode, type Node } from "../../src/tree/model/node-format.ts";
import { childrenOf, nodePath, parentOf, parseNodeFile, type NodeName } from "../../src/tree/model/period.ts";
import {
  parseSource,
  printSource,
  type Source,
  cleanTopicName,
  parseTopics,
  printTopics,
  uniqueTopics,
} from "../../src/tree/model/node-sections.ts";
import { firstDay, names, types } from "../fixtures/random-trees.ts";

const settings = { numRuns: 1000, seed: 20_260_315 };

const digest = fc.stringMatching(/^[0-9a-f]{64}$/u);
const shortDigest = fc.stringMatching(/^[0-9a-f]{16}$/u);
const day = fc.integer({ min: -4000, max: 4000 }).map((n) => addDays(firstDay, n));
const slug = fc.oneof({ weight: 3, arbitrary: fc.constant("") }, fc.stringMatching(/^-[a-z0-9회]{1,8}$/u));
const topics: fc.Arbitrary<readonly Topic[]> = fc
  .array(fc.record({ name: names.map(cleanTopicName), type: types as fc.Arbitrary<Topic["type"]> }), { maxLength: 6 })
  .map(uniqueTopics);
const spans = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.nat({ max: 900 })), { maxLength: 4 })
  .map((pairs) => pairs.map(([from, more]) => ({ from, to: from + more })));

const rawSource: fc.Arbitrary<Source> = fc.record({
  kind: fc.constant("raw" as const),
  path: fc.tuple(day, slug).map(([name, rest]) => `memory/${name}${rest}.md`),
  bytes: fc.nat(),
  lines: fc.nat(),
  sha256: digest,
  sections: fc.array(fc.record({ line: fc.integer({ min: 1, max: 1e6 }), digest: shortDigest }), { maxLength: 5 }),
  grouping: fc.nat({ max: 12 }),
  part: spans,
});
const nodeSource: fc.Arbitrary<Source> = fc.record({
  kind: fc.constant("node" as const),
  path: day.map((name) => `memory/daily/${name}.late-2.md`),
  sha256: digest,
});

const name: fc.Arbitrary<NodeName> = fc
  .tuple(day, fc.constantFrom("daily", "weekly", "monthly"), fc.nat({ max: 3 }))
  .map(([date, level, late]): NodeName => {
    const week = parentOf("daily", date)?.period ?? "";
    const period = level === "daily" ? date : level === "weekly" ? week : (parentOf("weekly", week)?.period ?? "");
    return { level: level as NodeName["level"], period, late };
  });
const bodyLine = fc.oneof(
  names.map((text) => text.replaceAll(/[\r\n]/gu, " ")),
  fc.constantFrom("---", "", "type: daily", "# x", "content: 0", "\\", " - a", "\u2028", "\u0085"),
);

const node: fc.Arbitrary<Node> = fc
  .record({
    name,
    status: fc.constantFrom("tentative" as const, "fixed" as const),
    topics,
    madeBy: fc.constantFrom("copy-1", "concat-1", "built-in-4", "foreign", "answer-1+built-in-4"),
    answer: fc.record({ digest, model: fc.constantFrom("pull", "openai-compatible-1:qwen3:4b", "") }),
    spans: fc.array(
      fc.record({
        at: fc.integer({ min: 1, max: 999 }),
        count: fc.integer({ min: 1, max: 99 }),
        log: fc.tuple(day, slug).map((parts) => parts.join("")),
        from: fc.integer({ min: 1, max: 99_999 }),
      }),
      { maxLength: 4 },
    ),
    sources: fc.array(fc.oneof(rawSource, nodeSource), { maxLength: 4 }),
    body: fc.array(bodyLine, { minLength: 1, maxLength: 8 }),
    foreign: fc.constantFrom([], ["owner: anna"], ["# a comment", "tags:", "  - a # b", "  - c: d"]),
    since: day,
  })
  .map((made) => ({
    ...made,
    since: made.name.late > 0 ? made.since : undefined,
    weeks: made.name.level === "monthly" ? childrenOf("monthly", made.name.period) : [],
    redactedBy: undefined,
    answer: made.madeBy.startsWith("answer-") ? made.answer : undefined,
  }));

describe("printing and parsing gives the same value", () => {
  it("topics with any names, even with commas, quotes, brackets, colons and hashes", () => {
    fc.assert(
      fc.property(topics, (given) => {
        expect(parseTopics(printTopics(given))).toEqual(given);
      }),
      settings,
    );
  });

  it("sources", () => {
    fc.assert(
      fc.property(fc.oneof(rawSource, nodeSource), (source) => {
        expect(parseSource(printSource(source))).toEqual(source);
      }),
      settings,
    );
  });

  it("nodes, with their content digest and file name", () => {
    fc.assert(
      fc.property(node, (given) => {
        const text = printNode(given);
        const reading = parseNode(given.name, text);
        expect(reading.state).toBe("ours");
        if (reading.state !== "ours") return;
        expect(reading.node).toEqual(given);
        expect(reading.recorded).toBe(contentDigest(given));
        expect(text.split("\n").slice(reading.bodyLine - 1, -1)).toEqual(given.body);
        expect(printNode(reading.node)).toBe(text);
        const path = nodePath(given.name);
        expect(parseNodeFile(given.name.level, path.slice(path.lastIndexOf("/") + 1))).toEqual(given.name);
      }),
      settings,
    );
  });

  it("refs after any text, in the nearest year", () => {
    const ref: fc.Arbitrary<Ref> = fc
      .tuple(fc.integer({ min: -100, max: 100 }), slug, fc.nat({ max: 99_999 }), fc.nat({ max: 500 }), fc.boolean())
      .map(([days, rest, from, more, isFound]) => ({
        log: addDays(firstDay, days) + rest,
        from,
        to: from === 0 ? 0 : from + more,
        ...(isFound ? { found: "by_match" as const } : {}),
      }));
    fc.assert(
      fc.property(names, fc.array(ref, { minLength: 1, maxLength: 8 }), (text, refs) => {
        expect(parseRefSuffix(text + printRefSuffix(refs), firstDay)).toEqual({ text, refs });
      }),
      settings,
    );
  });

  it("entries, whatever their lines look like, each as one section", () => {
    const line = fc.oneof(
      bodyLine,
      fc.constantFrom(
        "## a",
        "# b",
        "#",
        "\\## c",
        "\\\\# d",
        "<!-- hw id=1 at=2 origin=user -->",
        "\\<!-- hw id=1",
        "```",
        "````md",
        "~~~",
        "    ## e",
        " ## f",
        "- corrects: memory/2026-03-12.md:18",
        " \\- corrects: a ",
        "\\ - corrects: thread:a:1",
        "##g",
      ),
    );
    const entry: fc.Arbitrary<Entry> = fc.record({
      topic: names
        .map((text) => parseHeadingTopic(`${cleanTopicName(text).replace(/^[#\s]+/u, "")} [project]`).name)
        .filter((text) => text !== "" && !/\[(?:project|feedback|user|reference)\]\s*$/u.test(text)),
      type: types as fc.Arbitrary<Entry["type"]>,
      id: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/u),
      at: fc.constant("2026-03-15T14:05:00+01:00"),
      origin: fc.constantFrom("user", "agent", "tool", "import", "file"),
      body: fc
        .array(line, { minLength: 1, maxLength: 8 })
        .map((lines) => lines.map((text) => text.replaceAll(/[\r\n\u2028\u2029]/gu, " ")))
        .filter((lines) => lines.at(-1)?.trim() !== ""),
    });
    fc.assert(
      fc.property(entry, (given) => {
        const lines = printEntry(given);
        const read = parseEntry(lines);
        expect({ ...read, body: read.body.slice(0, given.body.length) }).toEqual(given);
        expect(read.body.length - given.body.length).toBeLessThanOrEqual(1);
        const scanned = scanLines([...lines, "", "## Next [user]"]);
        expect(
          scanned.lines.flatMap((one, index) => (one.kind === "heading" && one.level <= 2 ? [index] : [])),
        ).toEqual([0, lines.length + 1]);
      }),
      settings,
    );
  });
});
