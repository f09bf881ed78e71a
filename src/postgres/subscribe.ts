import { isThreadId } from "../threads/model/frame.ts";
import { channelOf, type Listening } from "./listen.ts";
import type { PostgresDatabase } from "./database.ts";

export interface ThreadEvents {
  /** Frames were appended to a thread, by any process; `head_seq` is at least that of the last one. */
  appended(thread: { readonly thread_id: string; readonly head_seq: number }): void;
  /** Listening has begun, or begun again after a lost connection: what was appended before may have been missed. */
  missed(): void;
}

/**
 * Follows what all processes append to the threads of a tenant. A writer announces an append after it was committed; if the writer dies in between, the
 * announcement is missing, so look at the threads now and then, too. Needs a direct connection: a pooler in transaction mode does not pass notifications on.
 */
export function subscribePostgresThreads(database: PostgresDatabase, events: ThreadEvents): Listening {
  return database.listen({
    ready: () => events.missed(),
    take: (payload) => {
      const [thread_id = "", seq = ""] = payload.split(" ");
      // Anyone with a connection may notify.
      if (isThreadId(thread_id) && /^\d{1,10}$/u.test(seq)) events.appended({ thread_id, head_seq: Number(seq) });
    },
  });
}

/** Announces appends, one call at a time: what is appended meanwhile is announced by the next one. A failure is not reported, since the frames are stored. */
export function createAnnouncer(database: PostgresDatabase) {
  const waiting = new Map<string, number>();
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (const [thread_id, head_seq] of waiting) {
      waiting.delete(thread_id);
      const sent = { channel: channelOf(database.tenant), payload: `${thread_id} ${head_seq}` };
      await database.call("announce", sent).catch(() => undefined);
    }
    running = undefined;
  };
  return {
    announce: (thread_id: string, head_seq: number): void => {
      waiting.set(thread_id, head_seq);
      running ??= run();
    },
    settled: async (): Promise<void> => running,
  };
}
