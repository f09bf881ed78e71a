/** A message at which a summary may end. */
export interface Cut {
  /** The ordinal of the message, starting at 1. */
  readonly target_message_ordinal: number;
  readonly to_seq: number;
  readonly to_message_id: string;
}

/** A cut point and its checkpoint, if any. */
export interface CheckedCut extends Cut {
  readonly already_checkpointed: boolean;
  /** The latest one, if there are several. */
  readonly latest_checkpoint_id: string | null;
}

/** Default number of messages between two cut points. */
export const DEFAULT_STRIDE = 10_000;
/** How many of the newest cut points a plan considers, and one call can list. */
export const CUTS_IN_REACH = 1_000;
/** Maximum checkpoints per job. */
export const MOST_NEW_CHECKPOINTS = 32;
/** `cut_rule_id` of a checkpoint at a place chosen by the caller. */
export const MANUAL_RULE = "manual_v1";
/** `summary_kind` of a summary that covers everything since the first message. */
export const CUMULATIVE_KIND = "cumulative_v1";

export function cutRuleId(strideMessages: number): string {
  return `stride_messages_v1/${strideMessages}`;
}

/** Everything that a scheduling decision depends on, apart from the thread. */
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
