import type { Memory } from "../../operations/operation.ts";
import { prepareIndex } from "../../recall/index/prepare.ts";

/** Lets one call run after the other, in the order in which they came. What a call does when it fails is its own affair. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Milliseconds of indexing between two calls: as long as one call itself would wait. */
const slice = 250;
/** The longest slice, when in a shorter one a slow machine indexes nothing. */
const longestSlice = 4_000;

/**
 * Brings the index up to date between calls, a slice at a time, so that a call waits for one slice at most; a process that stays has the time that a
 * command has not. Asked for while it is at it, it goes on. Resolves when nothing is left, the longest slice changes nothing, or it fails: the next call tells of that.
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
    }
  };
  return () =>
    (running ??= run()
      .catch(() => undefined)
      .finally(() => (running = undefined)));
}
