import type { ThreadMessage, ThreadReader } from "./recall/memory.ts";
import type { ThreadStore } from "./threads/store/thread-store.ts";

/** What recall reads of the threads in a store. Loaded late: most memories have no threads. */
export function openThreadReader(threads: ThreadStore): ThreadReader {
  return {
    list: (limit) => threads.heads({ limit }),
    head: async (threadId) => (await import("./threads/run/threads.ts")).threadHead({ threads }, threadId),
    messages: async (threadId, [from, to]) => {
      if (to < from) return [];
      const { isFrame, messageOf, parseFrame } = await import("./threads/model/frame.ts");
      const { roleOf } = await import("./threads/model/frame.ts");
      const range = { thread_id: threadId, from_seq: from, to_seq: to, limit: to - from + 1 };
      return (await threads.frames(range)).flatMap(({ line }): readonly ThreadMessage[] => {
        const frame = parseFrame(line);
        const message = isFrame(frame) ? messageOf(frame) : undefined;
        if (message === undefined || !isFrame(frame)) return [];
        const { seq, content, actor_id } = message;
        return [{ seq, time_ms: frame.timestamp_ms, role: roleOf(actor_id), content }];
      });
    },
  };
}
