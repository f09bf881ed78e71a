import { MemoryError } from "../../base/errors.ts";
import type { Place } from "../model/places.ts";
import type { Checkpoint, SpawnedJob, ThreadHead } from "../plan/thread-state.ts";
import type { FrameDraft } from "../model/frame.ts";

/**
 * Stores the frames of threads. Frames are the source of truth; ordinals, weights, checkpoints and open jobs are derived from them and stored in the
 * same transaction. The cost of every call is bounded by its result and the logarithm of the thread's length.
 *
 * Any number of processes may use one store. Any call may fail with: `damaged_store`, `newer_store`, `busy`, `disk_full`, `io`.
 */
export interface ThreadStore {
  readonly id: string;

  /**
   * Appends frames to one thread atomically; durable on return. Errors: `thread_not_found` (unless the first draft is `continuity_created`),
   * `thread_exists`, `seq_conflict`, `decision_conflict`, `lease_lost`, `frame_conflict` (an id already exists with different content),
   * `invalid_frame` (a draft that could not be imported again).
   */
  append(request: AppendRequest): Promise<Appended>;

  /**
   * Appends messages and other frames that may not fit in memory, piece by piece but atomically, in one transaction that begins with the first piece
   * and ends with the source. Errors: same as `append`, plus any from the source.
   */
  appendPieces(request: PiecesRequest, pieces: AsyncIterable<readonly FrameDraft[]>): Promise<AppendedPieces>;

  /**
   * Imports frame lines unchanged, for any number of threads, in one transaction. If a thread has a fault, its report says so and none of it is
   * imported. Reports are ordered by the first occurrence of each thread. Errors: any from the source, and `invalid_frame` (details `line`) for a
   * line that names no thread; in both cases nothing is imported.
   */
  import(lines: AsyncIterable<ImportLine> | Iterable<ImportLine>): Promise<readonly ThreadImport[]>;

  /**
   * Replaces frame lines of one thread, for what must be forgotten, and derives everything else from the frames again, in one transaction. `change`
   * returns the line for each line; it keeps the envelope. Returns how many changed; 0 if there is no such thread. Errors: `internal` for a line that
   * is not the same frame.
   */
  rewrite(threadId: string, change: (line: string) => string): Promise<number>;

  /** After `rewrite`: leaves none of the old bytes in any file of the store. Errors: `busy` if another process is reading. */
  purge(): Promise<void>;

  /** The head of a thread; `undefined` if the thread does not exist. */
  head(threadId: string): Promise<ThreadHead | undefined>;

  /** Heads, most recently appended first, and the total number of threads. */
  heads(query: { readonly limit: number }): Promise<{ readonly heads: readonly ThreadHead[]; readonly total: number }>;

  /** Frame lines in ascending or descending order of `seq`. With `types`, only frames of those types, found without a scan. */
  frames(query: FrameQuery): Promise<readonly StoredFrame[]>;

  /** The places of messages, in the order of the targets; `undefined` for a message that does not exist. */
  places(threadId: string, targets: readonly PlaceTarget[]): Promise<readonly (Place | undefined)[]>;

  /** Checkpoints of one kind, greatest `to_seq` first; for equal `to_seq`, latest frame first. */
  checkpoints(query: CheckpointQuery): Promise<readonly StoredCheckpoint[]>;

  /** Jobs that were spawned and have not ended, ordered by thread, then by frame. */
  openJobs(query: { readonly thread_id?: string; readonly kind?: string }): Promise<readonly OpenJob[]>;

  /**
   * Takes (`take`) an open job that was never leased, or extends (`renew`) the lease of `runner`, for `lease_ms` from now by the store's own clock.
   * Returns `false` if the job has ended or another runner has its lease.
   */
  claim(request: ClaimRequest): Promise<boolean>;

  /** The store can be used again afterwards. */
  close(): Promise<void>;
}

/** The error of any call on a thread that does not exist. */
export function threadNotFound(threadId: string): MemoryError {
  const sentence = `Thread ${threadId.slice(0, 100)} not found; \`heartwood thread list\` shows the threads.`;
  return new MemoryError("thread_not_found", sentence, { thread_id: threadId });
}

/** Types whose frames can be found without reading the frames between them. */
export const INDEXED_TYPES = [
  "continuity_compaction_checkpoint_created",
  "continuity_compaction_auto_schedule_decided",
  "continuity_job_spawned",
  "continuity_job_ended",
  "continuity_branched",
  "continuity_handoff_created",
  "continuity_context_selection_decided",
  "continuity_context_compiled",
] as const;
export type IndexedType = (typeof INDEXED_TYPES)[number];

export interface AppendRequest {
  readonly thread_id: string;
  readonly frames: readonly FrameDraft[];
  /** The head must have this seq (-1 for a new thread), else `seq_conflict`. */
  readonly expected_seq?: number;
  /** The last frame that is not a message must have this seq, else `decision_conflict`. */
  readonly expected_decision_seq?: number;
  /** Leases that start with jobs spawned by these frames. */
  readonly leases?: readonly Lease[];
  /** The job must be open and leased by this runner, else `lease_lost`. */
  readonly held_lease?: { readonly job_id: string; readonly runner: string };
  /**
   * `refuse` (default): a known id is a `frame_conflict`. `pass`: a message that this thread already contains with the same actor, origin and content
   * is skipped and counted in `known`. If all are skipped, `expected_seq` is not checked, since a repeated call passes the seq from the first time.
   */
  readonly known_ids?: "refuse" | "pass";
}

/** The thread must exist. */
export type PiecesRequest = Pick<AppendRequest, "thread_id" | "expected_seq" | "known_ids">;

export interface AppendedPieces {
  /** Number of frames appended; skipped ones are counted in `known`. */
  readonly appended: number;
  readonly known: number;
  readonly head: ThreadHead;
}

export interface Lease {
  readonly job_id: string;
  readonly runner: string;
  readonly lease_ms: number;
}

export interface Appended {
  /** The appended frames, in order, without skipped ones. */
  readonly appended: readonly { readonly id: string; readonly seq: number }[];
  readonly known: number;
  readonly head: ThreadHead;
}

export interface ImportLine {
  /** 1-based, for reports. */
  readonly number: number;
  /** Without its LF. */
  readonly text: string;
}

export interface ThreadImport {
  readonly thread_id: string;
  readonly imported: number;
  readonly known: number;
  readonly head_seq: number;
  readonly error?: {
    readonly code: "frame_conflict" | "seq_gap" | "invalid_frame";
    readonly message: string;
    readonly line: number;
  };
}

export interface FrameQuery {
  readonly thread_id: string;
  /** Inclusive. Default: from the first. */
  readonly from_seq?: number;
  /** Inclusive. Default: to the last. */
  readonly to_seq?: number;
  readonly types?: readonly IndexedType[];
  /** Default `ascending`. */
  readonly order?: "ascending" | "descending";
  /** At most 10,000, else `limit_too_large`. */
  readonly limit: number;
  /** Limits the total bytes of the lines, but at least one frame is returned. Only without `types`. */
  readonly most_bytes?: number;
}

export interface StoredFrame {
  readonly seq: number;
  readonly type: string;
  /** Number of messages up to and including this frame. */
  readonly ordinal: number;
  /** The original line, without LF. */
  readonly line: string;
}

/**
 * `ordinal`: that message. `id`: the message with that id. `seq`: the last message at or before that seq. `weight`: the first message whose
 * preceding messages weigh at least that much.
 */
export type PlaceTarget =
  | { readonly ordinal: number }
  | { readonly id: string }
  | { readonly seq: number }
  | { readonly weight: number };

export type { Place } from "../model/places.ts";
export type { ThreadHead } from "../plan/thread-state.ts";

export interface CheckpointQuery {
  readonly thread_id: string;
  /** `summary_kind`. */
  readonly kind: string;
  readonly to_seq_at_most?: number;
  readonly to_seq_at_least?: number;
  /** Ignores frames after this seq. */
  readonly frame_seq_at_most?: number;
  readonly limit: number;
}

/** A checkpoint as recorded in its frame, with the ordinals derived from it. */
export type StoredCheckpoint = Checkpoint;

export interface OpenJob extends SpawnedJob {
  readonly thread_id: string;
  /** `none`: never leased. `over`: its runner has been silent for too long. */
  readonly lease: "none" | "held" | "over";
}

export interface ClaimRequest {
  readonly job_id: string;
  readonly runner: string;
  readonly lease_ms: number;
  readonly action: "take" | "renew";
}
