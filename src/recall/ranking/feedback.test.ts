import fc from "fast-check";
import { expect, test } from "vitest";
import { feedbackTerms, stillPossible } from "./feedback.ts";

test("asking for the frequencies of the first words, and then of those that may still matter, chooses as if all were asked for", () => {
  const word = fc.record({ weight: fc.double({ min: 0.001, max: 1, noNaN: true }), count: fc.nat(60) });
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }),
      fc.nat(40),
      fc.integer({ min: 1, max: 12 }),
      (words, asked, most) => {
        const all = words
          .toSorted((a, b) => b.weight - a.weight)
          .map(({ weight, count }, at) => ({ term: `word${at}`, weight, count }));
        const [rows, options] = [50, { feedbackWords: most }];
        const counts = (some: typeof all): readonly number[] => some.map(({ count }) => count);
        const first = all.slice(0, asked);
        const rest = stillPossible(all, { rows, counts: counts(first) }, options) as typeof all;
        const chosen = [...first, ...rest];
        expect(feedbackTerms(chosen, { rows, counts: counts(chosen) }, options)).toEqual(
          feedbackTerms(all, { rows, counts: counts(all) }, options),
        );
      },
    ),
  );
});
