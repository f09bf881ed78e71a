import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agedAs } from "./freshness.ts";
import { seenLine, seenText } from "./seen-text.ts";

describe("a remembered text in a prompt", () => {
  test.each([
    ["a\u200bb\u202ec\u2066d\ufeff", "abcd"],
    ["\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link", "red link"],
    ["one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"],
    ["hid\u{e0041}\u{e0042}den", "hidden"],
    ["family 👨‍👩‍👧 and ❤️", "family 👨‍👩‍👧 and ❤️"],
    ["می‌خواهم", "می‌خواهم"],
    ["pass\u200dword", "password"],
    ["क्‍ष", "क्‍ष"],
    ["a\ufe00\ufe01\ufe02b", "a\ufe00b"],
    ["tab\tstays", "tab\tstays"],
    ["lone \ud800 half", "lone \ufffd half"],
  ])("%j is seen as %j", (text, seen) => {
    expect(seenText(text)).toBe(seen);
  });

  test("has no control, no turning and no hiding character, and stays so", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const seen = seenText(text);
        expect(seen).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff]/u);
        expect(seenText(seen)).toBe(seen);
        expect(seenLine(text)).not.toContain("\n");
      }),
    );
  });
});

describe("freshness", () => {
  test.each([
    ["project", "2026-02-13", undefined],
    ["project", "2026-02-12", "stale"],
    ["reference", "2026-02-12", "unverified"],
    ["user", "2020-01-01", undefined],
    ["feedback", "2020-01-01", undefined],
    ["project", "", undefined],
  ] as const)("a %s passage of %s is %s on 2026-03-15", (type, day, is) => {
    expect(agedAs({ type, day }, "2026-03-15")).toBe(is);
  });
});

test("a feed parts words as a space does", () => {
  expect(seenText("alpha\fbeta\vgamma")).toBe("alpha beta gamma");
});
