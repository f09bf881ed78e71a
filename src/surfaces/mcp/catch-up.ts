import { prepareIndex } from "../../engine/indexing/prepare.ts";
import type { Memory } from "../../engine/memory.ts";

/** Milliseconds of indexing between two calls: as long as one call itself would wait. */
const slice = 250;

/**
 * Brings the index up to date between calls, a slice at a time, so that a call waits for one slice at most; a process that stays has the time that a
 * command has not. Asked for while it is at it, it goes on. Ends when nothing is left, nothing gets less, or it fails: the next call tells of that.
 */
export function createCatchUp(work: {
  memory(): Promise<Memory>;
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}): () => void {
  let running = false;
  const run = async (): Promise<void> => {
    let [before, left] = [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER];
    while (left > 0 && left < before) {
      before = left;
      ({ not_indexed: left } = await work.inTurn(async () => prepareIndex(await work.memory(), { ms: slice })));
    }
  };
  return () => {
    if (running) return;
    running = true;
    void run()
      .catch(() => undefined)
      .finally(() => (running = false));
  };
}
