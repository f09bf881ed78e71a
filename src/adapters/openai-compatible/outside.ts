/** What the adapter needs of the world, so that tests can give another one. */
export interface Outside {
  readonly fetch: typeof globalThis.fetch;
  /** Ends early, without an error, when the signal is given. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export const machineOutside: Outside = {
  fetch: (input, init) => globalThis.fetch(input, init),
  sleep,
  random: () => Math.random(),
  now: () => Date.now(),
};

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted === true) end();
  });
}
