import { type Frame, MESSAGE, messageOf } from "../model/frame.ts";
import { weightOf } from "./ladder.ts";
import { Places } from "../model/places.ts";

export interface Checkpoint {
  readonly checkpoint_id: string;
  /** The seq of its frame. */
  readonly seq: number;
  readonly kind: string;
  readonly cut_rule_id: string;
  readonly artifact_id: string;
  readonly from_seq: number;
  readonly from_message_id: string | null;
  readonly to_seq: number;
  readonly to_message_id: string | null;
  /** The ordinals of the first message at or after `from_seq` and of the message at `to_seq`; null if `to_seq` is not a message or precedes `from_seq`. */
  readonly ordinals: readonly [number, number] | null;
}

export interface SpawnedJob {
  readonly job_id: string;
  readonly kind: string;
  /** The seq of the frame that spawned it. */
  readonly seq: number;
}

export interface Parent {
  readonly kind: "branch" | "handoff";
  readonly thread_id: string;
  readonly seq: number;
  readonly message_id: string | null;
}

export interface ThreadHead {
  readonly thread_id: string;
  readonly workspace: string;
  readonly title: string | null;
  readonly created_at_ms: number;
  /** The timestamp of the last frame. */
  readonly updated_at_ms: number;
  readonly head_seq: number;
  readonly message_count: number;
  /** The weight of all messages on the ladder. */
  readonly weight: number;
  /** The seq of the last frame that is not a message. */
  readonly decision_seq: number;
}

/** The head of a thread after appending a frame, which may be its first. */
export function headAfter(before: ThreadHead | undefined, frame: Frame): ThreadHead {
  const { thread_id, seq, timestamp_ms } = frame;
  const message = messageOf(frame);
  return {
    thread_id,
    workspace: before === undefined ? (textOf(frame, "workspace") ?? "") : before.workspace,
    title: before === undefined ? textOf(frame, "title") : before.title,
    created_at_ms: before?.created_at_ms ?? timestamp_ms,
    message_count: (before?.message_count ?? 0) + (message === undefined ? 0 : 1),
    weight: (before?.weight ?? 0) + (message === undefined ? 0 : weightOf(message)),
    decision_seq: message === undefined ? seq : (before?.decision_seq ?? -1),
    head_seq: seq,
    updated_at_ms: timestamp_ms,
  };
}

/** A thread's state, derived from its frames alone; a store's indexes must match it. */
export class Thread {
  head: ThreadHead | undefined;
  readonly places = new Places();
  /** In the order of their frames. */
  readonly checkpoints: Checkpoint[] = [];
  /** In the order in which they were spawned. */
  open_jobs: readonly SpawnedJob[] = [];

  #decided = { least: 0, most: 0 };
  readonly #byEnd = new Map<number, readonly Checkpoint[]>();

  /** How many messages the next decision may have counted: at most those before the current run of non-message frames, and at least those before the previous run. */
  get decided(): { readonly least: number; readonly most: number } {
    if (this.head?.head_seq === this.head?.decision_seq) return this.#decided;
    return { least: this.#decided.most, most: this.places.count };
  }

  endingAt(to_seq: number): readonly Checkpoint[] {
    return this.#byEnd.get(to_seq) ?? [];
  }

  /** The checkpoint that `frame` records; `frame` must be the next frame. */
  checkpointOf(frame: Frame): Checkpoint {
    const [from_seq, to_seq] = [frame.fields["from_seq"] as number, frame.fields["to_seq"] as number];
    const last = this.places.ofSeq(to_seq);
    const first = (this.places.atOrBefore(from_seq - 1)?.ordinal ?? 0) + 1;
    return checkpointIn(frame, last === undefined || first > last.ordinal ? null : [first, last.ordinal]);
  }

  /** Does not check whether the frame is valid at this point; unknown types change only the head. */
  add(frame: Frame): void {
    const { id, seq, fields } = frame;
    if (frame.type !== MESSAGE) this.#decided = this.decided;
    this.head = headAfter(this.head, frame);
    const job_id = fields["job_id"] as string;
    switch (frame.type) {
      case MESSAGE:
        this.places.add({ seq, id, weight: this.head.weight });
        break;
      case "continuity_compaction_checkpoint_created": {
        const checkpoint = this.checkpointOf(frame);
        this.checkpoints.push(checkpoint);
        this.#byEnd.set(checkpoint.to_seq, [...this.endingAt(checkpoint.to_seq), checkpoint]);
        break;
      }
      case "continuity_job_spawned":
        if (!this.open_jobs.some((job) => job.job_id === job_id))
          this.open_jobs = [...this.open_jobs, { job_id, kind: fields["job_kind"] as string, seq }];
        break;
      case "continuity_job_ended":
        this.open_jobs = this.open_jobs.filter((job) => job.job_id !== job_id);
    }
  }
}

export function checkpointIn(frame: Frame, ordinals: Checkpoint["ordinals"]): Checkpoint {
  const { checkpoint_id, cut_rule_id, summary_kind, summary_artifact_id, from_seq, to_seq } = frame.fields;
  return {
    checkpoint_id: checkpoint_id as string,
    seq: frame.seq,
    kind: summary_kind as string,
    cut_rule_id: cut_rule_id as string,
    artifact_id: summary_artifact_id as string,
    from_seq: from_seq as number,
    from_message_id: textOf(frame, "from_message_id"),
    to_seq: to_seq as number,
    to_message_id: textOf(frame, "to_message_id"),
    ordinals,
  };
}

/** Frames that name the thread theirs was branched or handed off from. */
export const LINK_TYPES = ["continuity_branched", "continuity_handoff_created"] as const;

export function parentIn(frame: Frame): Parent {
  const [kind, prefix] =
    frame.type === "continuity_branched" ? (["branch", "parent"] as const) : (["handoff", "from"] as const);
  return {
    kind,
    thread_id: frame.fields[`${prefix}_thread_id`] as string,
    seq: frame.fields[`${prefix}_seq`] as number,
    message_id: textOf(frame, `${prefix}_message_id`),
  };
}

/** A text field of a frame; null for any other value. */
export function textOf({ fields }: Frame, field: string): string | null {
  const value = fields[field];
  return typeof value === "string" ? value : null;
}

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
