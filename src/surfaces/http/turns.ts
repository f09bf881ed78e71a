import { createTurns } from "../../operations/mcp/turns.ts";
import type { Worker } from "../../platform/program.ts";
import type { Turns } from "./operations.ts";

/** More would only share the processor, and each takes RAM. */
const mostReads = 8;
const mostJobs = 2;

/** Writes run one at a time, reads beside them and each other: another process could do the same at any moment. */
export function createSharedTurns(): Turns {
  return { write: createTurns(), read: createPool(mostReads) };
}

/** Runs at most this many calls at once, the others in order. */
function createPool(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

export interface Jobs {
  /** Runs a job after the answer to the request that started it. */
  spawn(job: (signal: AbortSignal) => Promise<unknown>): void;
  /** Resolves when every job has ended. Abort the signal first. */
  ended(): Promise<void>;
}

/** Jobs in the background. The signal stops them; each records its own end. */
export function createJobs(signal: AbortSignal): Jobs {
  const pool = createPool(mostJobs);
  const running = new Set<Promise<unknown>>();
  return {
    spawn: (job) => {
      // A job records its failure in its thread; one that cannot even do that ends when its lease expires.
      const run: Promise<unknown> = pool(() => job(signal)).catch(() => undefined);
      running.add(run);
      void run.finally(() => running.delete(run));
    },
    ended: async () => void (await Promise.all(running)),
  };
}

/** A thread that runs while there is work for it, and for a while after. */
export function createThread(start: () => Worker): {
  /** As `Worker.ask`. */
  ask(job: unknown, signal: AbortSignal): ReturnType<Worker["ask"]>;
  end(): Promise<void>;
} {
  let worker: Worker | undefined;
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = async (): Promise<void> => {
    const ended = worker;
    worker = undefined;
    await ended?.end();
  };
  return {
    ask: async (job, signal) => {
      clearTimeout(timer);
      asked += 1;
      const own = (worker ??= start());
      try {
        const reply = await own.ask(job, signal);
        // The next job gets another one.
        if (own.isDead() && worker === own) await end();
        return reply;
      } finally {
        asked -= 1;
        if (asked === 0) timer = setTimeout(() => void end(), restMs).unref();
      }
    },
    end,
  };
}

/** Milliseconds without work after which a thread ends, and what it keeps in RAM with it. */
const restMs = 5 * 60_000;
