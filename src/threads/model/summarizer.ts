import type { Cumulation, SummaryLine, Utterance } from "../../base/summary-line.ts";

export type { Cumulation, SummaryLine, Utterance } from "../../base/summary-line.ts";

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
