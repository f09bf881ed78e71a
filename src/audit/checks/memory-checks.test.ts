import fc from "fast-check";
import { Buffer } from "node:buffer";
import {
  type SectionFigures,
  checkAdaptive,
  checkDuplicateLines,
  checkLoaderLimits,
  checkMemoryMax,
  checkSectionBloat,
  findDuplicateLines,
  measureMemory,
  measureSections,
} from "./memory-checks.ts";
import { memoryOf, plantedToken } from "../../../test/fixtures/audit-text.ts";
import { describe, expect, test } from "vitest";

describe("the size of MEMORY.md", () => {
  test("is bytes, characters, lines and tokens", () => {
    expect(measureMemory(memoryOf("# Äpfel 😀\r\n汉字 and words\r\n"))).toEqual({
      bytes: 33,
      characters: 25,
      lines: 2,
      tokens: 4,
      text: "# Äpfel 😀\r\n汉字 and words\r\n",
    });
  });

  test("leaves out the derived section, except in the number of lines", () => {
    const own = "# M\nwords here\n";
    const derived = "## Compaction Root\n\n### Topics Index\n- a\n";
    const figures = measureMemory(memoryOf(`${own}${derived}# N\n`));
    expect(figures).toMatchObject({ bytes: 19, characters: 19, lines: 7, tokens: 3, text: "# M\nwords here\n# N\n" });
  });

  test.each([
    ["", { bytes: 0, characters: 0, lines: 0, tokens: 0, text: "" }],
    ["\uFEFF", { bytes: 3, characters: 0, lines: 0, tokens: 0, text: "" }],
    ["\uFEFFx", { bytes: 4, characters: 1, lines: 1, tokens: 0, text: "x" }],
  ])("%j is measured", (content, figures) => {
    expect(measureMemory(memoryOf(content))).toEqual(figures);
  });
});

describe("memory_over_max", () => {
  const codes = (content: string, most: number): readonly string[] =>
    checkMemoryMax({ ...measureMemory(memoryOf(content)), path: "MEMORY.md" }, most).map(({ code }) => code);

  test.each([
    [5120, 5, []],
    [5121, 5, ["memory_over_max"]],
    [15_360, 15, []],
    [15_361, 15, ["memory_over_max"]],
    [1024, 1, []],
    [1025, 1, ["memory_over_max"]],
  ])("%i bytes at %i KB", (bytes, most, expected) => {
    expect(codes("x".repeat(bytes), most)).toEqual(expected);
  });

  test("counts bytes, not characters, and not the derived section", () => {
    expect(codes("汉".repeat(1707), 5)).toEqual(["memory_over_max"]);
    expect(codes(`${"x".repeat(1023)}\n## Compaction Root\n${"y".repeat(9000)}`, 1)).toEqual([]);
  });

  test("reports the size, the limit and what to do", () => {
    const [finding] = checkMemoryMax({ ...measureMemory(memoryOf("x".repeat(1025))), path: "MEMORY.md" }, 1);
    expect(finding).toEqual({
      code: "memory_over_max",
      severity: "low",
      path: "MEMORY.md",
      line: null,
      lines: null,
      message:
        "MEMORY.md has 1025 bytes; the limit is 1024 (1 KB): merge what belongs together, move detail to knowledge/.",
      resolved: false,
    });
  });
});

describe("memory_over_loader", () => {
  test.each([
    ["200 lines", "x\n".repeat(200), null],
    ["200 lines without a last line end", `${"x\n".repeat(199)}x`, null],
    ["201 lines", "x\n".repeat(201), 201],
    ["a last line without a line end counts", `${"x\n".repeat(200)}x`, 201],
    ["300 lines", "x\r\n".repeat(300), 201],
    ["25,000 bytes", "x".repeat(25_000), null],
    ["25,001 bytes", "x".repeat(25_001), 1],
    ["25,000 bytes in lines", `${"x".repeat(24_997)}\ny\n`, null],
    ["the first line that is cut is named", `${"x".repeat(24_997)}\ny\nz`, 3],
    ["derived lines count: the loader reads them", `x\n## Compaction Root\n${"y\n".repeat(199)}`, 201],
    ["an empty file", "", null],
  ])("%s", (_name, content, cut) => {
    const message = checkLoaderLimits(memoryOf(content))[0]?.message;
    expect(Number(/not see anything from line (\d+)/u.exec(message ?? "")?.[1] ?? 0)).toBe(cut ?? 0);
  });

  test("has severity high and says where reading ends", () => {
    const [finding] = checkLoaderLimits(memoryOf("x\n".repeat(210)));
    expect(finding).toMatchObject({ code: "memory_over_loader", severity: "high", line: null, lines: null });
    expect(finding?.message).toContain("210 lines and 420 bytes; loaders read at most 200 lines and 25000 bytes");
  });
});

function figures(content: string | Uint8Array): readonly SectionFigures[] {
  return measureSections(memoryOf(content));
}

describe("section figures", () => {
  test("do not include the heading", () => {
    expect(figures("# Words of a heading\ntwo words\n\n## B\n- 汉字\n- more\n")).toEqual([
      { heading: "Words of a heading", level: 1, line: 1, lines: 2, tokens: 1, preview: "two words", bloated: false },
      { heading: "B", level: 2, line: 4, lines: 2, tokens: 3, preview: "- 汉字 - more", bloated: false },
    ]);
  });

  test("a header starts at its first line, and a blank one is left out", () => {
    expect(figures("one two\n\n# A\n").map(({ heading, line, lines }) => [heading, line, lines])).toEqual([
      ["header", 1, 2],
      ["A", 3, 0],
    ]);
    expect(figures("\n \n# A\n").map(({ heading }) => heading)).toEqual(["A"]);
    expect(figures("\n\n")).toEqual([]);
    expect(figures("")).toEqual([]);
    expect(figures("\uFEFF")).toEqual([]);
  });

  test("leave out the derived section", () => {
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

  test("words in very long lines and next to invalid UTF-8 count too", () => {
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
    ["words and CJK characters are 500.95", `## A\n${"word ".repeat(533)}${"汉".repeat(77)} ${"ab ".repeat(1)}`, []],
    ["the heading adds nothing", `## ${"word ".repeat(20)}\n${"汉".repeat(385)}\n`, []],
    ["a header can be too long", `${"word ".repeat(668)}\n# A\n`, [[1, 1]]],
    [
      "a deeper heading belongs to its section",
      `## A\n${"word ".repeat(660)}\n#### eight\n${"word ".repeat(7)}\n`,
      [[1, 4]],
    ],
    ["sections of level 3 are separate", `## A\n${"word ".repeat(600)}\n### B\n${"word ".repeat(600)}\n`, []],
    [
      "headings in fences do not start sections",
      `## A\n${"word ".repeat(600)}\n\`\`\`\n## B\n\`\`\`\n${"word ".repeat(67)}\n`,
      [[1, 6]],
    ],
    ["the derived section may be long", `## Compaction Root\n${"word ".repeat(900)}\n`, []],
    ["Core is reported too", `## Core (Static)\n${"word ".repeat(668)}\n`, [[1, 2]]],
  ])("%s", (_name, content, expected) => {
    expect(lines(content)).toEqual(expected);
  });

  test("names the section, its size and the threshold", () => {
    const [finding] = checkSectionBloat("MEMORY.md", figures(`## A ${plantedToken}\n${"word ".repeat(668)}`));
    expect(finding).toMatchObject({ code: "section_bloat", severity: "medium", line: 1 });
    expect(finding?.message).toBe(
      'Section "A [REDACTED:github-token]" has 501 tokens; the limit is 500: split it, or keep only its conclusion.',
    );
  });
});

/** The line numbers of each repeated line. */
function places(content: string | Uint8Array): readonly (readonly number[])[] {
  return findDuplicateLines(memoryOf(content)).map(({ lines }) => lines);
}

describe("duplicate lines", () => {
  test.each<[string, string, readonly (readonly number[])[]]>([
    ["10 characters are too few", "0123456789\n0123456789\n", []],
    ["11 characters are enough", "0123456789a\n0123456789a\n", [[1, 2]]],
    ["white space around does not count", "  0123456789\t\n  0123456789\t\n", []],
    ["surrounding white space is ignored in comparisons", "  0123456789a\t\r\n0123456789a\n", [[1, 2]]],
    ["characters are code points: 10 emoji", "😀".repeat(10) + "\n" + "😀".repeat(10), []],
    ["11 emoji", "😀".repeat(11) + "\n" + "😀".repeat(11), [[1, 2]]],
    ["10 CJK characters", "一二三四五六七八九十\n一二三四五六七八九十\n", []],
    ["11 CJK characters", "一二三四五六七八九十百\n一二三四五六七八九十百\n", [[1, 2]]],
    ["case makes no difference", "- Always RUN it\n- always run it\n- ALWAYS run it\n", [[1, 2, 3]]],
    [
      "case makes no difference in other scripts",
      "ΟΔΟΣ ΚΑΙ ΣΠΙΤΙ\nοδος και σπιτι\nПривет всем!\nПРИВЕТ ВСЕМ!\n",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["ß is ss", "Die Straße ist lang\nDIE STRASSE IST LANG\n", [[1, 2]]],
    ["one more character makes a different line", "- run the linter\n- run the linter.\n", []],
    ["blank lines do not count as duplicates", "\n\n\n\n", []],
    ["headings count", "## The same heading\n## the same heading\n", [[1, 2]]],
    ["Core counts", "## Core (Static)\n- one and the same\n## Other\n- one and the same\n", [[2, 4]]],
    ["fences count", "- one and the same\n```\n- one and the same\n```\n", [[1, 3]]],
    [
      "the derived section does not count",
      "- one and the same\n## Compaction Root\n- one and the same\n- one and the same\n",
      [],
    ],
    [
      "text after the derived section counts",
      "- one and the same\n## Compaction Root\nx\n## B\n- one and the same\n",
      [[1, 5]],
    ],
    ["a byte order mark makes no difference", "\uFEFF- one and the same\n- one and the same\n", [[1, 2]]],
    [
      "each once, in the order of their first lines",
      "aaaaaaaaaaaa\nbbbbbbbbbbbb\nbbbbbbbbbbbb\naaaaaaaaaaaa\nbbbbbbbbbbbb",
      [
        [1, 4],
        [2, 3, 5],
      ],
    ],
    [
      "names of object properties are ordinary lines",
      "constructor\nconstructor\nhasOwnProperty\n__proto__ __proto__\n__proto__ __proto__\n",
      [
        [1, 2],
        [4, 5],
      ],
    ],
    ["an empty file", "", []],
  ])("%s", (_name, content, expected) => {
    expect(places(content)).toEqual(expected);
  });

  test("inexact lines equal no other line", () => {
    expect(places(Buffer.from("long enough \xff\nlong enough \xff\n", "latin1"))).toEqual([]);
    expect(places(`${"a".repeat(70_000)}b\n${"a".repeat(70_000)}c\n`)).toEqual([]);
    expect(places("carriage\rreturn\ncarriage\rreturn\n")).toEqual([]);
  });

  test("their text is that of the first occurrence, on one line, redacted", () => {
    const line = `- the token is ${plantedToken}`;
    const [duplicate] = findDuplicateLines(memoryOf(`  ${line}  \n${line.toUpperCase()}\n${line}\n`));
    expect(duplicate?.text).toBe("- the token is [REDACTED:github-token]");
    expect(findDuplicateLines(memoryOf("\tTab\tand bell \u0007.\n".repeat(2)))[0]?.text).toBe("Tab and bell \\u{7}.");
  });

  test("the number of duplicates does not include the first of each", () => {
    const text = memoryOf("aaaaaaaaaaaa\nbbbbbbbbbbbb\nbbbbbbbbbbbb\naaaaaaaaaaaa\nbbbbbbbbbbbb\ncccccccccccc");
    expect(repeatsIn(findDuplicateLines(text))).toBe(3);
  });

  test("lines and counts are right in any order", () => {
    const line = fc.constantFrom("- first line of it", "- FIRST line of it", "- second line of it", "short", "");
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("\n", "\r\n"), (lines, end) => {
        const found = findDuplicateLines(memoryOf(lines.join(end)));
        const fold = (text: string | undefined): string => (text ?? "").toLowerCase();
        for (const { text, count, lines: at } of found) {
          expect(at.length).toBe(count);
          for (const number of at) expect(fold(lines[number - 1])).toBe(fold(text));
          expect(lines.filter((other) => fold(other) === fold(text)).length).toBe(count);
        }
        const long = lines.filter((text) => text.length > 10).map(fold);
        expect(repeatsIn(found)).toBe(long.length - new Set(long).size);
      }),
    );
  });
});

describe("duplicate_line", () => {
  test("is one finding per line, at its first occurrence", () => {
    const findings = checkDuplicateLines(
      "MEMORY.md",
      findDuplicateLines(memoryOf("x\n- one and the same\n".repeat(3))),
    );
    expect(findings).toEqual([
      {
        code: "duplicate_line",
        severity: "low",
        path: "MEMORY.md",
        line: 2,
        lines: [2, 2],
        message: '"- one and the same" occurs 3 times (lines 2, 4 and 6): keep one.',
        resolved: false,
      },
    ]);
  });

  test("does not list hundreds of lines", () => {
    const [finding] = checkDuplicateLines(
      "MEMORY.md",
      findDuplicateLines(memoryOf("- one and the same\n".repeat(300))),
    );
    expect(finding?.message).toContain("occurs 300 times (lines 1, 2, 3, 4, 5, 6, 7, 8 and 292 more)");
  });
});

const lines = (content: string | Uint8Array): readonly unknown[] =>
  checkAdaptive(memoryOf(content)).map((finding) => finding.lines);
const items = (count: number): string => "- item\n".repeat(count);

describe("adaptive_over_target", () => {
  test.each<[string, string, readonly unknown[]]>([
    ["50 lines", `## Adaptive\n${items(50)}`, []],
    ["51 lines", `## Adaptive\n${items(51)}`, [[1, 52]]],
    ["blank lines do not count", `## Adaptive\n${"- item\n\n \t\n".repeat(50)}`, []],
    ["however its title continues", `x\n## Adaptive (Dynamic) — Subject to compaction\n${items(51)}`, [[2, 53]]],
    ["deeper headings count as its lines", `## Adaptive\n### A\n${items(25)}### B\n${items(24)}`, [[1, 52]]],
    ["deeper headings do not end it", `## Adaptive\n### A\n${items(24)}### B\n${items(24)}`, []],
    ["the next heading of level 2 ends it", `## Adaptive\n${items(50)}## Next\n${items(9)}`, []],
    ["a heading of level 1 ends it", `## Adaptive\n${items(50)}# Next\n${items(9)}`, []],
    ["a heading in a fence does not end it", `## Adaptive\n${items(47)}\`\`\`\n## Next\n\`\`\`\nx\n`, [[1, 52]]],
    ["another level is another section", `# Adaptive\n${items(51)}### Adaptive\n${items(51)}`, []],
    ["another title is another section", `## Not Adaptive\n${items(51)}`, []],
    [
      "every section that is too long",
      `## Adaptive\n${items(51)}## Adaptive 2\n${items(52)}`,
      [
        [1, 52],
        [53, 105],
      ],
    ],
    ["it begins at the end of Core", `## Core (Static)\n${items(80)}## Adaptive\n${items(51)}`, [[82, 133]]],
    ["there is no such section", items(90), []],
  ])("%s", (_name, content, expected) => {
    expect(lines(content)).toEqual(expected);
  });

  test("lines that are not UTF-8 count", () => {
    expect(lines(Buffer.from(`## Adaptive\n${"\xff\n".repeat(51)}`, "latin1"))).toEqual([[1, 52]]);
  });

  test("says how many lines there are and what to do", () => {
    expect(checkAdaptive(memoryOf(`## Adaptive (Dynamic)\n${items(60)}`))[0]).toMatchObject({
      severity: "low",
      line: 1,
      message: '"Adaptive (Dynamic)" has 60 lines; the limit is 50: merge the oldest ones, move detail to knowledge/.',
    });
  });
});

function repeatsIn(duplicates: ReturnType<typeof findDuplicateLines>): number {
  return duplicates.reduce((sum, { count }) => sum + count - 1, 0);
}
