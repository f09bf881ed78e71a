/** What a part of a vector of unit length is multiplied with, so that nearly all parts of nearly all vectors fit a byte. */
export const unit = 254;

/** The vector scaled to unit length, in bytes; zeros when it has no direction. A part above one half counts as one half. */
export function toInt8(vector: ArrayLike<number>): Int8Array {
  const bytes = new Int8Array(vector.length);
  writeInt8(vector, bytes, 0);
  return bytes;
}

/** As `toInt8`, into `bytes` from `at` on, which are zeros before. */
function writeInt8(vector: ArrayLike<number>, bytes: Int8Array, at: number): void {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += (vector[index] ?? 0) ** 2;
  if (!(squares > 0 && squares < Infinity)) return;
  const scale = unit / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) {
    const part = Math.round((vector[index] ?? 0) * scale);
    bytes[at + index] = Math.max(-127, Math.min(127, part));
  }
}

/** The cosine of two vectors of the same length, from -1 to 1 but for what rounding adds; 0 when one of them is all zeros. */
export function cosine(one: Int8Array, other: Int8Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum / (unit * unit);
}

/** Whether the vector says nothing. */
export function isBlank(vector: Int8Array): boolean {
  return vector.every((part) => part === 0);
}
