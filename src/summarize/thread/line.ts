/** Who says a message; the same words as in the frames of a thread. */
export type Speaker = "user" | "assistant" | "system" | "tool";

/** A message as it was given, with secrets; what the engine passes has this shape. */
export interface Utterance {
  readonly seq: number;
  readonly role: Speaker;
  readonly text: string;
}

/** One line of a summary of a thread. */
export interface Line {
  readonly seq: number;
  readonly role: Speaker;
  readonly text: string;
}

/** What a cumulative summary is made of; see `ThreadSummarizer` of the threads. */
export interface Cumulation {
  readonly base: readonly Line[];
  readonly delta: readonly Line[];
  readonly base_to_seq: number;
  readonly to_seq: number;
  readonly space: number;
}
