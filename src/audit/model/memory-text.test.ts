import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryOf } from "../../../test/fixtures/audit-text.ts";
import { isBlank, linesOf, comparedText, charactersOf, estimateTokens } from "./memory-text.ts";

const mark = "\uFEFF";

/** `level heading [from-to]` of each section, 1-based. */
function outline(content: string | Uint8Array): readonly string[] {
  const text = memoryOf(content);
  return text.sections.map((section) => `${section.level} ${section.heading} ${linesOf(section).join("-")}`);
}

function parts(content: string): readonly string[] {
  return memoryOf(content).lines.map(({ text, part }) => `${part}: ${text}`);
}

describe("sections", () => {
  test.each<[string, string, readonly string[]]>([
    ["an empty file has no sections", "", []],
    ["only a byte order mark is an empty file", mark, []],
    ["one line is a header", "text", ["0 header 1-1"]],
    ["a heading at the top means no header", "# A\ntext\n", ["1 A 1-2"]],
    ["text before the first heading is `header`", "text\n\n# A\n", ["0 header 1-2", "1 A 3-3"]],
    ["levels 1 to 3 begin a section", "# A\n## B\n### C\n", ["1 A 1-1", "2 B 2-2", "3 C 3-3"]],
    ["level 4 and deeper are text of their section", "## A\n#### B\n##### C\n", ["2 A 1-3"]],
    ["a file with only level 4 is a header", "#### A\ntext\n", ["0 header 1-2"]],
    ["a heading keeps its # inside words", "## C# and F#\n", ["2 C# and F# 1-1"]],
    ["a heading may end in C#", "## C#\n", ["2 C# 1-1"]],
    ["closing marks are not part of its text", "## A ##\n", ["2 A 1-1"]],
    ["a mark without a space is text", "##A\n", ["0 header 1-1"]],
    ["setext headings are text", "A\n===\nB\n---\n", ["0 header 1-4"]],
    ["a heading without text begins a section", "##\nx\n", ["2  1-2"]],
    ["fences hide headings", "## A\n```\n# B\n```\n# C\n", ["2 A 1-4", "1 C 5-5"]],
    ["tilde fences hide headings too", "## A\n~~~\n## B\n~~~\n", ["2 A 1-4"]],
    ["an unclosed fence ends before the next level 2", "## A\n```\nx\n## B\n", ["2 A 1-3", "2 B 4-4"]],
    ["CRLF is a line end", "# A\r\n\r\n## B\r\n", ["1 A 1-2", "2 B 3-3"]],
    ["a byte order mark is not text", `${mark}# A\n`, ["1 A 1-1"]],
    ["front matter has no headings", "---\n# a comment\nkey: 1\n---\n# A\n", ["0 header 1-4", "1 A 5-5"]],
    ["headings can be in any script", "## 用户偏好\n## العربية\n", ["2 用户偏好 1-1", "2 العربية 2-2"]],
  ])("%s", (_name, content, sections) => {
    expect(outline(content)).toEqual(sections);
  });

  test("structure is recognised even in lines that are not UTF-8", () => {
    const latin = Buffer.from("## \xdcberblick\nx\n## Core (Static) \xfc\ny\n", "latin1");
    expect(outline(latin)).toEqual(["2 \uFFFDberblick 1-2", "2 Core (Static) \uFFFD 3-4"]);
    expect(memoryOf(latin).lines.map(({ text, part, reading }) => [text, part, reading])).toEqual([
      ["", "free", "inexact"],
      ["x", "free", "exact"],
      ["", "core", "inexact"],
      ["y", "core", "exact"],
    ]);
  });

  test("are consecutive and contain every line", () => {
    fc.assert(
      fc.property(anyMarkdown, (content) => {
        const { sections, lines } = memoryOf(content);
        const ends = [0, ...sections.map(({ to }) => to)];
        expect(sections.map(({ from }) => from)).toEqual(ends.slice(0, -1));
        expect(ends.at(-1)).toBe(lines.length);
      }),
    );
  });
});

describe("frozen and derived parts", () => {
  test("Core extends from its heading to the next of its level or above", () => {
    expect(parts("# M\n## Core (Static) — DO NOT remove\na\n### Deeper\nb\n## Adaptive\nc\n")).toEqual([
      "free: # M",
      "core: ## Core (Static) — DO NOT remove",
      "core: a",
      "core: ### Deeper",
      "core: b",
      "free: ## Adaptive",
      "free: c",
    ]);
  });

  test.each([
    ["# Core (Static)\n## x\n# y\n", ["core", "core", "free"]],
    ["### Core (Static)\nx\n#### y\n### z\n", ["core", "core", "core", "free"]],
    ["#### Core (Static)\nx\n", ["free", "free"]],
    ["## My Core (Static)\nx\n", ["free", "free"]],
    ["## core (static)\nx\n", ["free", "free"]],
    ["## Core (Static)\n## Core (Static) 2\nx\n", ["core", "core", "core"]],
    ["```\n## Core (Static)\n```\nx\n", ["fence", "fence", "fence", "free"]],
    ["## Core (Static)\n```\n## x\n```\n", ["core", "core", "core", "core"]],
    ["## Compaction Root\n### a\n#### b\n# c\n", ["derived", "derived", "derived", "free"]],
    ["## Compaction Root\nx\n## Core (Static)\ny\n", ["derived", "derived", "core", "core"]],
    ["## Core (Static)\n## Compaction Root\nx\n## y\n", ["core", "derived", "derived", "free"]],
    ["# Compaction Root\nx\n", ["free", "free"]],
    ["### Compaction Root\nx\n", ["free", "free"]],
    ["## Compaction Root and more\nx\n", ["free", "free"]],
    ["# Core (Static)\n## Compaction Root\nx\n", ["core", "core", "core"]],
    ["x\n~~~js\ny\n~~~\nz\n", ["free", "fence", "fence", "fence", "free"]],
    ["---\na: 1\n---\nx\n", ["front", "front", "front", "free"]],
    [`${mark}---\na: 1\n---\nx\n`, ["front", "front", "front", "free"]],
    ["---\r\n# Core (Static)\r\na: 1\r\n---\r\nx\r\n", ["front", "front", "front", "front", "free"]],
    ["---\na: |\n  ```\n---\n# x\n", ["front", "front", "front", "front", "free"]],
    ["---\nno front matter\n", ["free", "free"]],
    ["x\n---\na: 1\n---\n", ["free", "free", "free", "free"]],
  ])("%j", (content, expected) => {
    expect(memoryOf(content).lines.map(({ part }) => part)).toEqual(expected);
  });

  test("a section is marked as derived", () => {
    const { sections } = memoryOf("# M\n## Compaction Root\n### Topics Index\n## N\n");
    expect(sections.map(({ derived }) => derived)).toEqual([false, true, true, false]);
  });
});

describe("lines", () => {
  test("their bytes are consecutive from the byte order mark to the end", () => {
    fc.assert(
      fc.property(anyMarkdown, ({ buffer, length }) => {
        const bytes = new Uint8Array(buffer).subarray(0, length);
        const { lines } = memoryOf(bytes);
        const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
        expect(lines.map(({ from }) => from)).toEqual([marked, ...lines.map(({ to }) => to)].slice(0, lines.length));
        expect(lines.at(-1)?.to ?? length).toBe(length);
        for (const line of lines) {
          if (line.reading !== "exact") continue;
          const raw = Buffer.from(bytes.subarray(line.from, line.to)).toString("utf8");
          expect(raw.replace(/\r*\n$|\r+$/u, "")).toBe(line.text);
        }
      }),
    );
  });

  test.each([
    ["64 KiB and no line end", "a".repeat(65_536), "exact"],
    ["64 KiB and LF", `${"a".repeat(65_536)}\n`, "exact"],
    ["64 KiB and CRLF", `${"a".repeat(65_536)}\r\n`, "exact"],
    ["one byte more", "a".repeat(65_537), "inexact"],
    ["one byte more and LF", `${"a".repeat(65_537)}\n`, "inexact"],
    ["a carriage return inside", "a\rb\n", "inexact"],
  ])("%s: %#", (_name, content, reading) => {
    expect(memoryOf(content).lines.map((line) => line.reading)).toEqual([reading]);
  });

  test("an inexact line is not blank", () => {
    const { lines } = memoryOf(Buffer.from("\n \t\u3000\n\xff\nx\n", "latin1"));
    expect(lines.map(isBlank)).toEqual([true, false, false, false]);
    expect(memoryOf("\n \t\u3000\r\n").lines.map(isBlank)).toEqual([true, true]);
  });

  test("the text of a section includes its heading", () => {
    const text = memoryOf("x\r\n## A\r\ny\r\n");
    expect(text.sections.map((section) => comparedText(text, section))).toEqual(["x", "## A\ny"]);
  });
});

const scraps = fc.constantFrom(
  "# A",
  "## B",
  "### C",
  "#### D",
  "```",
  "~~~",
  "text",
  "",
  " ",
  "---",
  "a: 1",
  "汉字",
  "\0",
);
const ends = fc.constantFrom("\n", "\r\n", "\r\r\n", "\r", "");
const anyMarkdown = fc
  .tuple(
    fc.constantFrom("", mark),
    fc.array(
      fc.tuple(
        fc.oneof(
          scraps.map((text) => Buffer.from(text)),
          fc.uint8Array({ maxLength: 6 }),
        ),
        ends,
      ),
    ),
  )
  .map(([start, lines]) =>
    Buffer.concat([Buffer.from(start), ...lines.flatMap(([text, end]) => [text, Buffer.from(end)])]),
  )
  .map((whole) => Uint8Array.from(whole));

describe("the token estimate", () => {
  test.each([
    ["", 0],
    ["word", 0],
    ["two words", 1],
    ["four words of it", 3],
    ["12 345 6.7", 0],
    ["a1b2c3d4", 3],
    ["don't", 1],
    ["naïve café", 2],
    ["字", 1],
    ["四个汉字", 5],
    ["ひらがな", 5],
    ["カタカナ", 5],
    ["サーバー", 5],
    ["한국어로", 5],
    ["한국어 메모 ab cd", 8],
    ["мир Ωμέγα שלום سلام", 0],
    ["😀🎉", 0],
    ["𠮷野", 2],
    ["deploy を実行", 4],
  ])("%j has %i", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  test("is rounded once for the whole text, not per line", () => {
    expect(estimateTokens("one\ntwo\nthree\nfour")).toBe(3);
  });

  // 666 words are 499.5, 667 are 500.25, 668 are 501; 10 CJK characters are 13.
  test.each([
    [666, 0, 499],
    [667, 0, 500],
    [668, 0, 501],
    [0, 384, 499],
    [0, 385, 500],
    [0, 386, 501],
    [320, 200, 500],
    [321, 200, 500],
    [322, 200, 501],
    [4, 1, 4],
    [600, 40, 502],
    [500, 96, 499],
    [520, 85, 500],
    [532, 78, 500],
    [532, 79, 501],
  ])("%i words and %i CJK characters are exactly %i tokens", (words, characters, tokens) => {
    expect(estimateTokens(`${"word ".repeat(words)}${"汉".repeat(characters)}`)).toBe(tokens);
  });

  test("counts 26 twentieths per CJK character and 15 per word, rounded down once", () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (words, characters) => {
        const text = `${"字 ".repeat(characters)}${"ab 1 ".repeat(words)}`;
        const twentieths = BigInt(characters) * 26n + BigInt(words) * 15n;
        expect(estimateTokens(text)).toBe(Number(twentieths / 20n));
      }),
    );
  });
});

test("characters are code points", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(charactersOf(text)).toBe(Array.from(text).length);
    }),
  );
  expect(charactersOf("\udc00\ud800")).toBe(2);
});
