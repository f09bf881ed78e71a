import { expect, test } from "vitest";
import { visible, visibleIn } from "./visible.ts";

test("escape sequences, bidi marks and zero-width spaces are shown as code points", () => {
  expect(visible("a\u001B[2Jb\u202Ec\u200Bd\u0007")).toBe("a\\u{1b}[2Jb\\u{202e}c\\u{200b}d\\u{7}");
});

test("line feeds, tabs, letters and joined emoji stay; carriage returns go", () => {
  expect(visible("a\tb\r\n한국어 👩‍💻")).toBe("a\tb\n한국어 👩‍💻");
});

test("reaches every text of a result and leaves the rest", () => {
  expect(visibleIn({ a: ["\u001B"], n: 1, x: null, t: true })).toEqual({ a: ["\\u{1b}"], n: 1, x: null, t: true });
});
