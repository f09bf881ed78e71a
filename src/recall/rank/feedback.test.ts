import fc from "fast-check";
import { expect, test } from "vitest";
import { ranking } from "./weights.ts";
import { feedbackTerms } from "./scores.ts";

test("feedback words are frequent in the best sections and rare elsewhere, the best has `feedbackWeight`, and none is missing from the index", () => {
  const word = fc.record({ weight: fc.double({ min: 0.001, max: 1, noNaN: true }), count: fc.nat(60) });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const all = words.map(({ weight, count }, at) => ({ term: `word${at}`, weight, count }));
      const counts = all.map(({ count }) => count);
      const chosen = feedbackTerms(all, { rows: 50, counts });
      const standing = all.filter(({ count }) => count > 0);
      expect(chosen).toHaveLength(Math.min(ranking.feedbackWords, standing.length));
      if (chosen.length > 0) expect(chosen[0]?.weight).toBeCloseTo(ranking.feedbackWeight);
      const names = new Set(chosen.map(({ term }) => term));
      const left = standing.filter(({ term }) => !names.has(term));
      // No word left out is at least as frequent and as rare as a chosen one, and better in one of the two.
      for (const out of left)
        for (const one of standing.filter(({ term }) => names.has(term)))
          expect(out.weight > one.weight && Math.min(50, out.count) <= Math.min(50, one.count)).toBe(false);
    }),
  );
});
