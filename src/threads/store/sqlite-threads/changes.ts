import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./connection.ts";

const PAUSE_MS = 50;

export interface Changes {
  /** Tells those that wait about a write of this process. */
  noteOwn(): void;
  /**
   * Resolves when somebody may have written since the last call with this signal, or it aborts. The first call with a signal resolves after one pause:
   * nobody knows what its caller has seen.
   */
  wait(signal: AbortSignal): Promise<void>;
  /** Lets everybody go who waits. */
  end(): void;
}

/** Looks every 50 ms whether another connection has written, and counts what this one writes. */
export function createChanges(connection: Connection): Changes {
  const seen = new WeakMap<AbortSignal, string>();
  let own = 0;
  let stop = new AbortController();
  const version = async (): Promise<string> => {
    const found = await connection.read((session) => {
      const row = session.statement("PRAGMA data_version").get() as { readonly data_version: number };
      return `${session.serial}/${row.data_version}`;
    });
    return `${own}/${found ?? "none"}`;
  };
  return {
    noteOwn: () => {
      own += 1;
    },
    wait: async (signal) => {
      const until = AbortSignal.any([signal, stop.signal]);
      const before = seen.get(signal);
      while (!until.aborted) {
        const now = await version();
        if (before !== undefined && now !== before) break;
        await pauseUntil(until);
        if (before === undefined) break;
      }
      if (!until.aborted) seen.set(signal, await version());
    },
    end: () => {
      own += 1;
      stop.abort();
      stop = new AbortController();
    },
  };
}

/** An abort only ends the pause. */
async function pauseUntil(signal: AbortSignal): Promise<void> {
  try {
    await sleep(PAUSE_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
