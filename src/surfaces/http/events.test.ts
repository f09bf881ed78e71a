import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { eventStream, type ServerEvent } from "./events.ts";

async function* numbers(from: number, to: number): AsyncGenerator<ServerEvent, void, void> {
  for (let at = from; at < to; at++) yield { id: String(at), data: `{"n":${at}}` };
}

async function* quiet(signal: AbortSignal): AsyncGenerator<ServerEvent, void, void> {
  yield { id: "a", event: "tree", data: "{}" };
  await pause(1_000_000, undefined, { signal }).catch(() => undefined);
}

function opened(source: (signal: AbortSignal) => AsyncIterable<ServerEvent>, times: object = {}) {
  const stop = new AbortController();
  const seen = { ended: 0, stalled: 0 };
  const stream = eventStream(source(stop.signal), {
    signal: stop.signal,
    ended: () => void (seen.ended += 1),
    stalled: () => void (seen.stalled += 1),
    ...times,
  });
  return { stream, stop, seen };
}

describe("a stream of events", () => {
  test("has every event in order, several in a piece, and ends with its source", async () => {
    const { stream, seen } = opened(() => numbers(0, 1_000));
    const pieces: string[] = [];
    for await (const piece of stream as unknown as AsyncIterable<Uint8Array>)
      pieces.push(Buffer.from(piece).toString());
    const text = pieces.join("");
    expect([...text.matchAll(/^id: (\d+)$/gmu)].map(([, id]) => Number(id))).toEqual([...Array(1_000).keys()]);
    expect(text).toMatch(/^retry: 1000\n\nid: 0\ndata: \{"n":0\}\n\nid: 1\n/u);
    expect(pieces.length).toBeLessThan(1_000);
    expect(seen).toEqual({ ended: 1, stalled: 0 });
  });

  test("sends comments while nothing happens, and ends with the signal", async () => {
    const { stream, stop, seen } = opened(quiet, { keepAliveMs: 1 });
    const reader = stream.getReader();
    const read = async (): Promise<string> => Buffer.from((await reader.read()).value ?? []).toString();
    expect(await read()).toBe("retry: 1000\n\n");
    expect(await read()).toBe("event: tree\nid: a\ndata: {}\n\n");
    expect(await read()).toBe(": here\n\n");
    stop.abort();
    while (!(await reader.read()).done);
    expect(seen).toEqual({ ended: 1, stalled: 0 });
  });

  test("takes no more from its source than the reader takes, and drops a reader that takes nothing", async () => {
    let taken = 0;
    async function* counted(): AsyncGenerator<ServerEvent, void, void> {
      for (; ; taken++) yield { id: String(taken), data: "x".repeat(1_000) };
    }
    const { stream, seen } = opened(counted, { patienceMs: 5 });
    const reader = stream.getReader();
    for (let at = 0; at < 3; at++) await reader.read();
    await expect.poll(() => seen.stalled).toBe(1);
    expect(taken).toBeLessThan(500);
    expect(seen.ended).toBe(1);
  });

  test("releases its source when the reader goes", async () => {
    let released = 0;
    async function* source(): AsyncGenerator<ServerEvent, void, void> {
      try {
        yield* numbers(0, 10_000_000);
      } finally {
        released += 1;
      }
    }
    const { stream, seen } = opened(source);
    const reader = stream.getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    await expect.poll(() => released).toBe(1);
    expect(seen.ended).toBe(1);
  });
});
