import { setTimeout as sleep } from "node:timers/promises";
import { MemoryError } from "../../../base/errors.ts";
import type { Call } from "../../operation.ts";

/** How long work that was stopped may take to put down how it ended, in milliseconds. */
const grace = 250;

/**
 * What the work gives, unless it takes longer than `ms` (then `late` is thrown) or the caller stops it. Whether or not the work heeds its signal, nobody waits
 * longer; it has a moment to end in order.
 */
export async function inTime<T>(
  limit: { readonly ms: number; readonly call: Call; readonly late: MemoryError },
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const tooLate = new AbortController();
  const own = limit.call.signal;
  const signal = own === undefined ? tooLate.signal : AbortSignal.any([own, tooLate.signal]);
  signal.throwIfAborted();
  const timer = setTimeout(() => tooLate.abort(limit.late), limit.ms);
  const working = work({ ...limit.call, signal });
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([working, stopped]);
  } catch (error) {
    if (!signal.aborted) throw error;
    await Promise.race([working.catch(() => undefined), sleep(grace)]);
    throw own?.aborted === true ? error : limit.late;
  } finally {
    clearTimeout(timer);
    stopped.catch(() => undefined);
  }
}
