import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rawWords, termOf, wordsBeginningLike } from "./index-terms.ts";

describe("terms", () => {
  const termsOf = (text: string): readonly string[] => rawWords(text).map(termOf);

  test("ignore case, accents and English endings, but not marks of other scripts", () => {
    expect(["Cafés", "CAFÉ", "café", "RUNNING"].map(termOf)).toEqual(["cafe", "cafe", "cafe", "run"]);
    expect(termOf("が")).not.toBe(termOf("か"));
    expect(termOf("한국")).toBe("한국");
    expect(termsOf("snake_case, E_CONN: src/a.ts 100%")).toEqual([
      "snake",
      "case",
      "e",
      "conn",
      "src",
      "a",
      "ts",
      "100",
    ]);
    expect(termsOf("🦀 … \0")).toEqual([]);
  });
});

const begins = fc.stringMatching(/^[A-Za-z0-9][a-z0-9]{0,4}$/);
const endings = fc.constantFrom(
  "",
  "s",
  "y",
  "ies",
  "ied",
  "ily",
  "ing",
  "ed",
  "edly",
  "ational",
  "ization",
  "ibility",
  "logi",
  "e",
  "ll",
  "ement",
);
const word = fc
  .tuple(begins, endings)
  .map((parts) => parts.join(""))
  .filter((one) => one.length > 1);

test("the pattern for stems finds every word with such a stem, as a whole", () => {
  const any = fc.oneof(word, fc.stringMatching(/^[a-zA-Z0-9]$/), fc.constantFrom("ies", "aed", "oing"));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), fc.array(any, { minLength: 1, maxLength: 4 }), (text, wanted) => {
      const stems = new Set(wanted.map(termOf));
      const having = (words: readonly string[]): readonly string[] => words.filter((one) => stems.has(termOf(one)));
      const said = [...text, ...wanted];
      expect(having(said.join("-").match(wordsBeginningLike(stems)) ?? [])).toEqual(having(said));
    }),
    { numRuns: 2000 },
  );
});

test("without stems the pattern finds nothing", () => {
  expect("any text".match(wordsBeginningLike([]))).toBe(null);
});
