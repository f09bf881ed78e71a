import fc from "fast-check";
import { expect, test } from "vitest";
import { ownWords } from "../rank/scores.ts";
import { statementWords, wordsLike } from "./search-step.ts";

test("leaving out words that cannot match does not change a statement's score", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "I",
      "planned",
      "Flying",
      "ties",
      "the",
      "WE",
      "café",
      "parsePlain",
      "東京タワー",
      "don’t",
      "v1.2.3",
      "y",
    ),
    fc.stringMatching(/^[a-zA-Z]{1,6}$/),
  );
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  let number = 0;
  fc.assert(
    fc.property(text, text, (said, asked) => {
      const rare = new Map(statementWords(asked).map((term) => [term, 1] as const));
      // Each text once, because results are cached.
      const statement = `${said} ${(number += 1)}`;
      const worth = ownWords(wordsLike(rare.keys())(statement), rare);
      expect(worth).toBe(ownWords(statementWords(statement), rare));
    }),
    { numRuns: 1000 },
  );
});
