import type { Memory } from "../memory.ts";
import type { Subject } from "./subject.ts";

export interface ThreadSubjectsInput {
  /** Subjects at most; at least 1. */
  readonly limit: number;
  /** This thread alone. */
  readonly thread_id?: string;
}

/**
 * Threads whose newest cumulative checkpoint was made by the built-in summarizer and has no answer on record, the last appended to first. All are `due`.
 * At most `mostThreads` threads are looked at. An answer is put to use by `accept`, which may be called again.
 */
export async function threadSubjects(_memory: Memory, _input: ThreadSubjectsInput): Promise<readonly Subject[]> {
  return [];
}
