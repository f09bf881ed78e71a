import fc from "fast-check";
import { expect, test } from "vitest";
import { parseGrammar, wordOf } from "../../../test/fixtures/gbnf.ts";
import { readChoice } from "../../recall/choice/answer.ts";
import { mostChosen } from "../../recall/choice/prompt.ts";
import { numberGrammarOf } from "./number-grammar.ts";

test("every word of the grammar is an answer that is taken", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (upTo, chance) => {
        const rules = parseGrammar(numberGrammarOf({ upTo, most: mostChosen }));
        const word = wordOf(rules, () => chance.next().value as number);
        expect(readChoice(word, upTo)).toHaveProperty("numbers");
      },
    ),
  );
});

test("every number of the list can be said, and 0", () => {
  expect(numberGrammarOf({ upTo: 12, most: 6 })).toBe(
    'root ::= "0" | number (", " number){0,5}\nnumber ::= ("1" ("0" | "1" | "2")? | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9")\n',
  );
});
