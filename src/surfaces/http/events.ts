import { setTimeout as pause } from "node:timers/promises";

/** One server-sent event. */
export interface ServerEvent {
  readonly id: string;
  readonly event?: string;
  /** One line. */
  readonly data: string;
}

export interface EventStreamOptions {
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Called once, when the stream has ended for any reason. */
  ended(): void;
  /** Called when the reader has taken nothing for too long. */
  stalled(): void;
  /** For tests: milliseconds between comments that keep the connection open, and until a reader counts as stalled. */
  readonly keepAliveMs?: number;
  readonly patienceMs?: number;
}

/** Bytes of events that are sent as one piece. */
const pieceBytes = 64 * 1024;

/**
 * Events as a body of `text/event-stream`. Events are taken from the source only when the reader is ready for more, so a slow reader costs no memory; one that
 * takes nothing for half a minute is dropped. The first piece asks clients to connect again after a second.
 */
export function eventStream(
  source: AsyncIterable<ServerEvent>,
  { signal, ended, stalled, keepAliveMs = 15_000, patienceMs = 30_000 }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const events = source[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<ServerEvent>> | undefined;
  let impatience: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    clearTimeout(impatience);
    signal.removeEventListener("abort", stop);
    if (isOver) return;
    isOver = true;
    void events.return?.().catch(() => undefined);
    ended();
  };
  let stop: () => void = end;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode("retry: 1000\n\n"));
      stop = (): void => {
        if (!isOver) controller.close();
        end();
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    },
    pull: async (controller) => {
      clearTimeout(impatience);
      next ??= events.next();
      const timer = new AbortController();
      const found = await Promise.race([
        next.catch((): undefined => undefined),
        pause(keepAliveMs, "quiet" as const, { ref: false, signal: timer.signal }).catch(() => "quiet" as const),
      ]);
      timer.abort();
      if (isOver) return;
      if (found === "quiet") controller.enqueue(encoder.encode(": here\n\n"));
      else if (found === undefined || found.done === true) return stop();
      else {
        next = undefined;
        controller.enqueue(encoder.encode(await pieceFrom(found.value)));
      }
      impatience = setTimeout(() => {
        stalled();
        stop();
      }, patienceMs).unref();
    },
    cancel: end,
  });

  /** This event and those that are there at once. */
  async function pieceFrom(first: ServerEvent): Promise<string> {
    let piece = printEvent(first);
    while (piece.length < pieceBytes && !isOver) {
      next ??= events.next();
      const found = await Promise.race([next.catch((): undefined => undefined), turn()]);
      if (found === "later" || found === undefined || found.done === true) break;
      next = undefined;
      piece += printEvent(found.value);
    }
    return piece;
  }
}

async function turn(): Promise<"later"> {
  return new Promise((resolve) => setImmediate(resolve, "later"));
}

function printEvent({ id, event, data }: ServerEvent): string {
  return `${event === undefined ? "" : `event: ${event}\n`}id: ${id}\ndata: ${data}\n\n`;
}
