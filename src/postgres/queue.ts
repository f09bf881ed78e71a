import { MemoryError } from "../base/errors.ts";
import { MESSAGE, type FrameDraft } from "../threads/model/frame.ts";
import { weightOf } from "../threads/plan/ladder.ts";
import type { ThreadHead } from "../threads/plan/thread-state.ts";
import type { Appended } from "../threads/store/thread-store.ts";
import { appendFrames, type AppendCall } from "./append.ts";
import type { PostgresDatabase } from "./database.ts";

interface Waiting {
  readonly request: AppendCall;
  readonly resolve: (result: Appended | Promise<Appended>) => void;
  readonly reject: (error: unknown) => void;
}

/** In one transaction, so that no call waits long for those before it. */
const MOST_TOGETHER = 200;

/**
 * Appends to one thread must wait for each other until the disk has them. Single messages without conditions that wait in this process therefore go
 * together, in one transaction, as soon as the one before them has ended; the first never waits. Each call has its own answer.
 */
export function createAppends(database: PostgresDatabase): (request: AppendCall) => Promise<Appended> {
  const running = new Map<string, Waiting[]>();

  const run = async (thread_id: string, waiting: Waiting[]): Promise<void> => {
    for (;;) {
      const group = waiting.splice(0, MOST_TOGETHER);
      if (group.length === 0) break;
      await send(database, thread_id, group);
    }
    running.delete(thread_id);
  };

  return (request) => {
    if (!mayJoin(request)) return appendFrames(database, request);
    const { promise, resolve, reject } = Promise.withResolvers<Appended>();
    const one = { request, resolve, reject };
    const waiting = running.get(request.thread_id);
    if (waiting !== undefined) waiting.push(one);
    else {
      const group = [one];
      running.set(request.thread_id, group);
      void run(request.thread_id, group);
    }
    return promise;
  };
}

const LONGEST_TO_JOIN = 10_000;

function mayJoin({ frames, thread_id: _thread, now: _now, ...conditions }: AppendCall): boolean {
  const [frame] = frames;
  if (frame === undefined || frames.length > 1 || frame.type !== MESSAGE) return false;
  const { content, redacted } = frame.payload;
  if (redacted !== undefined || typeof content !== "string" || content.length > LONGEST_TO_JOIN) return false;
  return Object.values(conditions).every((condition) => condition === undefined);
}

/** Always settles each call. Nothing of a refused group was written, so each is tried alone and gets the error that is its own. */
async function send(database: PostgresDatabase, thread_id: string, group: readonly Waiting[]): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const alone = async ({ request, resolve, reject }: Waiting): Promise<void> =>
    appendFrames(database, request).then(resolve, reject);
  if (group.length === 1) return alone(first);
  try {
    const frames = group.map(({ request }) => request.frames[0] as FrameDraft);
    const { appended, head } = await appendFrames(database, { thread_id, frames });
    for (const [at, { resolve }] of group.entries()) {
      const own = appended[at];
      if (own === undefined) throw new MemoryError("internal", "The database did not append all frames of a call.");
      resolve({ appended: [own], known: 0, head: headAt(head, frames, { at, seq: own.seq }) });
    }
  } catch (error) {
    if (error instanceof MemoryError && SHARED.has(error.code)) for (const { reject } of group) reject(error);
    else for (const one of group) await alone(one);
  }
}

/** Failures that do not depend on what is appended. */
const SHARED: ReadonlySet<string> = new Set([
  "io",
  "busy",
  "disk_full",
  "older_store",
  "newer_store",
  "invalid_config",
]);

/** The head as it was after the frame at `at` of a group. After a repeated call, others may have appended since. */
function headAt(
  head: ThreadHead,
  frames: readonly FrameDraft[],
  { at, seq }: { readonly at: number; readonly seq: number },
): ThreadHead {
  const later = frames.slice(at + 1);
  if (head.head_seq !== seq + later.length) return head;
  const weight = later.reduce((sum, { payload }) => sum + weightOf({ content: payload["content"] as string }), 0);
  return {
    ...head,
    head_seq: seq,
    message_count: head.message_count - later.length,
    weight: head.weight - weight,
    updated_at_ms: frames[at]?.timestamp_ms ?? head.updated_at_ms,
  };
}
