/** Work that goes on when this process has ended: a process of its own, in a session of its own, without standard streams. */
export interface Background {
  readonly id: string;

  /**
   * Starts this program with these words, by argument list and in the project folder; nobody waits for it. `failed` when the system starts none. Never
   * throws.
   */
  start(words: readonly string[]): Promise<"started" | "failed">;

  /** Runs it in the same way and waits for its end, at most `limitMs` milliseconds; then it goes on alone. */
  run(words: readonly string[], limitMs: number): Promise<"ended" | "goes on" | "failed">;
}
