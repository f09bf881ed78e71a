import { MemoryError } from "../base/errors.ts";
import { sha256 } from "../base/digest.ts";
import { MESSAGE, messageOf, type Frame } from "../threads/model/frame.ts";
import { weightOf } from "../threads/plan/ladder.ts";
import { checkpointIn, type ThreadHead } from "../threads/plan/thread-state.ts";
import { columnOf, textOf } from "../threads/store/column-text.ts";
import { INDEXED_TYPES, type StoredFrame } from "../threads/store/thread-store.ts";

/** What the functions of the schema take of a frame. Absent values are null there. */
export interface FrameColumns {
  readonly id: string;
  readonly at: number;
  /** Absent for a message. */
  readonly type?: string;
  readonly is_indexed: boolean;
  readonly weight: number;
  readonly job?: string;
  /** Of a job, or of a checkpoint's summary. */
  readonly kind?: string;
  readonly is_end?: boolean;
  readonly from_seq?: number;
  readonly to_seq?: number;
}

const indexed: ReadonlySet<string> = new Set(INDEXED_TYPES);

export function columnsOf(frame: Frame): FrameColumns {
  const { id, type, fields, timestamp_ms: at } = frame;
  const message = messageOf(frame);
  if (message !== undefined) return { id, at, is_indexed: false, weight: weightOf(message) };
  return {
    id,
    at,
    type: columnOf(type),
    is_indexed: indexed.has(type),
    weight: 0,
    ...derivedOf(frame),
    ...jobOf(type, fields),
  };
}

function derivedOf(frame: Frame): Partial<FrameColumns> {
  if (frame.type !== "continuity_compaction_checkpoint_created") return {};
  const { kind, from_seq, to_seq } = checkpointIn(frame, null);
  return { kind: columnOf(kind), from_seq, to_seq };
}

function jobOf(type: string, { job_id, job_kind }: Frame["fields"]): Partial<FrameColumns> {
  if (type !== "continuity_job_spawned" && type !== "continuity_job_ended") return {};
  return {
    job: columnOf(job_id as string),
    kind: columnOf(job_kind as string),
    is_end: type === "continuity_job_ended",
  };
}

/** Whether a checkpoint or a job is derived from it. */
export function derives({ kind }: FrameColumns): boolean {
  return kind !== undefined;
}

/** A head as the functions of the schema return it. */
export interface HeadRow extends ThreadHead {
  readonly number: number;
}

export function headIn(row: HeadRow): ThreadHead {
  const { number: _number, ...head } = row;
  return { ...head, workspace: textOf(row.workspace), title: row.title === null ? null : textOf(row.title) };
}

/** A row of `frame`. The driver returns bigint as text. */
export interface FrameRow {
  readonly seq: string;
  readonly id: string;
  readonly type: string | null;
  readonly ordinal: string;
  readonly weight: string;
  readonly checksum: Uint8Array;
  readonly line: string;
}

/** Errors: `damaged_store`, with the `seq`: a server without data checksums would not notice a flipped bit. */
export function frameIn({ seq, id, type, ordinal, weight, checksum, line }: FrameRow): StoredFrame {
  const digest = sha256(`${seq} ${id} ${type ?? ""} ${ordinal} ${weight} ${line}`);
  if (digest.slice(0, CHECKSUM_DIGITS) === Buffer.from(checksum).toString("hex"))
    return { seq: Number(seq), type: type === null ? MESSAGE : textOf(type), ordinal: Number(ordinal), line };
  const sentence = `The frame at seq ${seq} is damaged: its checksum does not match. Nothing was changed. Run \`heartwood thread verify\`; restore a backup of the database, or import an export of the thread into an empty one.`;
  throw new MemoryError("damaged_store", sentence, { seq: Number(seq) });
}

const CHECKSUM_DIGITS = 16;
