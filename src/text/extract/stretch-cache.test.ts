import { expect, it } from "vitest";
import { StretchCache } from "./stretch-cache.ts";

it("asks once for a stretch, wherever it stands", () => {
  const asked: string[] = [];
  const cache = new StretchCache<number>(4);
  const lengthOf = (stretch: string): number => {
    asked.push(stretch);
    return stretch.length;
  };
  expect(cache.get("one two", 4, 7, lengthOf)).toBe(3);
  expect(cache.get("two", 0, 3, lengthOf)).toBe(3);
  expect(asked).toEqual(["two"]);
});

it("gives the right value of each when there are more than it holds", () => {
  const cache = new StretchCache<string>(4);
  const words = Array.from({ length: 200 }, (_, at) => `word${at}`);
  for (const word of [...words, ...words]) expect(cache.get(`a ${word}`, 2, 2 + word.length, (own) => own)).toBe(word);
});

it("tells apart stretches of the same hash", () => {
  const cache = new StretchCache<string>(4);
  for (const word of ["Aa", "BB", "Aa", "BB"]) expect(cache.get(word, 0, 2, (own) => own)).toBe(word);
});
