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
  test("leave out words of little meaning, unless there are no others or they are required", () => {
    expect(wordsOf("what is the zebra of that")).toEqual(["zebra"]);
    expect(wordsOf("what is the")).toEqual(["what", "is", "the"]);
    expect(termsOf("+the zebra").all).toEqual([{ kind: "word", text: "the" }]);
  });

  test("occur once each, at the first word that has them", () => {
    expect(wordsOf("zebra snake_case zebra snake")).toEqual(["zebra", "snake case", "snakecase", "snake", "case"]);
  });

  test("number at most 160", () => {
    const many = Array.from({ length: 90 }, (_, at) => `w${at}a_x${at}b_y${at}c`).join(" ");
    expect(termsOf(many).any).toHaveLength(160);
  });

  test("have the smallest weights in the same proportions", () => {
    expect(weightsOf("zebra okapi")).toEqual([1, 1]);
    expect(weightsOf("zebra oka* bucket")).toEqual([1, 1, 1]);
    expect(weightsOf('zebra "token bucket"')).toEqual([2, 3]);
    expect(weightsOf('"token bucket" "a phrase"')).toEqual([1, 1]);
    expect(weightsOf("retryCount")).toEqual([2, 2, 1, 1]);
  });
});

describe("excluded terms", () => {
  test("include only the longest of several terms that must occur together", () => {
    expect(termsOf('zebra -"東京 tower building"').none).toEqual([{ kind: "phrase", text: "tower building" }]);
    expect(termsOf('zebra -"tower 東京タワー大阪府庁舎"').none).toEqual([
      { kind: "part", text: expect.stringContaining("大阪") },
    ]);
  });

  test("do not include a particle after a word, which occurs everywhere", () => {
    expect(termsOf("zebra -Pythonで").none).toEqual([{ kind: "word", text: "Python" }]);
    expect(termsOf("zebra -the").none).toEqual([{ kind: "word", text: "the" }]);
    expect(termsOf("zebra -oka*").none).toEqual([{ kind: "prefix", text: "oka" }]);
  });
});
