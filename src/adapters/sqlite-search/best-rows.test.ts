import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BestRows } from "./best-rows.ts";

describe("the best rows", () => {
  test("are those of a sort, cut", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.integer({ min: 1, max: 8 }), (scores, most) => {
        const best = new BestRows(most);
        scores.forEach((score, place) => best.add(place, score));
        const all = scores
          .map((score, place) => ({ place, score }))
          .toSorted((a, b) => b.score - a.score || a.place - b.place);
        expect(best.sorted()).toEqual(all.slice(0, most));
      }),
    );
  });
});
