import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlank, toInt8, cosines } from "./int8.ts";

const cosine = (one: Int8Array, other: Int8Array): number =>
  cosines(one, { dimensions: other.length, bytes: other })[0] ?? Number.NaN;

const parts = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 });
const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);
const isSpread = (vector: readonly number[]): boolean =>
  lengthOf(vector) > 1e-3 && vector.every((part) => Math.abs(part) < lengthOf(vector) / 2);

test("the cosine of the bytes is close to that of the original numbers", () => {
  fc.assert(
    fc.property(parts.filter(isSpread), parts.filter(isSpread), (one, other) => {
      const exact =
        one.reduce((sum, part, index) => sum + part * (other[index] ?? 0), 0) / lengthOf(one) / lengthOf(other);
      expect(Math.abs(cosine(toInt8(one), toInt8(other)) - exact)).toBeLessThan(0.02);
    }),
  );
});

test("length does not matter", () => {
  fc.assert(
    fc.property(parts.filter(isSpread), (one) => {
      expect(toInt8(one.map((part) => part * 1024))).toEqual(toInt8(one));
    }),
  );
});

test("a vector without direction is blank", () => {
  for (const none of [[0, 0, 0], [], [Number.NaN, 1], [Infinity, 1], [1e300, 1e300]]) {
    expect(isBlank(toInt8(none))).toBe(true);
    expect(toInt8(none).length).toBe(none.length);
  }
  expect(cosine(toInt8([0, 0]), toInt8([1, 1]))).toBe(0);
});

test("a component above one half is clipped", () => {
  expect([...toInt8([3, 0, 0])]).toEqual([127, 0, 0]);
});

const byte = fc.integer({ min: -127, max: 127 });

test("each row has the same cosine as on its own", () => {
  const given = fc.integer({ min: 1, max: 13 }).chain((dimensions) => {
    const vector = fc
      .array(byte, { minLength: dimensions, maxLength: dimensions })
      .map((parts) => Int8Array.from(parts));
    return fc.tuple(vector, fc.array(vector, { maxLength: 11 }));
  });
  fc.assert(
    fc.property(given, ([vector, rows]) => {
      const bytes = Int8Array.from(rows.flatMap((row) => [...row]));
      const expected = Float32Array.from(
        rows,
        (row) => row.reduce((sum, part, at) => sum + part * (vector[at] ?? 0), 0) / 254 ** 2,
      );
      expect(cosines(vector, { dimensions: vector.length, bytes })).toEqual(expected);
    }),
  );
});

test("no rows or no dimensions give an empty result", () => {
  expect(cosines(new Int8Array(4), { dimensions: 4, bytes: new Int8Array(0) })).toEqual(new Float32Array(0));
  expect(cosines(new Int8Array(0), { dimensions: 0, bytes: new Int8Array(0) })).toEqual(new Float32Array(0));
});
