import { expect, test } from "vitest";
import { spokenLines } from "../../recall/rank/speakers.ts";
import { wordKeysInOrder } from "../word-keys.ts";
import { isAscii, isPlain, segmentsOf } from "./scripts.ts";

import fc from "fast-check";

const codes = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);

test("non-ASCII characters of plain text are not letters, digits or marks", () => {
  const telling = codes.filter((code) => isPlain(String.fromCodePoint(code)) && code > 0x7f);
  expect(telling.length).toBe(0x70);
  expect(telling.filter((code) => /[\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(code)))).toEqual([]);
});

test("ASCII is all characters with codes up to 127", () => {
  expect(codes.filter((code) => isAscii(String.fromCodePoint(code))).length).toBe(128);
  expect(isAscii("a\n\u0000~")).toBe(true);
  expect(isAscii("a\u0080")).toBe(false);
});

/** Plain texts, and an emoji that makes a text take the path for all other texts. */
const plainText = fc
  .array(
    fc.constantFrom(
      "Deploy",
      "api's",
      "well-known",
      "v1.2",
      "2026",
      "User:",
      "Ann B: ok",
      "…",
      "’",
      " ",
      "\n",
      ".",
      "-",
      "/",
    ),
  )
  .map((pieces) => pieces.join(""));
const other = " \u{1F600}";

test("plain text gives the same words as with Unicode classes", () => {
  fc.assert(
    fc.property(plainText, (text) => {
      expect(isPlain(text + other)).toBe(false);
      expect(wordKeysInOrder(text)).toEqual(wordKeysInOrder(text + other));
      expect(segmentsOf(text.normalize("NFKC"))).toEqual(segmentsOf(text.normalize("NFKC") + other));
    }),
  );
});

test("speakers of plain lines are found as in other lines", () => {
  fc.assert(
    fc.property(fc.array(plainText, { minLength: 1 }), (texts) => {
      const lines = texts.map((text) => text.replaceAll("\n", " "));
      const spoken = (all: readonly string[]) =>
        spokenLines(all.map((text, number) => ({ number, text }))).map(({ speaker, name }) => ({ speaker, name }));
      const marked = lines.map((line) => line.slice(0, 20));
      expect(spoken(marked.map((line) => line + other))).toEqual(spoken(marked.map((line) => `${line} ok`)));
    }),
  );
});
