import type { Random } from "../platform/clock.ts";

/** Numbers that look random and are the same for the same seed. Not for secrets. */
export interface SeededRandom extends Random {
  /** An integer in `[0, limit)`. */
  below(limit: number): number;
  /** True with the probability `share` (0 to 1). */
  chance(share: number): boolean;
}

/** A small generator (mulberry32): the same seed gives the same sequence on every machine. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    below: (limit) => Math.floor((next() / 2 ** 32) * limit),
    chance: (share) => next() / 2 ** 32 < share,
    bytes: (count) => Uint8Array.from({ length: count }, () => next() & 0xff),
  };
}
