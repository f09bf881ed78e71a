import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanLines } from "../../base/markdown.ts";
import type { MemoryType } from "../../base/memory-type.ts";
import type { Passage, SourceSection } from "../../base/passage.ts";
import { parseSummary, printSummary } from "../model/summary-format.ts";
import { extractSection } from "./extract.ts";
import { progressOf } from "./progress.ts";
import { contentWords } from "../../text/extract/words.ts";

function sectionOf(topic: string, type: MemoryType, body: readonly string[]): SourceSection {
  const texts = [`## ${topic} [${type}]`, ...body];
  const { lines } = scanLines(texts);
  return {
    heading: `${topic} [${type}]`,
    topic,
    type,
    tagged: "tagged",
    log: "2026-03-15",
    lines: texts.map((text, index) => ({ number: index + 1, text, kind: lines[index]?.kind ?? "text" })),
  };
}

const preservedOf = (passages: readonly Passage[]): readonly string[] =>
  passages.filter(({ role }) => role === "preserved").flatMap(({ lines }) => lines.map((line) => line.text));

const keywordsOf = (passages: readonly Passage[]): string => passages.find(({ role }) => role === "topic")?.text ?? "";

describe("what is extracted", () => {
  it("never holds half of a character", () => {
    expect(contentWords("東京都千代田区𠮷野家本店").map((word) => word.shown)).toEqual([
      "東京都",
      "千代田区",
      "𠮷野家本店",
    ]);
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 400 }),
      fc
        .array(fc.constantFrom("𠮷", "野", "家", "😀", "a", " ", ". ", "。", "한", "ア", "- "), { maxLength: 600 })
        .map((parts) => parts.join("")),
    );
    const lines = fc.array(fc.tuple(fc.constantFrom("- ", "- decisions: ", "User: ", "- [x] ", ""), text), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(text, fc.constantFrom<MemoryType>("project", "user", "reference"), lines, (topic, type, body) => {
        const name = topic.replaceAll(/\s+/gu, " ").trim();
        const section = sectionOf(
          name,
          type,
          body.map(([mark, said]) => mark + said.replaceAll(/[\r\n]/gu, " ")),
        );
        for (const passage of extractSection(section)) {
          expect(passage.text.isWellFormed()).toBe(true);
          expect(passage.topic.isWellFormed()).toBe(true);
          for (const line of passage.lines) expect(line.text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 300, seed: 20_260_315 },
    );
  });

  it("of a user's entry is every line, whatever it looks like, and comes back from a summary", () => {
    const body = [
      "I sit with the data team",
      "at Example GmbH (Berlin office)",
      "and my standup is daily",
      "at 09:30",
      "├── not a tree",
      "--- a/not/a/diff",
      "- my alias:",
      "  ```sh",
      "# a comment",
      "",
      "alias ll='ls -l'",
      "  ```",
      "commit 0123456 is where I began",
    ];
    const passages = extractSection(sectionOf("Where I work", "user", body));
    expect(preservedOf(passages)).toEqual(["Where I work [user]", ...body.map((line) => line.replace(/^# /u, "\\# "))]);
    expect(keywordsOf(passages)).toContain("GmbH");
    expect(keywordsOf(passages)).not.toContain("alias ll");
    const { body: lines, spans } = printSummary("daily", "2026-03-15", passages);
    const part = { lines, firstLine: 1, spans, fallback: [], near: "2026-03-15" };
    expect(preservedOf(parseSummary(part))).toEqual(preservedOf(passages));
  });

  it("keeps a heading in a fence of a user's entry from ending it", () => {
    const passages = extractSection(sectionOf("My template", "user", ["```md", "## Notes", "- x", "```", "- last"]));
    expect(preservedOf(passages)).toEqual(["My template [user]", "```md", "\\## Notes", "- x", "```", "- last"]);
    const { body: lines, spans } = printSummary("daily", "2026-03-15", passages);
    const part = { lines, firstLine: 1, spans, fallback: [], near: "2026-03-15" };
    expect(preservedOf(parseSummary(part))).toEqual(preservedOf(passages));
  });

  it("takes no word from code that is fenced in a list", () => {
    const passages = extractSection(
      sectionOf("Fix", "project", ["- fix:", "    ```ts", "    const gadget = 1;", "    ```", "- decisions: ship it"]),
    );
    expect(JSON.stringify(passages)).not.toContain("gadget");
    expect(passages.map(({ role }) => role)).toContain("decision");
  });

  it("reads check boxes behind every mark of a list", () => {
    const passages = extractSection(
      sectionOf("Move", "project", ["1. [x] pack", "2) [ ] drive", "+ [X] unpack", "* [ ] rest"]),
    );
    expect(passages.filter(({ text }) => /^\w+$/u.test(text)).map(({ role, text }) => `${role} ${text}`)).toEqual([
      "done pack",
      "open drive",
      "done unpack",
      "open rest",
    ]);
  });
});

describe("whether a topic is completed", () => {
  it.each([
    ["1. [x] a", "2. [x] b"],
    ["+ [x] a"],
    ["* [X] a [ ]"],
    ["- [x] a"],
    ["+ status: done"],
    ["* status: done"],
    ["- **Status:** done"],
    ["status: done"],
  ])("is said by %s", (...lines) => {
    expect(progressOf("Move", lines)).toBe("done");
  });

  it.each([["1. [x] a", "2. [ ] b"], ["+ [ ] a [x]"], ["+ status: open"], ["- [x] a", "* [ ] b"]])(
    "is not said by %s",
    (...lines) => {
      expect(progressOf("Move", lines)).toBe("active");
    },
  );
});
