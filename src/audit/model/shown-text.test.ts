import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryOf, plantedToken } from "../../../test/fixtures/audit-text.ts";
import { decodeLoosely, oneLine, shownHeading, shownLines } from "./shown-text.ts";

const begin = `-----${"BEGIN"} RSA PRIVATE KEY-----`;
const end = `-----${"END"} RSA PRIVATE KEY-----`;

describe("a shown line", () => {
  test("folds spaces and shows control characters", () => {
    expect(oneLine(["  a\tb ", "", " \u0007c\u2028d\u001b[31m"], 99)).toBe("a b \\u{7}c d\\u{1b}[31m");
  });

  test("is cut at whole characters", () => {
    expect(oneLine(["😀😀😀"], 2)).toBe("😀😀");
    expect(oneLine(["ab cd"], 3)).toBe("ab");
  });

  test("has no secret, even one that only results from joining lines", () => {
    expect(oneLine([`key ${plantedToken}`], 120)).toBe("key [REDACTED:github-token]");
    expect(oneLine(["password:", "Tr0ub4dor!x"], 120)).not.toContain("Tr0ub4dor");
  });

  test("does not show the start of a secret that is cut off", () => {
    expect(oneLine([`${"x".repeat(115)} ${plantedToken}`], 120)).not.toContain("gh");
  });

  test("is one line of well-formed text within its maximum length", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), fc.integer({ min: 1, max: 50 }), (texts, most) => {
        const shown = oneLine(texts, most);
        expect(Array.from(shown).length).toBeLessThanOrEqual(most);
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("shown lines", () => {
  test("there is one per line of the file, without any part of a private key", () => {
    const text = memoryOf(`\uFEFF${begin}\r\n${"Ab3".repeat(21)}\r\n${end}\r\nplain\r\n`);
    expect(shownLines(text)[3]).toBe("plain\r");
    expect(shownLines(text).join("")).not.toContain("Ab3Ab3");
  });

  test("a heading is shown without its secret", () => {
    const text = memoryOf(`x\n## Token ${plantedToken} ##\ny\n`);
    expect(text.sections.map((section) => shownHeading(text, section))).toEqual([
      "header",
      "Token [REDACTED:github-token]",
    ]);
  });
});

test("bytes that are not UTF-8 are shown as U+FFFD", () => {
  expect(decodeLoosely(Buffer.from("\uFEFFa"))).toBe("a");
  expect(decodeLoosely(Uint8Array.of(0x61, 0xff))).toBe("a\uFFFD");
});
