import { describe, expect, test } from "vitest";
import { parseQuery } from "../query/parse-query.ts";
import { indexTermsOf } from "./search-query.ts";

function termsOf(query: string) {
  return indexTermsOf(parseQuery(query, "words").terms);
}

function wordsOf(query: string): readonly string[] {
  return termsOf(query).any.map(({ text }) => text);
}

function weightsOf(query: string): readonly number[] {
  return termsOf(query).any.map(({ weight }) => weight);
}

describe("the terms of a query", () => {
  test("are none of words that say little, unless there are no others or they must be there", () => {
    expect(wordsOf("what is the zebra of that")).toEqual(["zebra"]);
    expect(wordsOf("what is the")).toEqual(["what", "is", "the"]);
    expect(termsOf("+the zebra").all).toEqual([{ kind: "word", text: "the" }]);
  });

  test("stand once each, at the first word that has them", () => {
    expect(wordsOf("zebra snake_case zebra snake")).toEqual(["zebra", "snake case", "snakecase", "snake", "case"]);
  });

  test("are at most 160 in all", () => {
    const many = Array.from({ length: 90 }, (_, at) => `w${at}a_x${at}b_y${at}c`).join(" ");
    expect(termsOf(many).any).toHaveLength(160);
  });

  test("weigh as little as they can, in the same proportions", () => {
    expect(weightsOf("zebra okapi")).toEqual([1, 1]);
    expect(weightsOf("zebra oka* bucket")).toEqual([1, 1, 1]);
    expect(weightsOf('zebra "token bucket"')).toEqual([2, 3]);
    expect(weightsOf('"token bucket" "a phrase"')).toEqual([1, 1]);
    expect(weightsOf("retryCount")).toEqual([2, 2, 1, 1]);
  });
});

describe("what must not be there", () => {
  test("is the longest of what stands together only", () => {
    expect(termsOf('zebra -"東京 tower building"').none).toEqual([{ kind: "phrase", text: "tower building" }]);
    expect(termsOf('zebra -"tower 東京タワー大阪府庁舎"').none).toEqual([
      { kind: "part", text: expect.stringContaining("大阪") },
    ]);
  });

  test("is no particle behind a word, which stands everywhere", () => {
    expect(termsOf("zebra -Pythonで").none).toEqual([{ kind: "word", text: "Python" }]);
    expect(termsOf("zebra -the").none).toEqual([{ kind: "word", text: "the" }]);
    expect(termsOf("zebra -oka*").none).toEqual([{ kind: "prefix", text: "oka" }]);
  });
});
