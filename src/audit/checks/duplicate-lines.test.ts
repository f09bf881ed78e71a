import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryOf, plantedToken } from "../../../test/fixtures/audit-text.ts";
import { checkDuplicateLines, findDuplicateLines, repeatsOf } from "./duplicate-lines.ts";

/** The lines of each line that stands there again. */
function places(content: string | Uint8Array): readonly (readonly number[])[] {
  return findDuplicateLines(memoryOf(content)).map(({ lines }) => lines);
}

describe("duplicate lines", () => {
  test.each<[string, string, readonly (readonly number[])[]]>([
    ["10 characters are too few", "0123456789\n0123456789\n", []],
    ["11 characters are enough", "0123456789a\n0123456789a\n", [[1, 2]]],
    ["white space around does not count", "  0123456789\t\n  0123456789\t\n", []],
    ["nor does it make a difference", "  0123456789a\t\r\n0123456789a\n", [[1, 2]]],
    ["characters are code points: 10 emoji", "😀".repeat(10) + "\n" + "😀".repeat(10), []],
    ["11 emoji", "😀".repeat(11) + "\n" + "😀".repeat(11), [[1, 2]]],
    ["10 characters of CJK", "一二三四五六七八九十\n一二三四五六七八九十\n", []],
    ["11 characters of CJK", "一二三四五六七八九十百\n一二三四五六七八九十百\n", [[1, 2]]],
    ["case makes no difference", "- Always RUN it\n- always run it\n- ALWAYS run it\n", [[1, 2, 3]]],
    [
      "nor in other scripts",
      "ΟΔΟΣ ΚΑΙ ΣΠΙΤΙ\nοδος και σπιτι\nПривет всем!\nПРИВЕТ ВСЕМ!\n",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["ß is ss", "Die Straße ist lang\nDIE STRASSE IST LANG\n", [[1, 2]]],
    ["a character more is another line", "- run the linter\n- run the linter.\n", []],
    ["blank lines are none", "\n\n\n\n", []],
    ["headings count", "## The same heading\n## the same heading\n", [[1, 2]]],
    ["Core counts", "## Core (Static)\n- one and the same\n## Other\n- one and the same\n", [[2, 4]]],
    ["fences count", "- one and the same\n```\n- one and the same\n```\n", [[1, 3]]],
    [
      "the derived section does not",
      "- one and the same\n## Compaction Root\n- one and the same\n- one and the same\n",
      [],
    ],
    ["what follows it does", "- one and the same\n## Compaction Root\nx\n## B\n- one and the same\n", [[1, 5]]],
    ["a byte order mark is no difference", "\uFEFF- one and the same\n- one and the same\n", [[1, 2]]],
    [
      "each once, in the order of their first lines",
      "aaaaaaaaaaaa\nbbbbbbbbbbbb\nbbbbbbbbbbbb\naaaaaaaaaaaa\nbbbbbbbbbbbb",
      [
        [1, 4],
        [2, 3, 5],
      ],
    ],
    [
      "names of objects are lines like others",
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

  test("lines that cannot be read equal no other", () => {
    expect(places(Buffer.from("long enough \xff\nlong enough \xff\n", "latin1"))).toEqual([]);
    expect(places(`${"a".repeat(70_000)}b\n${"a".repeat(70_000)}c\n`)).toEqual([]);
    expect(places("carriage\rreturn\ncarriage\rreturn\n")).toEqual([]);
  });

  test("their text is as it first stands there, on one line, without secrets", () => {
    const line = `- the token is ${plantedToken}`;
    const [duplicate] = findDuplicateLines(memoryOf(`  ${line}  \n${line.toUpperCase()}\n${line}\n`));
    expect(duplicate?.text).toBe("- the token is [REDACTED:github-token]");
    expect(findDuplicateLines(memoryOf("\tTab\tand bell \u0007.\n".repeat(2)))[0]?.text).toBe("Tab and bell \\u{7}.");
  });

  test("how many repeat an earlier one is all but the first of each", () => {
    const text = memoryOf("aaaaaaaaaaaa\nbbbbbbbbbbbb\nbbbbbbbbbbbb\naaaaaaaaaaaa\nbbbbbbbbbbbb\ncccccccccccc");
    expect(repeatsOf(findDuplicateLines(text))).toBe(3);
  });

  test("lines and counts are right wherever they stand", () => {
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
        expect(repeatsOf(found)).toBe(long.length - new Set(long).size);
      }),
    );
  });
});

describe("duplicate_line", () => {
  test("is one finding a line, at its first place", () => {
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
        message: '"- one and the same" stands 3 times (lines 2, 4 and 6): once is enough.',
        resolved: false,
      },
    ]);
  });

  test("does not list hundreds of lines", () => {
    const [finding] = checkDuplicateLines(
      "MEMORY.md",
      findDuplicateLines(memoryOf("- one and the same\n".repeat(300))),
    );
    expect(finding?.message).toContain("stands 300 times (lines 1, 2, 3, 4, 5, 6, 7, 8 and 292 more)");
  });
});
