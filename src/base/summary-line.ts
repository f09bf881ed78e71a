/** The sender of a thread message. */
export type Role = "user" | "assistant" | "system" | "tool";

/** A message or tool effect, as a thread summarizer sees it. */
export interface Utterance {
  readonly seq: number;
  readonly role: Role;
  /** Any text; may contain secrets. */
  readonly text: string;
}

/** One line of a thread summary: at most 240 characters from the message with this seq, redacted and without line breaks. */
export interface SummaryLine {
  readonly seq: number;
  readonly role: Role;
  readonly text: string;
}

/** The parts of a cumulative summary. */
export interface Cumulation {
  /** The lines in the previous summary, newest first; empty if there is none. */
  readonly base: readonly SummaryLine[];
  /** Lines for newer messages, most informative first. */
  readonly delta: readonly SummaryLine[];
  /** The seq of the last message that the base covers; 0 without a base. */
  readonly base_to_seq: number;
  readonly to_seq: number;
  /** Maximum length of the printed lines, in UTF-16 code units. */
  readonly space: number;
}
