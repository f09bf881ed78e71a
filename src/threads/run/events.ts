import type { ThreadStore } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type { EventsInput, ThreadInput } from "./inputs.ts";
import { threadHead } from "./thread-head.ts";

/** Frames that are read at once. */
const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;
/** From here on an export lasts longer than it takes to bound the heap. */
const LONG = 20_000;

/** The lines of a thread up to its head when it was asked, as they came. Errors: `invalid_thread_id`, `thread_not_found`. */
export async function exportFrames(
  memory: ThreadMemory,
  input: ThreadInput,
  call: Call = {},
): Promise<AsyncIterable<string>> {
  const head = await threadHead(memory, input.thread_id);
  if (head.head_seq > LONG) memory.onWork?.();
  return pagesOf(memory.threads, { thread_id: head.thread_id, from_seq: 0, to_seq: head.head_seq }, call.signal);
}

/** The lines from a seq on; with `follow` also those that are appended later, until the signal aborts. Errors: as `exportFrames`. */
export async function readEvents(
  memory: ThreadMemory,
  input: EventsInput,
  call: Call = {},
): Promise<AsyncIterable<string>> {
  const head = await threadHead(memory, input.thread_id);
  const range = { thread_id: head.thread_id, from_seq: input.from_seq ?? 0 };
  if (input.follow === true) return followed(memory.threads, range, call.signal);
  return pagesOf(memory.threads, { ...range, to_seq: head.head_seq }, call.signal);
}

interface Range {
  readonly thread_id: string;
  readonly from_seq: number;
  readonly to_seq?: number;
}

/** Returns the seq after the last line. */
async function* pagesOf(
  threads: ThreadStore,
  range: Range,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, number, void> {
  let next = range.from_seq;
  while (next <= (range.to_seq ?? Infinity)) {
    const page = await threads.frames({ ...range, from_seq: next, limit: PAGE, most_bytes: PAGE_BYTES });
    for (const { line, seq } of page) {
      yield line;
      next = seq + 1;
    }
    if (page.length === 0 || signal?.aborted === true) break;
  }
  return next;
}

async function* followed(
  threads: ThreadStore,
  range: Range,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, void> {
  // Whoever stops reading ends the wait, too.
  const ended = new AbortController();
  const stop = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  let from_seq = range.from_seq;
  try {
    while (!stop.aborted) {
      // Asked for before reading, so that nothing falls between the two.
      const changed = threads.changed(stop);
      from_seq = yield* pagesOf(threads, { ...range, from_seq }, stop);
      await changed;
    }
  } finally {
    ended.abort();
  }
}
