/** The id of the compiler of the reference strategies, and of the covering one. */
export const REFERENCE_COMPILER = "rip.context_compiler.v1";
export const COVERING_COMPILER = "heartwood.context_compiler.v1";

/** How a reference strategy chooses. */
export interface ReferenceStrategy {
  /** Cumulative checkpoints, the latest first, each next one with at most half the `to_seq` of the one before. */
  readonly most_summaries: number;
  /** Messages after the last of them, the newest. */
  readonly most_messages: number;
}

export const REFERENCE_STRATEGIES = {
  recent_messages_v1: { most_summaries: 0, most_messages: 16 },
  summaries_recent_messages_v1: { most_summaries: 1, most_messages: 16 },
  hierarchical_summaries_recent_messages_v1: { most_summaries: 3, most_messages: 16 },
} as const satisfies Readonly<Record<string, ReferenceStrategy>>;

/** Of a checkpoint: the seq of its last message. */
export interface Ending {
  readonly to_seq: number;
}

/**
 * The greatest `to_seq` that the next checkpoint may have; undefined when there is to be no next one. `chosen` has those before it, the latest first.
 */
export function nextSummaryEnd(
  { most_summaries }: ReferenceStrategy,
  chosen: readonly Ending[],
  anchorSeq: number,
): number | undefined {
  if (chosen.length >= most_summaries) return undefined;
  const last = chosen.at(-1);
  return last === undefined ? anchorSeq : Math.floor(last.to_seq / 2);
}

/** The note of a `summary_ref` of these strategies. */
export function referenceNote({ to_seq }: Ending): string {
  return `compaction checkpoint to_seq=${to_seq}`;
}
