import type { Random } from "../platform/clock.ts";

/** The test runner functions that the suites use: vitest's, or thin wrappers around another runner's. */
export interface TestFunctions {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: ((name: string, body: () => Promise<void>) => unknown) & {
    readonly skip: (name: string, body: () => Promise<void>) => unknown;
  };
  readonly expect: Expect;
}

/** The assertions that the suites use. */
export type Expect = (actual: unknown) => {
  toBe(expected: unknown): unknown;
  toEqual(expected: unknown): unknown;
};

/** An adapter under test. */
export interface Suite<Harness> {
  readonly name: string;
  /** Creates a fresh harness for each case. */
  create(): Promise<Harness>;
  /** Cases that this adapter cannot run: the title of the case, and the reason. The report shows both. */
  readonly skip?: Readonly<Record<string, string>>;
}

/** Claims about the port, each with a test that checks it. */
export type Cases<Harness> = Readonly<Record<string, (harness: Harness, expect: Expect) => Promise<void>>>;

/** Runs the cases one by one. Skipping a title without a case is a failure. */
export function describeCases<Harness extends { close(): Promise<void> }>(
  suite: Suite<Harness> & { readonly cases: Cases<Harness> },
  { describe, it, expect }: TestFunctions,
): void {
  const skip = suite.skip ?? {};
  describe(suite.name, () => {
    for (const [says, proves] of Object.entries(suite.cases)) {
      const reason = skip[says];
      const run = async (): Promise<void> => {
        const harness = await suite.create();
        try {
          await proves(harness, expect);
        } finally {
          await harness.close();
        }
      };
      if (reason === undefined) it(says, run);
      else it.skip(`${says} (skipped: ${reason})`, run);
    }
    it("skips only cases that exist", async () => {
      expect(Object.keys(skip).filter((sentence) => !Object.hasOwn(suite.cases, sentence))).toEqual([]);
    });
  });
}

/** How a promise ends: `fulfilled`, or the code of its error. */
export async function endingOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "fulfilled";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

/** Pseudo-random numbers, the same for the same seed. Not for secrets. */
export interface SeededRandom extends Random {
  /** An integer in `[0, limit)`. */
  below(limit: number): number;
  /** True with probability `share` (0 to 1). */
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
