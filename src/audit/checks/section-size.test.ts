import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { memoryOf, plantedToken } from "../../../test/fixtures/audit-text.ts";
import type { SectionFigures } from "../model/analysis.ts";
import { checkSectionBloat, measureSections } from "./section-size.ts";

function figures(content: string | Uint8Array): readonly SectionFigures[] {
  return measureSections(memoryOf(content));
}

describe("figures of sections", () => {
  test("are without the heading", () => {
    expect(figures("# Words of a heading\ntwo words\n\n## B\n- 汉字\n- more\n")).toEqual([
      { heading: "Words of a heading", level: 1, line: 1, lines: 2, tokens: 1, preview: "two words", bloated: false },
      { heading: "B", level: 2, line: 4, lines: 2, tokens: 3, preview: "- 汉字 - more", bloated: false },
    ]);
  });

  test("a header counts from its first line, and is none when it is blank", () => {
    expect(figures("one two\n\n# A\n").map(({ heading, line, lines }) => [heading, line, lines])).toEqual([
      ["header", 1, 2],
      ["A", 3, 0],
    ]);
    expect(figures("\n \n# A\n").map(({ heading }) => heading)).toEqual(["A"]);
    expect(figures("\n\n")).toEqual([]);
    expect(figures("")).toEqual([]);
    expect(figures("\uFEFF")).toEqual([]);
  });

  test("the derived section has none", () => {
    expect(figures("# A\n## Compaction Root\n### Topics Index\n## B\n").map(({ heading }) => heading)).toEqual([
      "A",
      "B",
    ]);
  });

  test("lines are the same with CRLF and without a last line end", () => {
    for (const content of ["# A\nx\ny\n", "# A\r\nx\r\ny\r\n", "# A\nx\ny", "\uFEFF# A\nx\ny"])
      expect(figures(content).map(({ lines, preview }) => [lines, preview])).toEqual([[2, "x y"]]);
  });

  test("a preview has at most 120 characters and no secret", () => {
    expect(figures(`# A\n${"😀".repeat(121)}\n`)[0]?.preview).toBe("😀".repeat(120));
    expect(figures(`# A\n${"\n".repeat(500)}key\n${plantedToken}\n`)[0]?.preview).toBe("key [REDACTED:github-token]");
  });

  test("words in a very long line and beside bytes that are no text count too", () => {
    expect(figures(`# A\n${"word ".repeat(40_000)}\n`)[0]?.tokens).toBe(30_000);
    expect(figures(Buffer.from("# A\nfour words \xff of it\n", "latin1"))[0]?.tokens).toBe(3);
  });
});

describe("section_bloat", () => {
  const lines = (content: string): readonly unknown[] =>
    checkSectionBloat("MEMORY.md", figures(content)).map((finding) => finding.lines);

  test.each([
    ["500 tokens", `## A\n${"汉".repeat(385)}\n`, []],
    ["501 tokens", `## A\n${"汉".repeat(386)}\n`, [[1, 2]]],
    ["667 words are 500.25", `x\n## A\n${"word\n".repeat(667)}`, []],
    ["668 words are 501", `x\n## A\n${"word\n".repeat(668)}`, [[2, 670]]],
    ["of both together 500.95", `## A\n${"word ".repeat(533)}${"汉".repeat(77)} ${"ab ".repeat(1)}`, []],
    ["the heading adds nothing", `## ${"word ".repeat(20)}\n${"汉".repeat(385)}\n`, []],
    ["a header can be too long", `${"word ".repeat(668)}\n# A\n`, [[1, 1]]],
    [
      "a deeper heading belongs to its section",
      `## A\n${"word ".repeat(660)}\n#### eight\n${"word ".repeat(7)}\n`,
      [[1, 4]],
    ],
    ["sections of level 3 are apart", `## A\n${"word ".repeat(600)}\n### B\n${"word ".repeat(600)}\n`, []],
    [
      "fenced headings do not part",
      `## A\n${"word ".repeat(600)}\n\`\`\`\n## B\n\`\`\`\n${"word ".repeat(67)}\n`,
      [[1, 6]],
    ],
    ["the derived section may be long", `## Compaction Root\n${"word ".repeat(900)}\n`, []],
    ["Core is told as well", `## Core (Static)\n${"word ".repeat(668)}\n`, [[1, 2]]],
  ])("%s", (_name, content, expected) => {
    expect(lines(content)).toEqual(expected);
  });

  test("names the section, its size and the threshold", () => {
    const [finding] = checkSectionBloat("MEMORY.md", figures(`## A ${plantedToken}\n${"word ".repeat(668)}`));
    expect(finding).toMatchObject({ code: "section_bloat", severity: "medium", line: 1 });
    expect(finding?.message).toBe(
      'Section "A [REDACTED:github-token]" has 501 tokens, 500 are wanted at most: split it, or keep its conclusion.',
    );
  });
});
