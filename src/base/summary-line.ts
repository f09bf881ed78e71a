/** Who says a message of a thread. */
export type Role = "user" | "assistant" | "system" | "tool";

/** A message, or a tool effect, as a summarizer of threads sees it. */
export interface Utterance {
  readonly seq: number;
  readonly role: Role;
  /** Any text, with secrets. */
  readonly text: string;
}

/** One line of a summary: at most 240 characters of the message with that seq, without a line end, with secrets replaced. */
export interface SummaryLine {
  readonly seq: number;
  readonly role: Role;
  readonly text: string;
}

/** What a cumulative summary is made of. */
export interface Cumulation {
  /** Of the summary before, the newest first; empty without one. */
  readonly base: readonly SummaryLine[];
  /** What came since, the most telling first. */
  readonly delta: readonly SummaryLine[];
  /** The seq of the last message that the base covers; 0 without one. */
  readonly base_to_seq: number;
  readonly to_seq: number;
  /** Characters (UTF-16 code units) for the printed lines. */
  readonly space: number;
}
