import fc from "fast-check";
import { expect, test } from "vitest";
import { PairTable } from "./pair-table.ts";

test("it holds what a map would, and nothing else", () => {
  const number = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 65_535 }));
  const pair = fc.tuple(number, number);
  fc.assert(
    fc.property(fc.uniqueArray(pair, { selector: String }), fc.array(pair), (put, asked) => {
      const table = new PairTable(put.length);
      put.forEach(([first, second], at) => table.set(first, second, at));
      const known = new Map(put.map((one, at) => [String(one), at]));
      for (const one of [...put, ...asked]) expect(table.get(...one)).toBe(known.get(String(one)) ?? -1);
    }),
  );
});
