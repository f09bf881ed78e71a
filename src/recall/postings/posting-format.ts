/** The rows that hold one term, ascending, and how often each does (at most 255). */
export interface Postings {
  readonly rows: Int32Array;
  readonly counts: Uint8Array;
}

export const noPostings: Postings = { rows: new Int32Array(), counts: new Uint8Array() };

/**
 * Postings as bytes: for each row the distance to the one before (the first: to 0), doubled, as a varint (7 bits a byte, the lowest first); odd when a
 * byte with the count follows, else the count is 1.
 */
export function printPostings(rows: ArrayLike<number>, counts: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(rows.length * 6 + 6);
  let at = 0;
  let before = 0;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    const count = counts[index] ?? 1;
    let rest = (row - before) * 2 + (count === 1 ? 0 : 1);
    before = row;
    while (rest >= 128) {
      bytes[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    bytes[at++] = rest;
    if (count !== 1) bytes[at++] = Math.min(255, count);
  }
  return bytes.slice(0, at);
}

/** Reads `count` postings; those of rows that `isAlive` says 0 of are left out. Bytes that are no postings give some, never an error. */
export function parsePostings(bytes: Uint8Array, count: number, isAlive: (row: number) => number): Postings {
  const rows = new Int32Array(Math.min(count, bytes.length));
  const counts = new Uint8Array(rows.length);
  let found = 0;
  let row = 0;
  for (let at = 0; at < bytes.length;) {
    let byte = bytes[at++] ?? 0;
    let delta = byte & 127;
    for (let factor = 128; byte >= 128 && at < bytes.length; factor *= 128) {
      byte = bytes[at++] ?? 0;
      delta += (byte & 127) * factor;
    }
    const often = (delta & 1) === 0 ? 1 : (bytes[at++] ?? 1);
    row += Math.floor(delta / 2);
    if (found >= rows.length || isAlive(row) === 0) continue;
    rows[found] = row;
    counts[found++] = often;
  }
  return found === rows.length
    ? { rows, counts }
    : { rows: rows.subarray(0, found), counts: counts.subarray(0, found) };
}

/** Postings of rows that hold one or more of the terms; counts add up. Each is ascending. */
export function unitedPostings(lists: readonly Postings[]): Postings {
  const filled = lists.filter(({ rows }) => rows.length > 0);
  const [first, second, ...others] = filled;
  if (first === undefined) return noPostings;
  if (second === undefined) return first;
  return unitedPostings([mergedPair(first, second), ...others]);
}

function mergedPair(a: Postings, b: Postings): Postings {
  const rows = new Int32Array(a.rows.length + b.rows.length);
  const counts = new Uint8Array(rows.length);
  let [i, j, found] = [0, 0, 0];
  while (i < a.rows.length || j < b.rows.length) {
    const left = a.rows[i] ?? Number.POSITIVE_INFINITY;
    const right = b.rows[j] ?? Number.POSITIVE_INFINITY;
    const count = (left <= right ? (a.counts[i] ?? 0) : 0) + (right <= left ? (b.counts[j] ?? 0) : 0);
    rows[found] = Math.min(left, right);
    counts[found++] = Math.min(255, count);
    if (left <= right) i += 1;
    if (right <= left) j += 1;
  }
  return { rows: rows.subarray(0, found), counts: counts.subarray(0, found) };
}
