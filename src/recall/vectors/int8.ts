/** Scale of the bytes: nearly all components of nearly all unit vectors are below one half and fit. */
const unit = 254;

/** The vector scaled to unit length, in bytes; zeros if it has no direction. Components above one half are clipped to one half. */
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

/** Whether the vector is all zeros. */
export function isBlank(vector: Int8Array): boolean {
  return vector.every((part) => part === 0);
}

/** Vectors in one contiguous block. */
interface Rows {
  readonly dimensions: number;
  /** Its length is a multiple of `dimensions`. */
  readonly bytes: Int8Array;
}

/** The cosine between a vector and every row, in order, by brute force. A vector or row of zeros gives 0. */
export function cosines(vector: Int8Array, { dimensions, bytes }: Rows): Float32Array {
  const found = new Float32Array(dimensions === 0 ? 0 : Math.floor(bytes.length / dimensions));
  // Converting the vector to 32-bit integers once is cheaper than converting it for each row.
  const wide = Int32Array.from(vector);
  for (let row = 0, at = 0; row < found.length; row++) {
    let sum = 0;
    for (let index = 0; index < dimensions; index++, at++)
      sum = (sum + Math.imul(wide[index] ?? 0, bytes[at] ?? 0)) | 0;
    found[row] = sum / (unit * unit);
  }
  return found;
}

/** Binary search: the first index below `length` for which `isBefore` is false, or `length`. */
export function firstPlace(length: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of a number in an ascending list, or -1. */
export function placeOf(numbers: Int32Array, wanted: number): number {
  const place = firstPlace(numbers.length, (at) => (numbers[at] ?? 0) < wanted);
  return numbers[place] === wanted ? place : -1;
}
