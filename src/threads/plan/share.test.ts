import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shareLines } from "./share.ts";

const costs = fc.array(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }), { maxLength: 6 });

describe("dealing lines out", () => {
  test("never spends more than the space, and says what remains", () => {
    fc.assert(
      fc.property(costs, fc.integer({ min: 0, max: 400 }), (all, space) => {
        const share = shareLines({ lines: all.map((one) => one.length), cost: (s, l) => all[s]?.[l] ?? 0, space });
        const spent = share.lines.map((lines, s) => (all[s] ?? []).slice(0, lines).reduce((a, b) => a + b, 0));
        expect(spent.reduce((a, b) => a + b, 0) + share.space).toBe(space);
        expect(share.space).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test("every summary has its first line before any has two, and nobody is asked for a price twice", () => {
    fc.assert(
      fc.property(costs, fc.integer({ min: 0, max: 400 }), (all, space) => {
        const asked: string[] = [];
        const cost = (s: number, l: number): number => {
          asked.push(`${s}/${l}`);
          return all[s]?.[l] ?? 0;
        };
        const { lines } = shareLines({ lines: all.map((one) => one.length), cost, space });
        expect(new Set(asked).size).toBe(asked.length);
        const firsts = all.reduce((sum, one) => sum + (one[0] ?? 0), 0);
        if (firsts <= space) expect(lines.every((count, s) => count > 0 || all[s]?.length === 0)).toBe(true);
      }),
    );
  });

  test("goes from the newest summary to the oldest", () => {
    expect(shareLines({ lines: [3, 3, 3], cost: () => 10, space: 45 }).lines).toEqual([1, 1, 2]);
    expect(shareLines({ lines: [3, 1, 0], cost: () => 10, space: 100 }).lines).toEqual([3, 1, 0]);
  });
});
