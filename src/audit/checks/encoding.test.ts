import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { fileOf } from "../../../test/fixtures/audit-text.ts";
import { checkEncoding } from "./encoding.ts";

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("not_utf8", () => {
  test.each([
    ["ASCII", "plain\n"],
    ["every script, emoji, NUL", "汉字 かな 한국어 שלום 😀 \0\n"],
    ["a byte order mark", "\uFEFFx\r\n"],
    ["U+FFFD itself", "\uFFFD\n"],
    ["an empty file", ""],
  ])("%s is UTF-8", (_name, content) => {
    expect(checkEncoding(fileOf("USER.md", content))).toEqual([]);
  });

  test.each([
    [
      "one line",
      "a\n\xfc\nb\n",
      [2, 2],
      "Line 2 is not UTF-8: it is kept and compared with nothing. Save the file as UTF-8.",
    ],
    [
      "some",
      "\xfc\r\nb\r\n\xc3\r\n",
      [1, 3],
      "Lines 1 and 3 are not UTF-8: they are kept and compared with nothing. Save the file as UTF-8.",
    ],
    [
      "a character that the end cut",
      "a\n\xe6\xb1",
      [2, 2],
      "Line 2 is not UTF-8: it is kept and compared with nothing. Save the file as UTF-8.",
    ],
  ])("%s: one finding for the file", (_name, content, lines, message) => {
    expect(checkEncoding(fileOf("USER.md", latin(content)))).toEqual([
      { code: "not_utf8", severity: "low", path: "USER.md", line: lines[0], lines, message, resolved: false },
    ]);
  });

  test("many lines are not all listed", () => {
    expect(checkEncoding(fileOf("USER.md", latin("\xff\n".repeat(100))))[0]?.message).toContain("7, 8 and 92 more");
  });
});
