/**
 * Mutual exclusion between processes on one project folder. A lease belongs to the process: the kernel frees it when the
 * process ends, however it ends; it does not expire while the holder is stopped.
 */
export interface Locks {
  readonly id: string;

  /**
   * Waits up to `waitMs` (default 0) for the named lock. When it stays taken: `MemoryError` `busy` whose sentence and
   * details say who holds it (command, process id) and since when. `signal` ends the wait with `aborted`.
   */
  acquire(name: LockName, options: LockOptions): Promise<Lease>;
}

/** `tree`: the compaction run. `append`: one entry into a raw log and its count in the state file. `summaries`: asking a model. `search`: writing the index. `choices`: asking a model for recall. `upkeep`: what a hook has done in the background. */
export type LockName = "tree" | "append" | "summaries" | "search" | "choices" | "upkeep";

export interface LockOptions {
  /** The command that takes it, for the sentence that others see. */
  readonly holder: string;
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

export interface Lease {
  release(): Promise<void>;
}
