import fc from "fast-check";
import { charactersOf, estimateTokens } from "./tokens.ts";
import { describe, expect, test } from "vitest";

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
