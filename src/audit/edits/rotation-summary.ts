/** What a rotated log keeps of itself: a function of its bytes, its path and the path it moved to. */
export function rotationSummary(_log: {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly part: string;
}): Uint8Array {
  return new Uint8Array(0);
}
