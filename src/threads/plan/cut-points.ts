/** A message at which a summary may end. */
export interface Cut {
  /** The ordinal of the message, from 1. */
  readonly target_message_ordinal: number;
  readonly to_seq: number;
  readonly to_message_id: string;
}

/** A cut, and the checkpoint that it has. */
export interface CheckedCut extends Cut {
  readonly already_checkpointed: boolean;
  /** The latest frame counts, when there are several. */
  readonly latest_checkpoint_id: string | null;
}

/** Messages between two cuts, unless a caller says otherwise. */
export const DEFAULT_STRIDE = 10_000;
/** A plan considers this many of the newest cuts, and one call lists no more. */
export const CUTS_IN_REACH = 1_000;
/** Checkpoints that one job makes at most. */
export const MOST_NEW_CHECKPOINTS = 32;
/** `cut_rule_id` of a checkpoint whose place a caller chose. */
export const MANUAL_RULE = "manual_v1";
/** `summary_kind` of a summary that covers everything from the first message on. */
export const CUMULATIVE_KIND = "cumulative_v1";

export function cutRuleId(strideMessages: number): string {
  return `stride_messages_v1/${strideMessages}`;
}

/** What decides about a schedule besides the thread. */
export interface Policy {
  readonly stride_messages: number;
  readonly max_new_checkpoints: number;
  readonly block_on_inflight: boolean;
}

export function policyId({ stride_messages, max_new_checkpoints, block_on_inflight }: Policy): string {
  return [
    "compaction_auto_schedule_v1",
    cutRuleId(stride_messages),
    `max_new_checkpoints_v1/${max_new_checkpoints}`,
    `block_on_inflight_v1/${block_on_inflight}`,
  ].join("/");
}
