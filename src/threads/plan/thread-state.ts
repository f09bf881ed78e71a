import { SUMMARIZER_JOB } from "../model/job-frames.ts";
import { type Frame, messageOf } from "../model/frame.ts";
import { weightOf } from "./ladder.ts";
import { addPlace, noPlaces, placeBefore, placeOfSeq, type Places } from "../model/places.ts";

/**
 * A thread as it follows from its frames alone: what a store keeps beside the frames must equal this. A value: folding a frame gives
 * another one. Holds 28 bytes a message, and checkpoints and open jobs whole.
 */
export interface Thread {
  /** Empty before the first frame. */
  readonly thread_id: string;
  readonly workspace: string;
  readonly title: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  /** -1 before the first frame. */
  readonly head_seq: number;
  /** The seq of the last frame that is not a message; -1 before the first frame. */
  readonly decision_seq: number;
  /**
   * What a decision in the last run of frames that are no messages may have counted: at most the messages before that run, at least those before the
   * run before it.
   */
  readonly decided: { readonly least: number; readonly most: number };
  readonly places: Places;
  readonly checkpoints: ReadonlyMap<string, CheckpointList>;
  /** In the order in which they were spawned. */
  readonly open_jobs: readonly SpawnedJob[];
  /** The last frames of their kinds. */
  readonly last_decision: Frame | undefined;
  readonly last_outcome: Frame | undefined;
  /** By the first frame that says so. */
  readonly parent: Parent | null;
}

export interface Checkpoint {
  readonly checkpoint_id: string;
  /** Of its frame. */
  readonly seq: number;
  readonly kind: string;
  readonly cut_rule_id: string;
  readonly artifact_id: string;
  readonly from_seq: number;
  readonly from_message_id: string | null;
  readonly to_seq: number;
  readonly to_message_id: string | null;
  /** Of the first message at or after `from_seq` and of the message at `to_seq`; null when there was none at `to_seq`, or it comes before `from_seq`. */
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

export const emptyThread: Thread = {
  thread_id: "",
  workspace: "",
  title: null,
  created_at_ms: 0,
  updated_at_ms: 0,
  head_seq: -1,
  decision_seq: -1,
  decided: { least: 0, most: 0 },
  places: noPlaces,
  checkpoints: new Map(),
  open_jobs: [],
  last_decision: undefined,
  last_outcome: undefined,
  parent: null,
};

/** The thread with one more frame. Does not check whether the frame is allowed there; unknown types change only the head. */
export function foldFrame(thread: Thread, frame: Frame): Thread {
  const message = messageOf(frame);
  const head = { thread_id: frame.thread_id, head_seq: frame.seq, updated_at_ms: frame.timestamp_ms };
  if (message !== undefined) {
    const place = { seq: frame.seq, id: frame.id, weight: weightOf(message.content) };
    return { ...thread, ...head, places: addPlace(thread.places, place) };
  }
  return { ...thread, ...head, decided: decidedBy(thread), decision_seq: frame.seq, ...changeOf(thread, frame) };
}

/** The checkpoints of one kind, the greatest `to_seq` first, of the same `to_seq` the latest frame first. */
export function checkpointsOf(thread: Thread, kind: string): readonly Checkpoint[] {
  return itemsOf(thread.checkpoints.get(kind)).toSorted((a, b) => b.to_seq - a.to_seq || b.seq - a.seq);
}

function decidedBy({ head_seq, decision_seq, decided, places }: Thread): Thread["decided"] {
  if (head_seq === decision_seq) return decided;
  return { least: decided.most, most: places.count };
}

function changeOf(thread: Thread, frame: Frame): Partial<Thread> {
  switch (frame.type) {
    case "continuity_created":
      return {
        workspace: textOf(frame, "workspace") ?? "",
        title: textOf(frame, "title"),
        created_at_ms: frame.timestamp_ms,
      };
    case "continuity_compaction_checkpoint_created":
      return { checkpoints: withCheckpoint(thread, checkpointIn(frame, ordinalsOf(thread.places, frame.fields))) };
    case "continuity_compaction_auto_schedule_decided":
      return { last_decision: frame };
    case "continuity_job_spawned":
      return { open_jobs: withJob(thread.open_jobs, frame) };
    case "continuity_job_ended":
      return {
        open_jobs: thread.open_jobs.filter(({ job_id }) => job_id !== frame.fields["job_id"]),
        ...(frame.fields["job_kind"] === SUMMARIZER_JOB ? { last_outcome: frame } : {}),
      };
    case "continuity_branched":
    case "continuity_handoff_created":
      return { parent: thread.parent ?? parentIn(frame) };
    default:
      return {};
  }
}

function ordinalsOf(places: Places, { from_seq, to_seq }: Frame["fields"]): Checkpoint["ordinals"] {
  const last = placeOfSeq(places, to_seq as number);
  const first = (placeBefore(places, (from_seq as number) - 1)?.ordinal ?? 0) + 1;
  return last === undefined || first > last.ordinal ? null : [first, last.ordinal];
}

/** The checkpoint that a frame records. */
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

function withCheckpoint({ checkpoints }: Thread, checkpoint: Checkpoint): Thread["checkpoints"] {
  return new Map(checkpoints).set(checkpoint.kind, addCheckpoint(checkpoints.get(checkpoint.kind), checkpoint));
}

function withJob(jobs: readonly SpawnedJob[], { fields, seq }: Frame): readonly SpawnedJob[] {
  const job = { job_id: fields["job_id"] as string, kind: fields["job_kind"] as string, seq };
  return jobs.some(({ job_id }) => job_id === job.job_id) ? jobs : [...jobs, job];
}

/** Frames that name the thread from which theirs was branched or handed off. */
export const LINK_TYPES: readonly string[] = ["continuity_branched", "continuity_handoff_created"];

/** What a frame of `LINK_TYPES` names. */
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

function textOf(frame: Frame, field: string): string | null {
  const value = frame.fields[field];
  return typeof value === "string" ? value : null;
}

/**
 * Checkpoints as a value that only grows at its end: adding gives another list in constant time, and the one before stays as it was. Of several with the
 * same `to_seq` the last counts.
 */
export interface CheckpointList {
  readonly length: number;
  readonly shared: SharedCheckpoints;
}

interface SharedCheckpoints {
  readonly items: Checkpoint[];
  /** The indexes of the checkpoints with a `to_seq`, ascending. */
  readonly byEnd: Map<number, number[]>;
}

function addCheckpoint(list: CheckpointList | undefined, checkpoint: Checkpoint): CheckpointList {
  const isNewest = list !== undefined && list.shared.items.length === list.length;
  const shared = isNewest ? list.shared : { items: [], byEnd: new Map() };
  if (!isNewest) for (const item of itemsOf(list)) put(shared, item);
  put(shared, checkpoint);
  return { length: (list?.length ?? 0) + 1, shared };
}

/** In the order in which they were added. */
export function itemsOf(list: CheckpointList | undefined): readonly Checkpoint[] {
  return list?.shared.items.slice(0, list.length) ?? [];
}

/** All with that `to_seq`. */
export function itemsEndingAt(list: CheckpointList | undefined, to_seq: number): readonly Checkpoint[] {
  const indexes = list?.shared.byEnd.get(to_seq) ?? [];
  return indexes.flatMap((at) => (at < (list?.length ?? 0) ? (list?.shared.items[at] ?? []) : []));
}

function put({ items, byEnd }: SharedCheckpoints, checkpoint: Checkpoint): void {
  const indexes = byEnd.get(checkpoint.to_seq);
  if (indexes === undefined) byEnd.set(checkpoint.to_seq, [items.length]);
  else indexes.push(items.length);
  items.push(checkpoint);
}
