import { checkpointIn } from "../../plan/thread-state.ts";
import { MemoryError } from "../../../base/errors.ts";
import type {
  FrameQuery,
  IndexedType,
  StoredFrame,
  Place,
  PlaceTarget,
  CheckpointQuery,
  StoredCheckpoint,
} from "../thread-store.ts";
import { atOf, seqOf, findThread, CHECKED_COLUMNS, checkedRow, threadOf, placeOfId } from "./rows.ts";
import { columnOf, textOf } from "../column-text.ts";
import type { CheckedRow, FrameRow, StoredThread } from "./rows.ts";
import { idOfBytes, isFrameId, frameOf, MESSAGE } from "../../model/frame.ts";
import { firstReached } from "../../model/places.ts";
import type { Session } from "./connection.ts";

const MOST = 10_000;

export function findFrames(session: Session, query: FrameQuery): readonly StoredFrame[] {
  const { thread_id, types, from_seq = 0, to_seq = Infinity, order, limit, most_bytes } = query;
  if (limit > MOST)
    throw new MemoryError("limit_too_large", `limit is ${limit}; at most ${MOST} frames can be read at once.`);
  const { number, head } = findThread(session, thread_id) ?? {};
  if (number === undefined || head === undefined) return [];
  const [from, to] = [Math.max(0, Math.ceil(from_seq)), Math.min(head.head_seq, Math.floor(to_seq))];
  const wanted: Wanted = { thread: number, from, to, order: order === "descending" ? "DESC" : "ASC", limit };
  if (types !== undefined) return ofTypes(session, wanted, types);
  return scan(session, most_bytes === undefined ? wanted : within(session, wanted, most_bytes));
}

interface Wanted {
  readonly thread: number;
  readonly from: number;
  readonly to: number;
  readonly order: "ASC" | "DESC";
  readonly limit: number;
}

/** Trims the range to at most `mostBytes` of lines and keeps those that are read first. The length of a line is known without reading it. */
function within(session: Session, wanted: Wanted, mostBytes: number): Wanted {
  const { thread, from, to, order, limit } = wanted;
  const sizes = `SELECT at, octet_length(line) AS bytes FROM frame WHERE at BETWEEN ? AND ? ORDER BY at ${order} LIMIT ?`;
  const range = [atOf(thread, from), atOf(thread, to), limit] as const;
  const all = session.statement(`SELECT sum(bytes) AS bytes FROM (${sizes})`).get(...range) as { bytes: number | null };
  if ((all.bytes ?? 0) <= mostBytes) return wanted;
  const rows = session.statement(sizes).all(...range) as readonly { at: number; bytes: number }[];
  let bytes = 0;
  const beyond = rows.findIndex((row, index) => (bytes += row.bytes) > mostBytes && index > 0);
  const last = rows[beyond - 1];
  if (last === undefined) return wanted;
  return order === "ASC" ? { ...wanted, to: seqOf(last.at) } : { ...wanted, from: seqOf(last.at) };
}

function scan(session: Session, { thread, from, to, order, limit }: Wanted): readonly StoredFrame[] {
  const rows = session
    .statement(`SELECT ${CHECKED_COLUMNS} FROM frame WHERE at BETWEEN ? AND ? ORDER BY at ${order} LIMIT ?`)
    .all(atOf(thread, from), atOf(thread, to), limit) as readonly CheckedRow[];
  return rows.map(storedFrame);
}

/** Frames of indexed types. SQLite merges the ranges of the types, each ordered by `at`. */
export function ofTypes(
  session: Session,
  { thread, from, to, order, limit }: Wanted,
  types: readonly IndexedType[],
): readonly StoredFrame[] {
  if (types.length === 0) return [];
  const ranges = types.map(() => "SELECT at FROM indexed WHERE type = ? AND at BETWEEN ? AND ?").join(" UNION ALL ");
  const rows = session
    .statement(
      `SELECT ${CHECKED_COLUMNS} FROM (${ranges} ORDER BY at ${order} LIMIT ?) AS found CROSS JOIN frame USING (at) ORDER BY at ${order}`,
    )
    .all(...types.flatMap((type) => [columnOf(type), atOf(thread, from), atOf(thread, to)]), limit);
  return (rows as readonly CheckedRow[]).map(storedFrame);
}

function storedFrame(row: CheckedRow): StoredFrame {
  const { at, type, ordinal, line } = checkedRow(row);
  return { seq: seqOf(at), type: type === null ? MESSAGE : textOf(type), ordinal, line };
}

/** Finds messages by binary search, with O(log n) reads each for a thread of n frames. */
export function findPlaces(
  session: Session,
  threadId: string,
  targets: readonly PlaceTarget[],
): readonly (Place | undefined)[] {
  const thread = findThread(session, threadId);
  return targets.map((target) => (thread === undefined ? undefined : findPlace(session, thread, target)));
}

function findPlace(session: Session, thread: StoredThread, target: PlaceTarget): Place | undefined {
  const { number, head } = thread;
  if ("id" in target) {
    const at = isFrameId(target.id) ? placeOfId(session, target.id) : undefined;
    return at === undefined || threadOf(at) !== number ? undefined : messageAt(session, thread, seqOf(at));
  }
  if ("ordinal" in target) return placeByOrdinal(session, thread, target.ordinal);
  if ("seq" in target) {
    const row = rowAt(session, thread, Math.min(Math.floor(target.seq), head.head_seq));
    return row && placeByOrdinal(session, thread, row.ordinal);
  }
  if (!(target.weight <= head.weight)) return undefined;
  if (target.weight <= 0) return placeByOrdinal(session, thread, 1);
  const seq = firstReached([1, head.head_seq], (at) => (rowAt(session, thread, at)?.weight ?? 0) >= target.weight);
  return placeByOrdinal(session, thread, (rowAt(session, thread, seq)?.ordinal ?? head.message_count) + 1);
}

function placeByOrdinal(session: Session, thread: StoredThread, ordinal: number): Place | undefined {
  const { head_seq, message_count } = thread.head;
  if (!Number.isSafeInteger(ordinal) || ordinal < 1 || ordinal > message_count) return undefined;
  // Before the message come all earlier messages, and between one and all of the other frames.
  const range = [ordinal, ordinal + head_seq - message_count] as const;
  const seq = firstReached(range, (at) => (rowAt(session, thread, at)?.ordinal ?? 0) >= ordinal);
  return messageAt(session, thread, seq);
}

function messageAt(session: Session, thread: StoredThread, seq: number): Place | undefined {
  const row = rowAt(session, thread, seq);
  if (row?.type !== null) return undefined;
  const weight_before = rowAt(session, thread, seq - 1)?.weight ?? 0;
  return { ordinal: row.ordinal, seq, id: idOfBytes(row.id), weight_before, weight: row.weight };
}

type PlaceRow = Pick<FrameRow, "id" | "type" | "ordinal" | "weight">;

function rowAt(session: Session, { number, head }: StoredThread, seq: number): PlaceRow | undefined {
  if (!(seq >= 0 && seq <= head.head_seq)) return undefined;
  const row = session.statement("SELECT id, type, ordinal, weight FROM frame WHERE at = ?").get(atOf(number, seq));
  return row as PlaceRow | undefined;
}

interface CheckpointRow extends CheckedRow {
  readonly seq: number;
  readonly from_ordinal: number | null;
  readonly to_ordinal: number | null;
}

const CHECKPOINTS = `
SELECT seq, from_ordinal, to_ordinal, ${CHECKED_COLUMNS}
FROM checkpoint CROSS JOIN frame ON frame.at = checkpoint.thread * 4294967296 + checkpoint.seq
WHERE checkpoint.thread = (SELECT number FROM thread WHERE thread_id = ?) AND kind = ? AND to_seq BETWEEN ? AND ? AND seq <= ?
ORDER BY to_seq DESC, seq DESC LIMIT ?`;

export function findCheckpoints(session: Session, query: CheckpointQuery): readonly StoredCheckpoint[] {
  const { thread_id, kind, to_seq_at_least = 0, to_seq_at_most = Number.MAX_SAFE_INTEGER, limit } = query;
  const { frame_seq_at_most = Number.MAX_SAFE_INTEGER } = query;
  const rows = session
    .statement(CHECKPOINTS)
    .all(thread_id, columnOf(kind), to_seq_at_least, to_seq_at_most, frame_seq_at_most, limit);
  return (rows as readonly CheckpointRow[]).flatMap((row) => {
    const frame = frameOf(checkedRow(row));
    const { from_ordinal: from, to_ordinal: to } = row;
    return frame === undefined ? [] : [checkpointIn(frame, from === null || to === null ? null : [from, to])];
  });
}
