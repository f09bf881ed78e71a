import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bestPlaces } from "./best-places.ts";

describe("the best places", () => {
  test("are those of a sort, cut", () => {
    const scores = fc.array(fc.integer({ min: 0, max: 5 }));
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 8 }), (given, most) => {
        const all = given
          .map((score, place) => ({ place, score }))
          .filter(({ score }) => score > 0)
          .toSorted((a, b) => b.score - a.score || a.place - b.place);
        expect(bestPlaces(Float32Array.from(given), most)).toEqual(all.slice(0, most).map(({ place }) => place));
      }),
    );
  });
});
