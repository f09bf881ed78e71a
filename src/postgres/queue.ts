import { setImmediate as endOfTurn } from "node:timers/promises";
import { MESSAGE } from "../threads/model/frame.ts";
import { textOf } from "../threads/store/column-text.ts";
import type { Appended } from "../threads/store/thread-store.ts";
import { appendFrames, joinableOf, type AppendCall, type Joinable } from "./append.ts";
import type { PostgresDatabase } from "./database.ts";

interface Waiting {
  readonly request: AppendCall;
  readonly resolve: (result: Promise<Appended> | Appended) => void;
}

/** Of `append_group`. A draft that is not in it was not appended: its thread is locked or does not exist, or its id is known. */
type GroupRow = readonly [
  n: number,
  seq: number,
  ordinal: number,
  weight: number,
  workspace: string,
  title: string | null,
  created: number,
  decision_seq: number,
];

/** Calls of a process with single messages at a time. More would take the processor's time from each other. */
const MOST_CALLS = 2;
/** Messages of a call, so that none waits long for the others. */
const MOST_TOGETHER = 100;

/**
 * Single messages without conditions that wait in this process go together, in one transaction, as soon as a call ends; the first never wait. Each has its
 * own answer, and none waits for the thread of another: what cannot be appended at once is tried alone.
 */
export function createAppends(database: PostgresDatabase): (request: AppendCall) => Promise<Appended> {
  let waiting: readonly Waiting[] = [];
  /** Threads of calls that run: the next call for one of them would only wait for its lock. */
  const busy = new Set<string>();
  let calls = 0;

  const take = (): readonly Waiting[] => {
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    for (const one of waiting) {
      const isNext = group.length < MOST_TOGETHER && !busy.has(one.request.thread_id);
      (isNext ? group : left).push(one);
    }
    waiting = left;
    return group;
  };

  const work = async (): Promise<void> => {
    calls += 1;
    for (;;) {
      // Those whose calls have just ended may append again.
      await endOfTurn();
      const group = take();
      if (group.length === 0) break;
      const threads = new Set(group.map(({ request }) => request.thread_id));
      for (const thread of threads) busy.add(thread);
      await send(database, group);
      for (const thread of threads) busy.delete(thread);
    }
    calls -= 1;
  };

  return (request) => {
    if (!mayJoin(request)) return appendFrames(database, request);
    const { promise, resolve } = Promise.withResolvers<Appended>();
    waiting = [...waiting, { request, resolve }];
    if (calls < MOST_CALLS) void work();
    return promise;
  };
}

const LONGEST_TO_JOIN = 10_000;

function mayJoin({ frames, thread_id: _thread, now: _now, ...conditions }: AppendCall): boolean {
  const [frame] = frames;
  if (frame === undefined || frames.length > 1 || frame.type !== MESSAGE) return false;
  const { content } = frame.payload;
  if (typeof content !== "string" || content.length > LONGEST_TO_JOIN) return false;
  return Object.values(conditions).every((condition) => condition === undefined);
}

/** Settles each call, and never fails itself. Waits for those of the group alone, so that others can join while it runs. */
async function send(database: PostgresDatabase, group: readonly Waiting[]): Promise<void> {
  const [only] = group;
  if (group.length === 1 && only !== undefined) {
    const result = appendFrames(database, only.request);
    only.resolve(result);
    await result.catch(() => undefined);
    return;
  }
  const rows = await placed(database, group);
  for (const [n, { request, resolve }] of group.entries()) {
    const own = rows === "lost" ? undefined : rows.get(n);
    // Alone, a call may wait for a lock, and gets the error that is its own.
    resolve(own ?? appendFrames(database, request, rows === "lost" ? "repeated" : "first"));
  }
}

async function placed(
  database: PostgresDatabase,
  group: readonly Waiting[],
): Promise<ReadonlyMap<number, Appended> | "lost"> {
  const drafts = new Map<number, Joinable>();
  for (const [n, { request }] of group.entries()) {
    const draft = joinableOf(request);
    if (draft !== undefined) drafts.set(n, draft);
  }
  const values = JSON.stringify([...drafts].map(([n, draft]) => ({ n, ...draft })));
  const rows = await database.quick<readonly GroupRow[]>("append_group", [values]).catch(() => null);
  if (rows === "lost") return rows;
  return new Map(
    (rows ?? []).map(([n, seq, message_count, weight, workspace, title, created_at_ms, decision_seq]) => {
      const { id, thread_id, at } = drafts.get(n) as Joinable;
      const texts = { workspace: textOf(workspace), title: title === null ? null : textOf(title) };
      const counts = { created_at_ms, updated_at_ms: at, head_seq: seq, message_count, weight, decision_seq };
      return [n, { appended: [{ id, seq }], known: 0, head: { thread_id, ...texts, ...counts } }];
    }),
  );
}
