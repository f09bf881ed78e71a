import fc from "fast-check";
import { expect, test } from "vitest";
import { cosine } from "./int8.ts";
import { cosines } from "./rows.ts";

const byte = fc.integer({ min: -127, max: 127 });

test("each row has the cosine that it has alone", () => {
  const given = fc.integer({ min: 1, max: 13 }).chain((dimensions) => {
    const vector = fc
      .array(byte, { minLength: dimensions, maxLength: dimensions })
      .map((parts) => Int8Array.from(parts));
    return fc.tuple(vector, fc.array(vector, { maxLength: 11 }));
  });
  fc.assert(
    fc.property(given, ([vector, rows]) => {
      const bytes = Int8Array.from(rows.flatMap((row) => [...row]));
      const expected = Float32Array.from(rows, (row) => cosine(vector, row));
      expect(cosines(vector, { dimensions: vector.length, bytes })).toEqual(expected);
    }),
  );
});

test("of no rows and no dimensions there is nothing to tell", () => {
  expect(cosines(new Int8Array(4), { dimensions: 4, bytes: new Int8Array(0) })).toEqual(new Float32Array(0));
  expect(cosines(new Int8Array(0), { dimensions: 0, bytes: new Int8Array(0) })).toEqual(new Float32Array(0));
});
