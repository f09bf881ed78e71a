/** What a part of a vector of unit length is multiplied with, so that nearly all parts of nearly all vectors fit a byte. */
const unit = 254;

/** The vector scaled to unit length, in bytes; zeros when it has no direction. A part above one half counts as one half. */
export function toInt8(vector: ArrayLike<number>): Int8Array {
  const bytes = new Int8Array(vector.length);
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += (vector[index] ?? 0) ** 2;
  if (!(squares > 0 && squares < Infinity)) return bytes;
  const scale = unit / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) {
    const part = Math.round((vector[index] ?? 0) * scale);
    bytes[index] = Math.max(-127, Math.min(127, part));
  }
  return bytes;
}

/** Whether the vector says nothing. */
export function isBlank(vector: Int8Array): boolean {
  return vector.every((part) => part === 0);
}

/** Vectors one after the other in one block, as an index keeps them. */
interface Rows {
  readonly dimensions: number;
  /** A multiple of `dimensions` long. */
  readonly bytes: Int8Array;
}

/** The cosine of a vector with every row, in their order, by brute force. Rows of zeros, and a vector of zeros, have 0 throughout. */
export function cosines(vector: Int8Array, { dimensions, bytes }: Rows): Float32Array {
  const found = new Float32Array(dimensions === 0 ? 0 : Math.floor(bytes.length / dimensions));
  // As 32-bit integers the numbers of the vector need no conversion at each of the rows.
  const wide = Int32Array.from(vector);
  for (let row = 0, at = 0; row < found.length; row++) {
    let sum = 0;
    for (let index = 0; index < dimensions; index++, at++)
      sum = (sum + Math.imul(wide[index] ?? 0, bytes[at] ?? 0)) | 0;
    found[row] = sum / (unit * unit);
  }
  return found;
}
