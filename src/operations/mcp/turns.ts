import type { Memory } from "../operation.ts";
import { prepareIndex } from "../../recall/index/prepare.ts";

/** Runs calls one at a time, in order. A failed call does not stop the next one. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Milliseconds of indexing between two calls, about as long as a call takes. */
const slice = 250;
/** The longest slice, for machines too slow to index anything in a shorter one. */
const longestSlice = 4_000;

/**
 * Updates the index between calls, in slices, so a call waits for at most one slice. Has no effect while already running. Resolves when nothing is
 * left, when the longest slice makes no progress, or on failure, which the next call reports.
 */
export function createCatchUp(work: {
  memory(): Promise<Memory>;
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    let [left, ms] = [Number.POSITIVE_INFINITY, slice];
    while (left > 0 && ms <= longestSlice) {
      const before = left;
      ({ not_indexed: left } = await work.inTurn(async () => prepareIndex(await work.memory(), { ms })));
      ms = left < before ? slice : ms * 2;
      // A slice may never wait for anything, and requests are only read here.
      await new Promise(setImmediate);
    }
  };
  return () =>
    (running ??= run()
      .catch(() => undefined)
      .finally(() => (running = undefined)));
}
