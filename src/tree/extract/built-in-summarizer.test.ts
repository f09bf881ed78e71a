import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanLines } from "../../base/markdown.ts";
import type { MemoryType } from "../../base/memory-type.ts";
import type { Passage, SourceSection } from "../../base/passage.ts";
import { parseSummary, printSummary } from "../model/summary-format.ts";
import { extractSection } from "./built-in-summarizer.ts";
import { progressOf } from "./items.ts";
import { contentWords } from "../../text/extract/words.ts";
import { processorTime } from "../../../test/fixtures/processor-time.ts";

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

describe("the extraction", () => {
  it("finds users, services, files and errors, and does not mistake packages, addresses or bots for users", () => {
    const passages = extractSection(
      sectionOf("Login outage", "project", [
        "- outcome: @mira and @jo_k found ENOTFOUND in src/net/dns.ts, see https://status.example.org/42",
        "- attendees: Ada Lovelace, Bo",
        "- files: `@types/node` came from renovate@bot.example.org, @renovate-bot and @dependabot[bot], not @param",
      ]),
    );
    const told = passages.filter(({ role }) => role === "entity").map(({ topic, text }) => `${topic}: ${text}`);
    expect(told).toEqual([
      "users: @mira, @jo_k, Ada Lovelace, Bo",
      "services: status.example.org",
      "files: src/net/dns.ts",
      "errors: ENOTFOUND",
    ]);
  });

  it("keeps only the solution of debugging attempts, or all attempts if there is none", () => {
    const attempts = ["- attempt 1: raised the pool size, no change", "- tried a new driver, it didn't help"];
    const textsOf = (body: readonly string[]): readonly string[] =>
      extractSection(sectionOf("Slow checkout", "project", body))
        .filter(({ role }) => role !== "topic")
        .map(({ text }) => text);
    expect(textsOf([...attempts, "- fix: an index on orders.customer_id"])).toEqual([
      "fix: an index on orders.customer_id",
    ]);
    expect(textsOf(attempts)).toHaveLength(2);
    expect(textsOf(["- fix: an index", ...attempts])).toHaveLength(3);
  });

  it("never splits a character", () => {
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

  it("keeps every line of a user entry, whatever it looks like, and it survives a summary", () => {
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

  it("prevents a heading in a fence of a user entry from ending the entry", () => {
    const passages = extractSection(sectionOf("My template", "user", ["```md", "## Notes", "- x", "```", "- last"]));
    expect(preservedOf(passages)).toEqual(["My template [user]", "```md", "\\## Notes", "- x", "```", "- last"]);
    const { body: lines, spans } = printSummary("daily", "2026-03-15", passages);
    const part = { lines, firstLine: 1, spans, fallback: [], near: "2026-03-15" };
    expect(preservedOf(parseSummary(part))).toEqual(preservedOf(passages));
  });

  it("takes no word from code fenced in a list", () => {
    const passages = extractSection(
      sectionOf("Fix", "project", ["- fix:", "    ```ts", "    const gadget = 1;", "    ```", "- decisions: ship it"]),
    );
    expect(JSON.stringify(passages)).not.toContain("gadget");
    expect(passages.map(({ role }) => role)).toContain("decision");
  });

  it("recognizes check boxes after every list marker", () => {
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

describe("a topic counts as completed", () => {
  it.each([["+ status: done"], ["* status: done"], ["- **Status:** done"], ["status: done"]])("with %s", (...lines) => {
    expect(progressOf("Move", lines)).toBe("done");
  });

  it.each([
    ["1. [x] a", "2. [ ] b"],
    ["+ [ ] a [x]"],
    ["+ status: open"],
    ["- [x] a", "* [ ] b"],
    ["- [x] a", "- [x] b", "only c is missing"],
    ["- [x] a"],
    ["- outcome: shipped", "- outcome: the crash is back, reopened"],
  ])("but not with %s", (...lines) => {
    expect(progressOf("Move", lines)).toBe("active");
  });
});

function fromRoot(text: string, type: SourceSection["type"] = "project"): readonly Passage[] {
  const heading = `From ROOT.md [${type}]`;
  return extractSection({
    heading,
    topic: "From ROOT.md",
    type,
    tagged: "tagged",
    log: "2026-03-15",
    lines: [
      { number: 1, text: `## ${heading}`, kind: "heading" },
      { number: 2, text, kind: "text" },
    ],
  });
}

function told(text: string, type?: SourceSection["type"]): unknown {
  const [topic, note] = fromRoot(text, type);
  return [topic?.topic, note?.lines.at(-1)?.text ?? note?.text];
}

describe("a user's line from ROOT.md", () => {
  it("is not split inside an address or a time", () => {
    const guide = "onboarding guide https://wiki.example.com/onboarding";
    expect(told(`- ${guide}`, "reference")).toEqual(["onboarding guide", guide]);
    expect(told("- https://status.example.com", "reference")).toEqual([
      "status.example.com",
      "https://status.example.com",
    ]);
    expect(told("- https://status.example.com: all systems", "reference")).toEqual([
      "status.example.com",
      "https://status.example.com: all systems",
    ]);
    expect(told("- standup is at 10:30", "user")).toEqual(["standup is at 10:30", "- standup is at 10:30"]);
    expect(told("- std::vector: grows by half")).toEqual(["std::vector", "grows by half"]);
    expect(told("- 배포：매주 금요일")).toEqual(["배포", "매주 금요일"]);
  });

  it("gets a topic name of at most 80 whole characters", () => {
    const [topic] = fromRoot(`- ${"a".repeat(79)}🚀bc tail: told something`);
    expect(topic?.topic).toBe(`${"a".repeat(79)}🚀`);
    expect(topic?.text).toBe("told something");
  });
});

function noteOf(...said: readonly string[]): SourceSection {
  const texts = ["## Notes", ...said, "- the carpenter came at nine"];
  const { lines } = scanLines(texts);
  return {
    heading: "Notes",
    topic: "Notes",
    type: "project",
    tagged: "untagged",
    log: "2026-03-15",
    lines: texts.map((text, index) => ({ number: index + 1, text, kind: lines[index]?.kind ?? "text" })),
  };
}

const spaces = " ".repeat(60_000);

describe("a long line", () => {
  it.each([
    ["begins with spaces", `${spaces}x`],
    ["is a heading with spaces inside", `### a${spaces}b`],
    ["has a key, spaces and a line separator", `a:${" ".repeat(2_000)}x\u2028y`],
    ["has hyphens and no file", `${"a-".repeat(30_000)}.x/`],
    ["has folders after hyphens", `${"-a/".repeat(20_000)}.x`],
  ])("that %s is processed in linear time", (_, line) => {
    const note = noteOf(line);
    expect(processorTime(800, () => extractSection(note))).toBeLessThan(800);
  });
});

describe("a note of many short lines", () => {
  it.each([
    ["Chinese", "- 我的服务器的数据库的缓存的日志已经完成了"],
    ["English", "- the gardener watered both beds again"],
    ["Japanese", "- 設計の検討を進めた。会議は来週だ。"],
  ])("in %s is processed in linear time", (_, line) => {
    const note = noteOf(...Array.from({ length: 6_000 }, (__, index) => `${line}${index % 7}`));
    expect(processorTime(2_500, () => extractSection(note))).toBeLessThan(2_500);
  });
});
