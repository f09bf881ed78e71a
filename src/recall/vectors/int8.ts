import { once } from "../../base/lines.ts";

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

/**
 * The cosine between a vector and every row, in order, by brute force. A vector or row of zeros gives 0. Bytes of `createRows` are compared
 * about 40 times as fast as others, with the same results.
 */
export function cosines(vector: Int8Array, { dimensions, bytes }: Rows): Float32Array {
  const table = tables.get(bytes);
  return table?.dimensions === dimensions ? table.cosinesTo(vector) : cosinesOf(vector, { dimensions, bytes });
}

function cosinesOf(vector: Int8Array, { dimensions, bytes }: Rows): Float32Array {
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

/** What rows have in common, per table. */
interface Common {
  /** Their mean; rows of unit length that all point the same way have a mean of length 1. */
  readonly mean: Float64Array;
  readonly length: number;
  /** For each row: its cosine to the mean, and one over its distance from the mean. */
  readonly near: Float32Array;
  readonly scale: Float32Array;
}

const commons = new WeakMap<Int8Array, Common>();
/** The mean is that of about this many rows, evenly spread, and of this many rows of zeros, since a few rows have much in common by chance. */
const [mostMeant, blankMeant] = [2000, 32];

function commonOf({ dimensions, bytes }: Rows): Common {
  const known = commons.get(bytes);
  if (known !== undefined) return known;
  const mean = new Float64Array(dimensions);
  const rows = bytes.length / dimensions;
  const step = Math.max(1, Math.floor(rows / mostMeant));
  for (let row = 0; row < rows; row += step)
    for (let part = 0, at = row * dimensions; part < dimensions; part++, at++)
      mean[part] = (mean[part] ?? 0) + (bytes[at] ?? 0);
  const meant = (Math.ceil(rows / step) + blankMeant) * unit;
  let squares = 0;
  for (let part = 0; part < dimensions; part++) squares += (mean[part] = (mean[part] ?? 0) / meant) ** 2;
  const length = Math.min(1, Math.sqrt(squares));
  const near = cosines(toInt8(mean), { dimensions, bytes });
  const scale = near.map((cosine) => 1 / Math.sqrt(Math.max(0.01, 1 - 2 * length * cosine + squares)));
  const common = { mean, length, near, scale };
  commons.set(bytes, common);
  return common;
}

/**
 * Like `cosines`, without what all rows have in common (after Mu and Viswanath 2018): their mean is taken out of the rows, and as much of it out of the vector as the rows are
 * alike. With a model whose vectors all point nearly the same way, far more is found so. The results may be above 1.
 */
export function centredCosines(vector: Int8Array, rows: Rows): Float32Array {
  const { mean, length, near, scale } = commonOf(rows);
  let along = 0;
  for (let part = 0; part < mean.length; part++) along += ((vector[part] ?? 0) * (mean[part] ?? 0)) / unit;
  const found = cosines(vector, rows);
  const away = along - length ** 3;
  const share = length ** 2;
  for (let row = 0; row < found.length; row++)
    found[row] = ((found[row] ?? 0) - share * (near[row] ?? 0) - away) * (scale[row] ?? 0);
  return found;
}

interface Table {
  readonly dimensions: number;
  readonly cosinesTo: (vector: Int8Array) => Float32Array;
}

const tables = new WeakMap<Int8Array, Table>();

/** Room for rows, filled with zeros: in memory of WebAssembly, where `cosines` compares them without a copy, if there is any. */
export function createRows(count: number, dimensions: number): Int8Array {
  const length = count * dimensions;
  const quarter = Math.ceil(count / 4);
  const wide = Math.ceil(dimensions / 16) * 32;
  const start = wide + quarter * 16;
  const kernel = length === 0 ? undefined : openKernel(start + 4 * quarter * dimensions + 16);
  if (kernel === undefined) return new Int8Array(length);
  const parts = new Int16Array(kernel.buffer, 0, wide / 2);
  const found = new Float32Array(kernel.buffer, wide, count);
  const bytes = new Int8Array(kernel.buffer, start, length);
  const cosinesTo = (vector: Int8Array): Float32Array => {
    parts.fill(0);
    parts.set(vector.subarray(0, dimensions));
    for (let from = 0; from < quarter; from += mostAtOnce)
      kernel.run(wide, dimensions, quarter, from, Math.min(from + mostAtOnce, quarter));
    return found.slice();
  };
  tables.set(bytes, { dimensions, cosinesTo });
  return bytes;
}

/** Rows of each quarter in one call. V8 replaces the code it starts with only between calls. */
const mostAtOnce = 256;

/** `tools/cosines.wat` describes its memory and parameters. */
interface Kernel {
  readonly buffer: ArrayBuffer;
  readonly run: (vector: number, dimensions: number, quarter: number, from: number, to: number) => void;
}

/** `tools/cosines.wat`, assembled. */
const assembled =
  "AGFzbQEAAAABCQFgBX9/f39/AAIMAQAGbWVtb3J5AgABAwIBAAcHAQNydW4AAAqYBQGVBQIKfwV7IAIgAWwhBSACQQRsIQYgACAGQQRsaiADIAFsaiEHIAAgA0EEbGohCCAAIARBBGxqIQkDQCAHIQsgCyAFaiEMIAwgBWohDSANIAVqIQ79DAAAAAAAAAAAAAAAAAAAAAAhEP0MAAAAAAAAAAAAAAAAAAAAACER/QwAAAAAAAAAAAAAAAAAAAAAIRL9DAAAAAAAAAAAAAAAAAAAAAAhE0EAIQoDQCAK/QAEACEPIBAgDyAL/QEDAP26Af2uASEQIBEgDyAM/QEDAP26Af2uASERIBIgDyAN/QEDAP26Af2uASESIBMgDyAO/QEDAP26Af2uASETIAr9AAQQIQ8gECAPIAv9AQMI/boB/a4BIRAgESAPIAz9AQMI/boB/a4BIREgEiAPIA39AQMI/boB/a4BIRIgEyAPIA79AQMI/boB/a4BIRMgC0EQaiELIAxBEGohDCANQRBqIQ0gDkEQaiEOIApBIGoiCiAASQ0ACyAQIBH9DQABAgMQERITBAUGBxQVFhcgECAR/Q0ICQoLGBkaGwwNDg8cHR4f/a4BIRAgEiAT/Q0AAQIDEBESEwQFBgcUFRYXIBIgE/0NCAkKCxgZGhsMDQ4PHB0eH/2uASESIBAgECAQ/Q0ICQoLDA0ODwABAgMEBQYH/a4BIRAgEiASIBL9DQgJCgsMDQ4PAAECAwQFBgf9rgEhEiAQ/f4B/QwAAAAAgIDvQAAAAACAgO9A/fMB/V4hECAS/f4B/QwAAAAAgIDvQAAAAACAgO9A/fMB/V4hEiAIIgsgEP0fADgCACALIAZqIgsgEP0fATgCACALIAZqIgsgEv0fADgCACALIAZqIBL9HwE4AgAgByABaiEHIAhBBGoiCCAJSQ0ACws=";

/** What is used of WebAssembly; the types of Node do not declare it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => Pick<Kernel, "buffer">;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

const compiled = once(() => new WebAssembly.Module(Uint8Array.from(atob(assembled), (one) => one.charCodeAt(0))));

/** `undefined` without WebAssembly (`node --jitless`), without SIMD, and for more memory than there is, or than the 4 GiB of WebAssembly. */
function openKernel(bytes: number): Kernel | undefined {
  const pages = Math.ceil(bytes / 65_536);
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { exports } = new WebAssembly.Instance(compiled(), { "": { memory } });
    return { buffer: memory.buffer, run: (exports as Pick<Kernel, "run">).run };
  } catch {
    return undefined;
  }
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
