import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Worker } from "../../platform/program.ts";
import { createThread } from "./turns.ts";

const { signal } = new AbortController();

/** Threads that answer with their number and the job, until they die. */
function threads(deaths: readonly string[] = []) {
  const events: string[] = [];
  let started = 0;
  const start = (): Worker => {
    const number = ++started;
    events.push(`start ${number}`);
    let isDead = false;
    return {
      ask: async (job) => {
        if (job === "fails") return undefined;
        isDead = deaths.includes(`${number} ${String(job)}`);
        return isDead ? undefined : { answer: `${number} ${String(job)}` };
      },
      isDead: () => isDead,
      end: async () => void events.push(`end ${number}`),
    };
  };
  return { start, events };
}

describe("a thread for long reads", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("starts with the first job and takes the next ones", async () => {
    const { start, events } = threads();
    const thread = createThread(start);
    expect(events).toEqual([]);
    expect(await thread.ask("a", signal)).toEqual({ answer: "1 a" });
    expect(await thread.ask("b", signal)).toEqual({ answer: "1 b" });
    expect(events).toEqual(["start 1"]);
  });

  test("ends after a while without work, and starts again", async () => {
    const { start, events } = threads();
    const thread = createThread(start);
    await thread.ask("a", signal);
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    await thread.ask("b", signal);
    await vi.advanceTimersByTimeAsync(4 * 60_000);
    expect(events).toEqual(["start 1"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events).toEqual(["start 1", "end 1"]);
    expect(await thread.ask("c", signal)).toEqual({ answer: "2 c" });
  });

  test("goes on after a job that it could not do", async () => {
    const { start, events } = threads();
    const thread = createThread(start);
    expect(await thread.ask("fails", signal)).toBeUndefined();
    expect(await thread.ask("b", signal)).toEqual({ answer: "1 b" });
    expect(events).toEqual(["start 1"]);
  });

  test("that died leaves its job to the server, and the next job gets another thread", async () => {
    const { start, events } = threads(["1 a"]);
    const thread = createThread(start);
    expect(await thread.ask("a", signal)).toBeUndefined();
    expect(await thread.ask("b", signal)).toEqual({ answer: "2 b" });
    expect(events).toEqual(["start 1", "end 1", "start 2"]);
  });
});
