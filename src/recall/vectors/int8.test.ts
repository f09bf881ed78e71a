import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { isBlank, toInt8, centredCosines, cosines, createRows } from "./int8.ts";

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

/** Copies the rows into `createRows`, and returns their cosines there and those of the plain loop. */
function bothWays(vector: Int8Array, dimensions: number, bytes: Int8Array): readonly [Float32Array, Float32Array] {
  const rows = createRows(bytes.length / dimensions, dimensions);
  rows.set(bytes);
  return [cosines(vector, { dimensions, bytes: rows }), cosines(vector, { dimensions, bytes })];
}

const bytesOf = (length: number) => fc.int8Array({ minLength: length, maxLength: length });

test("rows in memory of WebAssembly have exactly the same cosines", () => {
  const given = fc
    .record({
      dimensions: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(384, 768, 1000)),
      count: fc.nat(9),
    })
    .chain(({ dimensions, count }) => {
      return fc.tuple(bytesOf(dimensions), bytesOf(dimensions * count));
    });
  fc.assert(
    fc.property(given, ([vector, bytes]) => {
      const [found, plain] = bothWays(vector, vector.length, bytes);
      expect(found).toEqual(plain);
    }),
  );
});

test.each([1, 7, 384, 768, 1000, 1024, 4096])("so have extreme rows of %i dimensions, in any number", (dimensions) => {
  for (const count of [1, 2, 5, 1026]) {
    const bytes = Int8Array.from({ length: count * dimensions }, (_, at) => (at * 7919 + (at >> 5)) % 256);
    // Between them, so that every quarter has some.
    for (const [place, part] of [-128, -127, 0, 127].entries())
      for (let row = place; row < count; row += 5) bytes.fill(part, row * dimensions, (row + 1) * dimensions);
    for (const part of [-128, -127, 0, 127]) {
      const [found, plain] = bothWays(new Int8Array(dimensions).fill(part), dimensions, bytes);
      expect(Buffer.compare(Buffer.from(found.buffer), Buffer.from(plain.buffer))).toBe(0);
    }
  }
});

test("rows can be filled, compared and changed in any order", () => {
  const [bytes, others] = [createRows(3, 2), createRows(2, 2)];
  expect([...bytes, ...cosines(Int8Array.of(127, 127), { dimensions: 2, bytes })]).toEqual(Array(9).fill(0));
  bytes.set([1, 2, 3, 4, 5, 6]);
  others.set([127, 0, 0, 127]);
  const first = cosines(Int8Array.of(1, 1), { dimensions: 2, bytes });
  cosines(Int8Array.of(9, 9), { dimensions: 2, bytes: others });
  bytes[0] = 11;
  const second = cosines(Int8Array.of(1, 1), { dimensions: 2, bytes });
  expect([[...first], [...second]]).toEqual(
    [
      [3, 7, 11],
      [13, 7, 11],
    ].map((sums) => [...Float32Array.from(sums, (sum) => sum / 254 ** 2)]),
  );
});

test("a vector or rows of another length are compared like plain ones", () => {
  const bytes = createRows(6, 4);
  bytes.set(bytes.map((_, at) => at * 5 - 60));
  const copy = bytes.slice();
  for (const vector of [Int8Array.of(1, 2), Int8Array.of(1, 2, 3, 4, 5), Int8Array.of(9, 8, 7, 6)])
    for (const dimensions of [0, 1, 3, 4, 24])
      expect(cosines(vector, { dimensions, bytes })).toEqual(cosines(vector, { dimensions, bytes: copy }));
  const part = bytes.subarray(4, 12);
  expect(cosines(copy.subarray(0, 4), { dimensions: 4, bytes: part })).toEqual(
    cosines(copy.subarray(0, 4), { dimensions: 4, bytes: part.slice() }),
  );
});

test("without WebAssembly, and for no rows, the rows are plain", () => {
  for (const [count, dimensions] of [
    [0, 4],
    [4, 0],
    [0, 0],
  ] as const)
    expect(createRows(count, dimensions).length).toBe(0);
  vi.stubGlobal("WebAssembly", undefined);
  try {
    const bytes = createRows(2, 3);
    expect(bytes.buffer.byteLength).toBe(6);
    bytes.set([1, 2, 3, 4, 5, 6]);
    expect(cosines(Int8Array.of(1, 1, 1), { dimensions: 3, bytes })).toEqual(
      Float32Array.of(6 / 254 ** 2, 15 / 254 ** 2),
    );
  } finally {
    vi.unstubAllGlobals();
  }
});

test("the memory of rows is that of their bytes, of a cosine each, and at most a page more", () => {
  const bytes = createRows(10_000, 384);
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(10_000 * (384 + 4) + 2 * 65_536);
});

test("centred cosines leave out the mean of the rows", () => {
  const part = (row: number, at: number): number => 1 + Math.sin(row * 37 + at * at);
  const all = Array.from({ length: 21 }, (_, row) => Array.from({ length: 64 }, (__, at) => part(row, at)));
  const [asked = [], ...rest] = all.map((vector) => vector.map((one) => one / lengthOf(vector)));
  const mean = asked.map((_, at) => rest.reduce((sum, row) => sum + (row[at] ?? 0), 0) / (rest.length + 32));
  const exact = rest.map((row) => {
    const own = row.map((one, at) => one - (mean[at] ?? 0));
    const share = lengthOf(mean);
    return own.reduce((sum, one, at) => sum + one * ((asked[at] ?? 0) - share * (mean[at] ?? 0)), 0) / lengthOf(own);
  });
  const bytes = Int8Array.from(rest.flatMap((row) => [...toInt8(row)]));
  const rows = createRows(rest.length, 64);
  rows.set(bytes);
  const found = centredCosines(toInt8(asked), { dimensions: 64, bytes });
  expect(centredCosines(toInt8(asked), { dimensions: 64, bytes: rows })).toEqual(found);
  for (const [row, one] of exact.entries()) expect(found[row]).toBeCloseTo(one, 1);
});
