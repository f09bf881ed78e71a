import type { ThreadMemory } from "../memory.ts";
import type { ListInput, ThreadInput } from "./inputs.ts";
import type { ThreadListResult, ThreadResult } from "./results.ts";
import { headResult, parentOf, threadHead } from "./thread-head.ts";

const LIMIT = 100;

/** The threads, the last appended to first. */
export async function listThreads(memory: ThreadMemory, input: ListInput): Promise<ThreadListResult> {
  const { heads, total } = await memory.threads.heads({ limit: input.limit ?? LIMIT });
  return { threads: heads.map(headResult), total };
}

/** One thread. Errors: `invalid_thread_id`, `thread_not_found`. */
export async function readThread(memory: ThreadMemory, input: ThreadInput): Promise<ThreadResult> {
  const head = await threadHead(memory, input.thread_id);
  return { ...headResult(head), parent: await parentOf(memory, head.thread_id) };
}
