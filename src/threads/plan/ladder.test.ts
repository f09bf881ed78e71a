import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blockSize, dealtOut, stretchesOf } from "./ladder.ts";

const ranges = fc
  .tuple(
    fc.integer({ min: 0, max: 2 ** 40 }),
    fc.oneof(fc.integer({ min: 0, max: 2 ** 34 }), fc.integer({ min: 0, max: 40_000 })),
  )
  .map(([from, length]) => [from, from + length] as const);

describe("the stretches of a range of weights", () => {
  test("cover the range from beginning to end, without gaps or overlaps", () => {
    fc.assert(
      fc.property(ranges, ([from, to]) => {
        let at = from;
        for (const stretch of stretchesOf(from, to)) {
          const [start, end] =
            stretch.kind === "ragged"
              ? [stretch.from, stretch.to]
              : [
                  stretch.block.index * blockSize(stretch.block.level),
                  (stretch.block.index + 1) * blockSize(stretch.block.level),
                ];
          expect(start).toBe(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBe(to);
      }),
    );
  });

  test("are few, and a ragged one lies within a smallest block", () => {
    fc.assert(
      fc.property(ranges, ([from, to]) => {
        const stretches = stretchesOf(from, to);
        const levels = Math.max(0, ...stretches.map((one) => (one.kind === "block" ? one.block.level : 0)));
        expect(stretches.length).toBeLessThanOrEqual(18 + 6 * levels);
        for (const stretch of stretches) {
          if (stretch.kind === "block") continue;
          const block = Math.floor(stretch.from / blockSize(0));
          expect(stretch.to).toBeLessThanOrEqual((block + 1) * blockSize(0));
        }
      }),
    );
  });
});

test("lines are dealt out in rounds, newest part first", () => {
  expect(dealtOut([["a1", "a2", "a3"], [], ["b1"], ["c1", "c2"]])).toEqual(["c1", "b1", "a1", "c2", "a2", "a3"]);
  expect(dealtOut([])).toEqual([]);
});
