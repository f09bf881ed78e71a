import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { memoryTypes } from "../../base/memory-type.ts";
import { contentDigest, parseNode, printNode, type Node } from "./node-format.ts";
import { cleanTopicName, parseTopics, printTopics, uniqueTopics } from "./node-sections.ts";

const sha256 = "0123456789abcdef".repeat(4);

function nodeWith(topics: Node["topics"], body: readonly string[]): Node {
  return {
    name: { level: "daily", period: "2026-03-15", late: 0 },
    status: "tentative",
    topics,
    weeks: [],
    madeBy: "copy-1",
    redactedBy: "secrets-2",
    since: undefined,
    spans: [{ at: 1, count: 2, log: "2026-03-15-standup", from: 1 }],
    sources: [
      {
        kind: "raw",
        path: "memory/2026-03-15.md",
        bytes: 10,
        lines: 2,
        sha256,
        sections: [{ line: 1, digest: "0123456789abcdef" }],
        grouping: 0,
        part: [],
      },
    ],
    body,
    foreign: [],
  };
}

const topics = fc
  .array(fc.record({ name: fc.string({ unit: "grapheme" }), type: fc.constantFrom(...memoryTypes) }), { maxLength: 6 })
  .map((drawn) => uniqueTopics(drawn.map((topic) => ({ ...topic, name: cleanTopicName(topic.name) }))));

describe("the format of a node", () => {
  it("has front matter that any YAML reader can parse", () => {
    fc.assert(
      fc.property(topics, (drawn) => {
        const text = printNode(nodeWith(drawn, ["# 2026-03-15"]));
        const front = parse(text.split("\n---\n")[0]?.slice(4) ?? "") as Record<string, unknown>;
        expect(front["type"]).toBe("daily");
        expect(parseTopics(String(front["topics"] ?? ""))).toEqual(drawn);
      }),
    );
  });

  it("reads topics back as written", () => {
    fc.assert(
      fc.property(topics, (drawn) => {
        expect(parseTopics(printTopics(drawn))).toEqual(drawn);
      }),
    );
  });

  it("reads a node back as written, with its recorded digest", () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/gu, " "));
    fc.assert(
      fc.property(topics, fc.array(line, { maxLength: 8 }), (drawn, body) => {
        const node = nodeWith(drawn, body);
        const reading = parseNode(node.name, printNode(node));
        expect(reading).toMatchObject({ state: "ours", node, recorded: contentDigest(node) });
      }),
    );
  });
});
