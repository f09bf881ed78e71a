/** How work that was waited for came out. */
export type BackgroundRun =
  | {
      readonly state: "ended";
      /** Its exit status; `undefined` when a signal ended it. */
      readonly status: number | undefined;
      /** The end of what it wrote to standard error, at most 4 KiB of whole characters. Foreign text. */
      readonly said: string;
    }
  | { readonly state: "goes on" }
  | { readonly state: "failed" };

/** Work that goes on when this process has ended: a process of its own, in a session of its own, without the standard streams of this one. */
export interface Background {
  readonly id: string;

  /**
   * Starts this program with these words, by argument list and in the project folder; nobody waits for it. `failed` when the system starts none. Never
   * throws.
   */
  start(words: readonly string[]): Promise<"started" | "failed">;

  /**
   * Runs it in the same way and waits for its end, at most `limitMs` milliseconds; then it goes on alone. What it started itself is not waited for.
   * Never throws.
   */
  run(words: readonly string[], limitMs: number): Promise<BackgroundRun>;
}
