import type { Role } from "./frame.ts";

/** A message, or a tool effect, as a summarizer sees it. */
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

/**
 * What makes the lines of thread summaries. Pure and deterministic: the same arguments give the same lines. All work is bounded by what is passed.
 */
export interface ThreadSummarizer {
  /** Changes whenever it would answer otherwise. */
  readonly id: string;
  /** The lines worth keeping of messages that follow one another, at most one block of level 0; the most telling first. */
  extract(utterances: readonly Utterance[]): readonly SummaryLine[];
  /** The lines worth keeping of parts that follow one another, each with its most telling line first; the most telling first. */
  merge(parts: readonly (readonly SummaryLine[])[]): readonly SummaryLine[];
  /**
   * The lines of a cumulative summary, the newest first, whose texts have at most `space` characters together. `delta` is what came after the base, and
   * always has its share, however full the base is.
   */
  cumulate(input: Cumulation): readonly SummaryLine[];
}

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
