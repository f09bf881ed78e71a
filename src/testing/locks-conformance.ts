import type { Locks } from "../platform/locks.ts";
import { describeCases, endingOf, type Case, type Suite, type TestFunctions } from "./test-functions.ts";

/** Two openings of the same project. */
export interface LocksHarness {
  readonly locks: Locks;
  readonly other: Locks;
  close(): Promise<void>;
}

/** What every `Locks` must do within one process. Between processes, test the adapter with real ones. */
export function describeLocks(suite: Suite<LocksHarness>, runner: TestFunctions): void {
  describeCases({ ...suite, cases }, runner);
}

const cases: readonly Case<LocksHarness>[] = [
  {
    says: "a free lock is had at once, and free again after release",
    proves: async ({ locks, other }, expect) => {
      for (const one of [locks, other, locks]) {
        const ending = await endingOf(one.acquire("tree", { holder: "test" }).then((lease) => lease.release()));
        expect(ending).toBe("fulfilled");
      }
    },
  },
  {
    says: "a taken lock is busy, and the error tells by whom and since when",
    proves: async ({ locks, other }, expect) => {
      const lease = await locks.acquire("tree", { holder: "heartwood compact" });
      const error: unknown = await other.acquire("tree", { holder: "test" }).catch((cause: unknown) => cause);
      expect(error instanceof Error && error.message.includes("heartwood compact")).toBe(true);
      const details = error instanceof Error && "details" in error ? Object(error.details) : {};
      expect(details.holder).toBe("heartwood compact");
      expect(typeof details.pid).toBe("number");
      expect(Number.isNaN(Date.parse(details.since))).toBe(false);
      await lease.release();
    },
  },
  {
    says: "a lock is not re-entrant",
    proves: async ({ locks }, expect) => {
      const lease = await locks.acquire("tree", { holder: "test" });
      expect(await endingOf(locks.acquire("tree", { holder: "test" }))).toBe("busy");
      expect(await endingOf(locks.acquire("tree", { holder: "test", waitMs: 30 }))).toBe("busy");
      await lease.release();
    },
  },
  {
    says: "the two names do not hinder each other",
    proves: async ({ locks, other }, expect) => {
      const lease = await locks.acquire("tree", { holder: "test" });
      const second = await other.acquire("append", { holder: "test" });
      await second.release();
      expect(await endingOf(other.acquire("tree", { holder: "test" }))).toBe("busy");
      await lease.release();
    },
  },
  {
    says: "a second release does nothing, also when another holds the lock by then",
    proves: async ({ locks, other }, expect) => {
      const first = await locks.acquire("tree", { holder: "first" });
      await first.release();
      const second = await other.acquire("tree", { holder: "second" });
      await first.release();
      expect(await endingOf(locks.acquire("tree", { holder: "third" }))).toBe("busy");
      await second.release();
    },
  },
  {
    says: "who waits gets the lock when it is released",
    proves: async ({ locks, other }, expect) => {
      const lease = await locks.acquire("tree", { holder: "first" });
      const waiting = other.acquire("tree", { holder: "second", waitMs: 10_000 });
      await lease.release();
      expect(await endingOf(waiting.then((next) => next.release()))).toBe("fulfilled");
    },
  },
  {
    says: "a signal ends the wait with aborted, and before it, too",
    proves: async ({ locks, other }, expect) => {
      const lease = await locks.acquire("tree", { holder: "first" });
      const abort = new AbortController();
      const waiting = other.acquire("tree", { holder: "second", waitMs: 10_000, signal: abort.signal });
      abort.abort();
      expect(await endingOf(waiting)).toBe("aborted");
      await lease.release();
      expect(await endingOf(other.acquire("tree", { holder: "second", signal: abort.signal }))).toBe("aborted");
    },
  },
  {
    says: "of many that wait, each has it once and alone",
    proves: async ({ locks, other }, expect) => {
      let inside = 0;
      const seen: number[] = [];
      const turn = async (index: number): Promise<void> => {
        const lease = await (index % 2 === 0 ? locks : other).acquire("append", { holder: "test", waitMs: 30_000 });
        inside += 1;
        await Promise.resolve();
        seen.push(inside);
        inside -= 1;
        await lease.release();
      };
      await Promise.all(Array.from({ length: 12 }, (_, index) => turn(index)));
      expect(seen).toEqual(Array(12).fill(1));
    },
  },
];
