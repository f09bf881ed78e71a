import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { sectionsOfProfile } from "./profile.ts";
import { chunksOf, cutSection, sectionsIn, cutMessages, sentenceParts, type IndexedSection } from "./sections.ts";

const cutDocument = (lines: readonly string[]) => sectionsIn(lines).map(cutSection);
const placed = (section: Pick<IndexedSection, "chunks"> | undefined) =>
  section?.chunks.map(({ lines, text }) => ({ lines, text }));
const linesOf = (text: string): readonly string[] => text.split("\n");

describe("cutting a document", () => {
  test("a section begins at each heading of level 1 or 2 and has its type and lines", () => {
    const text = "intro\n\n## Limiter [feedback]\nnever two\n### deeper\nmore\n\n## Other\n\nx";
    const cut = cutDocument(linesOf(text));
    expect(cut.map(({ heading, type, lines }) => [heading, type, lines])).toEqual([
      ["", "project", [1, 1]],
      ["Limiter", "feedback", [3, 6]],
      ["Other", "project", [8, 10]],
    ]);
    expect(placed(cut[1])).toEqual([{ lines: [3, 6], text: "## Limiter [feedback]\nnever two\n### deeper\nmore" }]);
  });

  test("a heading in a fence does not begin a section", () => {
    const cut = cutDocument(linesOf("## A\n```\n## no heading\n```\n## B"));
    expect(cut.map(({ heading }) => heading)).toEqual(["A", "B"]);
  });

  test("conflict markers are left out", () => {
    const [section] = cutDocument(["## A [user]", "<<<<<<< HEAD", "one", "=======", "two", ">>>>>>> branch"]);
    expect(section?.chunks.map(({ text }) => text).join("\n")).not.toMatch(/[<=>]{3}|HEAD|branch/u);
  });

  test("front matter keeps only keys that people write", () => {
    const front =
      "---\ntype: daily\nsources:\n  - {path: memory/2026-03-10.md}\ntopics: 'auth [project]'\ntags:\n  - redis\n---\n# 2026";
    const cut = cutDocument(linesOf(front));
    expect(placed(cut[0])).toEqual([{ lines: [5, 7], text: "topics: 'auth [project]'\ntags:\n  - redis" }]);
    expect(cut[1]?.lines).toEqual([9, 9]);
  });

  test("entry comments are left out", () => {
    const comment = "<!-- hw id=01J at=2026-03-15T14:05:00+01:00 origin=agent -->";
    const [section] = cutDocument(["## A [project]", comment, "text"]);
    expect(placed(section)).toEqual([{ lines: [1, 3], text: "## A [project]\ntext" }]);
  });

  test("an empty text has no section", () => {
    for (const text of ["", "\n\n", "   \n\t"]) expect(cutDocument(linesOf(text))).toEqual([]);
  });

  test("every line with text is in the chunks of exactly one section, with its number", () => {
    const line = fc.oneof(
      fc.constantFrom("", "## A", "# B", "```", "text", "- item", "User: hello there", "東京タワーへ行った。"),
      fc.string({ maxLength: 2500 }).map((text) => text.replaceAll(/[\r\n]/gu, " ")),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        // Text that looks like front matter or an entry comment is left out on purpose.
        fc.pre(!lines.some((text) => text.startsWith("---") || text.startsWith("<!-- hw ")));
        const sections = cutDocument(lines);
        const seen = new Map<number, string>();
        for (const { chunks } of sections)
          for (const {
            lines: [first, last],
            text,
          } of chunks) {
            if (first === last) seen.set(first, (seen.get(first) ?? "") + text);
            else text.split("\n").forEach((own, at) => seen.set(first + at, own));
          }
        const squeeze = (text: string): string => text.replaceAll(/\s/gu, "");
        lines.forEach((text, at) => expect(squeeze(seen.get(at + 1) ?? "")).toBe(squeeze(text)));
      }),
      { numRuns: 60 },
    );
  });
});

describe("chunks", () => {
  const line = (number: number, length: number) => ({ number, text: "word ".repeat(length / 5).trim() });

  test("have about 800 characters and end at a blank line if possible", () => {
    const lines = Array.from({ length: 30 }, (_, at) =>
      at % 6 === 5 ? { number: at + 1, text: "" } : line(at + 1, 120),
    );
    const chunks = chunksOf(lines);
    expect(chunks.map(({ lines: [first, last] }) => [first, last])).toEqual([
      [1, 5],
      [7, 11],
      [13, 17],
      [19, 23],
      [25, 29],
    ]);
    expect(Math.max(...chunks.map(({ text }) => text.length))).toBeLessThanOrEqual(1000);
  });

  test("a longer line is cut at sentences and keeps its number", () => {
    const text = Array.from({ length: 40 }, (_, at) => `Sentence number ${at} says something of its own.`).join(" ");
    const chunks = chunksOf([{ number: 7, text }]);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.every(({ lines, text: part }) => lines[0] === 7 && lines[1] === 7 && part.endsWith("."))).toBe(true);
    expect(chunks.map((chunk) => chunk.text).join(" ")).toBe(text);
  });
});

describe("parts of a long line", () => {
  test("lose only white space, are bounded, and do not split characters", () => {
    const piece = fc.constantFrom("word ", "🦀", "東京。", "x", "end. ", "e\u0301", "  ");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
        const text = pieces.join("");
        const parts = sentenceParts(text, 100);
        expect(parts.join("").replaceAll(/\s/gu, "")).toBe(text.replaceAll(/\s/gu, ""));
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(101);
          expect(part).toBe(part.toWellFormed());
        }
      }),
    );
  });

  test("10 MB without a space are cut in linear time", () => {
    const run = (): void => {
      expect(sentenceParts("x".repeat(10_000_000), 800).length).toBe(12_500);
      expect(sentenceParts("a. ".repeat(1_000_000), 800).length).toBeGreaterThan(3000);
    };
    expect(processorTime(5000, run)).toBeLessThan(5000);
  });
});

describe("messages of a thread", () => {
  const message = (seq: number, day: string, text: string) => ({ seq, day, role: "user", text }) as const;

  test("are split into runs of one day, whose lines are seqs", () => {
    const cut = cutMessages(
      [message(1, "2026-03-01", "a\nb"), message(4, "2026-03-01", "c"), message(5, "2026-03-02", "d")],
      "T",
    );
    expect(cut.map(({ day, heading, lines }) => [day, heading, lines])).toEqual([
      ["2026-03-01", "T", [1, 4]],
      ["2026-03-02", "T", [5, 5]],
    ]);
    expect(placed(cut[0])).toEqual([{ lines: [1, 4], text: "User: a\nb\nUser: c" }]);
  });
});

describe("MEMORY.md and USER.md", () => {
  const entriesOf = (text: string) =>
    sectionsOfProfile(linesOf(text), "2026-03-20")
      .map((section) => ({ ...cutSection(section), day: section.day }))
      .map(({ heading, type, origin, day, lines, chunks }) => [heading, type, origin, day, lines, chunks[0]?.text]);

  test("text without a tag has type user; a tag applies to its section, or up to the next heading below it", () => {
    const text =
      "# Memory\n\n- likes tea\n\n## Build [project]\n- uses make\n\n## Core\n- never deploy on Friday\n### Style [feedback]\n- short answers\n### 취향\n- 커피는 안 마심\n";
    expect(entriesOf(text)).toEqual([
      ["Memory", "user", "user", undefined, [1, 3], "# Memory\n\n- likes tea"],
      ["Build", "project", "user", undefined, [5, 6], "## Build [project]\n- uses make"],
      ["Core", "user", "user", undefined, [8, 9], "## Core\n- never deploy on Friday"],
      ["Style", "feedback", "user", undefined, [10, 11], "### Style [feedback]\n- short answers"],
      ["Core", "user", "user", undefined, [12, 13], "### 취향\n- 커피는 안 마심"],
    ]);
  });

  test("an item that begins with a day up to today has that day; others have the day of their heading, if any", () => {
    const text =
      "## Home\n- likes it quiet\n- 2026-01-05: lives in Porto\n  since the summer\n- **2026-03-10** moved to Lisbon\n- 2026-12-01: exam\n- rent due 2026-02-01\n\n## 2026-02-14 Retro\n- ship less\n";
    expect(entriesOf(text)).toEqual([
      ["Home", "user", "user", undefined, [1, 2], "## Home\n- likes it quiet"],
      ["Home", "user", "user", "2026-01-05", [3, 4], "## Home\n- 2026-01-05: lives in Porto\n  since the summer"],
      ["Home", "user", "user", "2026-03-10", [5, 5], "## Home\n- **2026-03-10** moved to Lisbon"],
      ["Home", "user", "user", undefined, [6, 7], "## Home\n- 2026-12-01: exam\n- rent due 2026-02-01"],
      ["2026-02-14 Retro", "user", "user", "2026-02-14", [9, 10], "## 2026-02-14 Retro\n- ship less"],
    ]);
  });

  test("an unfilled template gives nothing; comments, items without a value and the Compaction Root are left out", () => {
    const template =
      "# User Profile\n\n## Identity\n- Name:\n- **Langue :**\n\n## Preferences\n<!-- Agent: fill in\n- what the user likes\n-->\n";
    expect(entriesOf(template)).toEqual([]);
    const text =
      "## Identity\n- Name: Mina\n- Timezone:\n- Pets:\n  - a cat\n\n## Compaction Root\n\n### Topics Index\n- Auth [project, 1d]: tokens\n\n## Core\n```\n<!-- kept -->\n```\n";
    expect(entriesOf(text)).toEqual([
      ["Identity", "user", "user", undefined, [1, 5], "## Identity\n- Name: Mina\n- Pets:\n  - a cat"],
      ["Core", "user", "user", undefined, [12, 15], "## Core\n```\n<!-- kept -->\n```"],
    ]);
  });

  test("an entry with a recorded origin keeps it", () => {
    const text =
      "## Cities [user]\n<!-- hw id=a at=2026-03-15T14:05:00+01:00 origin=import -->\n- 2026-03-01: Rome\n- Oslo\n";
    expect(entriesOf(text).map(([, type, origin, day]) => [type, origin, day])).toEqual([
      ["user", "import", "2026-03-01"],
      ["user", "import", undefined],
    ]);
  });
});
