import { describe, expect, test } from "vitest";
import { scanLines } from "../../base/markdown.ts";
import { parseHeadingTopic, type MemoryType } from "../../base/memory-type.ts";
import type { Passage, SourceSection } from "../../base/passage.ts";
import { CollectedLines, weighLines } from "./source-lines.ts";
import { sendableSections, sendableLines } from "./sendable-lines.ts";

function section(text: string): SourceSection {
  const texts = text.split("\n");
  const kinds = scanLines(texts).lines;
  const heading = texts[0]?.startsWith("## ") === true ? texts[0].slice(3) : "";
  const { name, type, tagged } = parseHeadingTopic(heading);
  const lines = texts.map((one, at) => ({ number: at + 1, text: one, kind: kinds[at]?.kind ?? ("text" as const) }));
  return { heading, topic: name, type: type as MemoryType, tagged, log: "2026-03-15", lines };
}

function told(text: string): readonly string[] {
  return sendableSections([section(text)]).map((line) => line.text);
}

describe("lines that may be sent to a model", () => {
  test("carry the positions of their raw lines", () => {
    const lines = sendableSections([section("## Auth [project]\n\n- decided: tokens\n```sh\nls\n```\n- open: keys")]);
    expect(lines.map(({ text, refs: [ref] }) => `${ref?.from}-${ref?.to} ${text}`)).toEqual([
      "1-1 ## Auth [project]",
      "3-3 - decided: tokens",
      "7-7 - open: keys",
    ]);
  });

  test("include only the open items of a working state snapshot", () => {
    const text = "## Working State Snapshot\n- doing the importer now\n- [ ] write the migration\n- [x] read the code";
    expect(told(text)).toEqual(["## Working State Snapshot", "- [ ] write the migration"]);
  });

  test("exclude code, traces, diffs, trees, comments and ephemeral text", () => {
    const text = [
      "## Auth [project]",
      "<!-- hw id=a1 at=2026-03-15T14:05:00+01:00 origin=agent bytes=79 -->",
      "- decided: tokens",
      "```sh",
      "rm -rf secret",
      "```",
      "TypeError: x is undefined",
      "    at run (src/a.js:1:2)",
      "    at main (src/b.js:3:4)",
      "",
      "diff --git a/x b/x",
      "--- a/x",
      "+++ b/x",
      "@@ -1 +1 @@",
      "-old",
      "+new",
      "",
      "├── src",
      "└── test",
      "",
      "- temporary: a flag",
      "- 임시로 꺼 둔 검사",
      "- kept",
    ].join("\n");
    expect(told(text)).toEqual(["## Auth [project]", "- decided: tokens", "- TypeError: x is undefined", "- kept"]);
    expect(told("## Auth, delete later [project]\n- decided")).toEqual([]);
    expect(told("## Auth [project]\n```\nx\n```")).toEqual([]);
  });

  test("keep text that only looks ephemeral in entries of type user and feedback", () => {
    expect(told("## Lodging [user]\n- temporary address: Busan\n```\nx\n```")).toEqual([
      "## Lodging [user]",
      "- temporary address: Busan",
    ]);
  });

  test("include what the assistant said, without ephemeral sentences", () => {
    const text = "User: I live in Busan.\nAssistant: Nice! This flag is temporary. Wear a helmet.\nUser: a test run";
    expect(told(text)).toEqual(["User: I live in Busan.", "Assistant: Nice! Wear a helmet."]);
  });

  test("include only the last copy of an entry", () => {
    const copy = (text: string): SourceSection =>
      section(`## Auth [project]\n<!-- hw id=a1 at=2026-03-15T14:05:00+01:00 origin=agent -->\n- ${text}`);
    expect(sendableSections([copy("torn"), copy("whole")]).map(({ text }) => text)).toEqual([
      "## Auth [project]",
      "- whole",
    ]);
  });

  test("contain no characters that reverse text and no NUL, and long lines are split at sentence ends", () => {
    expect(told("to\u202eken\u0000 bucket\u2028x")).toEqual(["token bucket x"]);
    const long = Array.from({ length: 100 }, (_, at) => `Sentence number ${at} is about the gateway.`).join(" ");
    const pieces = told(long);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every((piece) => piece.length <= 1_000 && piece.endsWith("."))).toBe(true);
    expect(pieces.join(" ")).toBe(long);
    expect(told("𝒳".repeat(1_500)).every((piece) => piece.isWellFormed())).toBe(true);
  });

  test("of thread messages keep their seq", () => {
    const lines = sendableLines([
      { text: "user: look\n```\ncode\n```\nwell", refs: [], seq: 7 },
      { text: "assistant: a test run", refs: [], seq: 8 },
    ]);
    expect(lines).toEqual([
      { text: "user: look", refs: [], seq: 7 },
      { text: "well", refs: [], seq: 7 },
    ]);
  });
});

describe("the weight of lines", () => {
  test("is that of the best passage over them; a heading gets the best weight below it", () => {
    const lines = sendableSections([section("## Auth [project]\n- decided: tokens\n- note")]);
    const base = { role: "decision", topic: "Auth", type: "project", text: "tokens", lines: [], weight: 1 } as const;
    const passage = (from: number, to: number): Passage => ({
      ...base,
      refs: [{ log: "2026-03-15", from, to }],
      progress: "active",
      at: [0, 0],
      naming: "given",
    });
    const passages = [passage(2, 2), passage(1, 3)];
    const weighed = weighLines(lines, passages, (one) => (one === passages[0] ? 2 : 0.5));
    expect(weighed.map(({ weight }) => weight)).toEqual([2, 2, 0.5]);
  });
});

describe("collected lines", () => {
  test("are kept in order in bounded memory, and the others are counted", () => {
    const collected = new CollectedLines(20_000);
    for (let at = 0; at < 5_000; at++) collected.add([{ text: `line ${at}`, refs: [] }]);
    const [{ lines } = { lines: [] }] = collected.sources();
    expect(lines.length + collected.leftOut).toBe(5_000);
    expect(lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(20_000);
    const numbers = lines.map(({ text }) => Number(text.slice(5)));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });
});
