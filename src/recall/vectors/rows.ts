import { unit } from "./int8.ts";

/** Vectors one after the other in one block, as an index keeps them. */
export interface Rows {
  readonly dimensions: number;
  /** A multiple of `dimensions` long. */
  readonly bytes: Int8Array;
}

/**
 * The cosine of a vector with every row, in their order, by brute force: 100,000 rows of 256 take some tens of milliseconds. Rows of zeros, and a vector of
 * zeros, have 0 throughout.
 */
export function cosines(vector: Int8Array, { dimensions, bytes }: Rows): Float32Array {
  const count = dimensions === 0 ? 0 : Math.floor(bytes.length / dimensions);
  const found = new Float32Array(count);
  // As 32-bit integers the numbers of the vector need no conversion at each of the rows.
  const wide = Int32Array.from(vector);
  for (let row = 0; row < count; row++) found[row] = dot(wide, bytes, row * dimensions) / (unit * unit);
  return found;
}

/** In four sums, since each addition waits for the one before it. */
function dot(vector: Int32Array, bytes: Int8Array, at: number): number {
  const length = vector.length;
  let [one, two, three, four] = [0, 0, 0, 0];
  let index = 0;
  for (; index + 3 < length; index += 4) {
    one += (vector[index] ?? 0) * (bytes[at + index] ?? 0);
    two += (vector[index + 1] ?? 0) * (bytes[at + index + 1] ?? 0);
    three += (vector[index + 2] ?? 0) * (bytes[at + index + 2] ?? 0);
    four += (vector[index + 3] ?? 0) * (bytes[at + index + 3] ?? 0);
  }
  for (; index < length; index++) one += (vector[index] ?? 0) * (bytes[at + index] ?? 0);
  return one + two + three + four;
}
