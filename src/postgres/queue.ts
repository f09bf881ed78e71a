import { setImmediate as endOfTurn, setTimeout as pause } from "node:timers/promises";
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
/** After so long, a call waits for a lock or the disk, and takes no time of others. */
const LOCKED_MS = 20;
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

  const begin = (): void => {
    if (waiting.length > 0 && calls < MOST_CALLS) void work();
  };

  const work = async (): Promise<void> => {
    calls += 1;
    for (;;) {
      // Those whose calls have just ended may append again.
      await endOfTurn();
      const group = take();
      if (group.length === 0) break;
      await Promise.race([run(group), pause(LOCKED_MS, undefined, { ref: false })]);
    }
    calls -= 1;
  };

  const run = async (group: readonly Waiting[]): Promise<void> => {
    const threads = byThread(group);
    for (const thread of threads.keys()) busy.add(thread);
    const left = threads.size === 1 ? threads : byThread(await sendTogether(database, group));
    for (const thread of threads.keys()) if (!left.has(thread)) busy.delete(thread);
    const settled = [...left].map(async ([thread, own]) => {
      await sendToThread(database, own);
      busy.delete(thread);
      begin();
    });
    if (threads.size === 1) await Promise.all(settled);
    begin();
  };

  return (request) => {
    if (!mayJoin(request)) return appendFrames(database, request);
    const { promise, resolve } = Promise.withResolvers<Appended>();
    waiting = [...waiting, { request, resolve }];
    begin();
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

function byThread(group: readonly Waiting[]): ReadonlyMap<string, readonly Waiting[]> {
  return Map.groupBy(group, ({ request }) => request.thread_id);
}

/** Settles calls of one thread, and never fails itself. Waits for the thread's lock. */
async function sendToThread(database: PostgresDatabase, group: readonly Waiting[]): Promise<void> {
  const left = group.length === 1 ? group : await sendTogether(database, group);
  await Promise.all(left.map((one) => sendAlone(database, one, "first")));
}

/** Alone, a call gets the error that is its own. */
async function sendAlone(
  database: PostgresDatabase,
  { request, resolve }: Waiting,
  attempt: "first" | "repeated",
): Promise<void> {
  const result = appendFrames(database, request, attempt);
  resolve(result);
  await result.catch(() => undefined);
}

/** Settles those that were appended, and returns the others. */
async function sendTogether(database: PostgresDatabase, group: readonly Waiting[]): Promise<readonly Waiting[]> {
  const rows = await placed(database, group);
  if (rows === "lost") {
    await Promise.all(group.map((one) => sendAlone(database, one, "repeated")));
    return [];
  }
  return group.filter((one, n) => {
    const own = rows.get(n);
    if (own !== undefined) one.resolve(own);
    return own === undefined;
  });
}

async function placed(
  database: PostgresDatabase,
  group: readonly Waiting[],
): Promise<ReadonlyMap<number, Appended> | "lost"> {
  const drafts = new Map<number, Joinable>();
  for (const [n, { request }] of group.entries()) {
    const draft = faultless(request);
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

/** Alone, a draft with a fault gets its error. */
function faultless(request: AppendCall): Joinable | undefined {
  try {
    return joinableOf(request);
  } catch {
    return undefined;
  }
}
