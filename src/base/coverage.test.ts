import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseLines, type CoverageSpace } from "./coverage.ts";
import type { CoveragePiece } from "./coverage-draft.ts";

const space: CoverageSpace = {
  lineCost: () => 8,
  leastLineCost: 8,
  termCost: () => 2,
  leastTermCost: 2,
  room: 200,
  mostLines: 20,
  mostTerms: 6,
  mostPlaces: 4,
};

function piece(...terms: readonly number[]): CoveragePiece {
  return { terms, odds: terms.map((_, rank) => 0.45 * 0.95 ** rank), value: 1, size: 1 };
}

const pieces = fc.array(
  fc
    .record({
      terms: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 8 }),
      value: fc.integer({ min: 1, max: 4 }),
      size: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ terms, value, size }): CoveragePiece => ({ ...piece(...terms), value, size })),
  { maxLength: 25 },
);

describe("chosen lines", () => {
  it("stay within the limits of space, lines, words and places", () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 0, max: 300 }), (given, room) => {
        const lines = chooseLines(given, { ...space, room });
        expect(lines.reduce((sum, line) => sum + line.cost, 0)).toBeLessThanOrEqual(room);
        expect(lines.length).toBeLessThanOrEqual(space.mostLines);
        for (const line of lines) {
          expect(line.cost).toBe(8 + 2 * line.terms.length);
          expect(line.terms.length).toBeLessThanOrEqual(space.mostTerms);
          const places = line.pieces.map((index) => given[index]?.size ?? 0);
          expect(places.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(space.mostPlaces);
        }
      }),
    );
  });

  it("have unique seeds that all their pieces share, and only words of their pieces", () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const lines = chooseLines(given, space);
        expect(new Set(lines.map(({ seed }) => seed)).size).toBe(lines.length);
        for (const { seed, terms, pieces: of } of lines) {
          for (const index of of) expect(given[index]?.terms).toContain(seed);
          const words = new Set(of.flatMap((index) => given[index]?.terms ?? []));
          for (const term of terms) expect(words.has(term)).toBe(true);
          expect(new Set([seed, ...terms]).size).toBe(1 + terms.length);
        }
      }),
    );
  });

  it("are deterministic, and with fewer allowed lines the first of them are the same", () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const all = chooseLines(given, { ...space, room: 10_000 });
        expect(chooseLines(given, { ...space, room: 10_000 })).toEqual(all);
        expect(chooseLines(given, { ...space, room: 10_000, mostLines: 3 })).toEqual(all.slice(0, 3));
      }),
    );
  });

  it("do not depend on how tight the lower bounds of the costs are, which only save drafts", () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 0, max: 300 }), (given, room) => {
        const loose = chooseLines(given, { ...space, room, leastLineCost: 0.01, leastTermCost: 0.01 });
        expect(chooseLines(given, { ...space, room })).toEqual(loose);
      }),
    );
  });

  it("group pieces that share two words, but not pieces that share only one common word", () => {
    const [shared] = chooseLines([piece(1, 2, 3), piece(1, 2, 4)], { ...space, mostLines: 1 });
    expect(shared?.pieces).toHaveLength(2);
    const apart = chooseLines([piece(1, 2, 3), piece(1, 4, 5)], space);
    for (const { pieces: of } of apart) expect(of).toHaveLength(1);
  });

  it("do not repeat what is covered: a second piece comes before a second line for the first", () => {
    const lines = chooseLines([piece(1, 2, 3, 4), piece(5, 6, 7, 8)], { ...space, mostLines: 2 });
    expect(lines.flatMap(({ pieces: of }) => of).toSorted((a, b) => a - b)).toEqual([0, 1]);
  });
});
