import { checkpointIn } from "../../plan/thread-state.ts";
import { setImmediate as pause } from "node:timers/promises";
import { MemoryError } from "../../../base/errors.ts";
import { INDEXED_TYPES } from "../thread-store.ts";
import type {
  FrameQuery,
  StoredFrame,
  Place,
  PlaceTarget,
  CheckpointQuery,
  StoredCheckpoint,
} from "../thread-store.ts";
import { atOf, columnOf, seqOf, textOf, findHead, CHECKED_COLUMNS, checkedRow, threadOf, placeOfId } from "./rows.ts";
import type { NumberedHead, FrameRow } from "./rows.ts";
import { idOfBytes, isFrameId, frameOf, MESSAGE } from "../../model/frame.ts";
import type { Connection, Session } from "./connection.ts";

const MOST = 10_000;
const indexed: ReadonlySet<string> = new Set(INDEXED_TYPES);

/** Frames of a thread in a range. Types without an index are looked for row by row, a piece at a time, so that others get their turn. */
export async function findFrames(connection: Connection, query: FrameQuery): Promise<readonly StoredFrame[]> {
  if (query.limit > MOST)
    throw new MemoryError("limit_too_large", `limit is ${query.limit}; at most ${MOST} frames are read at once.`);
  const head = await connection.read((session) => findHead(session, query.thread_id));
  if (head === undefined) return [];
  const wanted = rangeOf(query, head);
  const { types } = query;
  if (types === undefined)
    return (await connection.read((session) => scan(session, wanted, rangeWithin(session, wanted, query)))) ?? [];
  if (types.every((type) => type === MESSAGE || indexed.has(type)))
    return (await connection.read((session) => merged(session, wanted, new Set(types)))) ?? [];
  return await scanned(connection, wanted, new Set(types));
}

interface Wanted {
  readonly head: NumberedHead;
  readonly from: number;
  readonly to: number;
  readonly order: "ASC" | "DESC";
  readonly limit: number;
}

function rangeOf({ from_seq = 0, to_seq = Infinity, order, limit }: FrameQuery, head: NumberedHead): Wanted {
  const [from, to] = [Math.max(0, Math.ceil(from_seq)), Math.min(head.head_seq, Math.floor(to_seq))];
  return { head, from, to, order: order === "descending" ? "DESC" : "ASC", limit };
}

/** The part of the range, from the end where reading begins, whose lines have so many bytes. How long a line is, is known without reading it. */
function rangeWithin(session: Session, wanted: Wanted, { most_bytes }: FrameQuery): readonly [number, number] {
  const { head, from, to, order, limit } = wanted;
  if (most_bytes === undefined) return [from, to];
  const rows = session
    .statement(
      `SELECT at, octet_length(line) AS bytes FROM frame WHERE at BETWEEN ? AND ? ORDER BY at ${order} LIMIT ?`,
    )
    .all(atOf(head.number, from), atOf(head.number, to), limit) as readonly { at: number; bytes: number }[];
  let bytes = 0;
  const beyond = rows.findIndex((row, index) => (bytes += row.bytes) > most_bytes && index > 0);
  const last = beyond === -1 ? undefined : rows[beyond - 1];
  if (last === undefined) return [from, to];
  return order === "ASC" ? [from, seqOf(last.at)] : [seqOf(last.at), to];
}

/** Of each type as many as are asked for, then the first of all. */
function merged(session: Session, wanted: Wanted, types: ReadonlySet<string>): readonly StoredFrame[] {
  const all = [...types].flatMap((type) =>
    type === MESSAGE ? messages(session, wanted) : indexedFrames(session, wanted, type),
  );
  const sign = wanted.order === "ASC" ? 1 : -1;
  return all.toSorted((one, other) => sign * (one.seq - other.seq)).slice(0, wanted.limit);
}

/** Messages are found by their ordinals where other frames lie between them. */
function messages(session: Session, wanted: Wanted): readonly StoredFrame[] {
  const found: StoredFrame[] = [];
  let range: readonly [number, number] = [wanted.from, wanted.to];
  while (found.length < wanted.limit && range[0] <= range[1]) {
    const width = 2 * (wanted.limit - found.length) + 64;
    const [near, far]: readonly [readonly [number, number], readonly [number, number]] =
      wanted.order === "ASC"
        ? [
            [range[0], Math.min(range[1], range[0] + width)],
            [range[0] + width + 1, range[1]],
          ]
        : [
            [Math.max(range[0], range[1] - width), range[1]],
            [range[0], range[1] - width - 1],
          ];
    const limit = wanted.limit - found.length;
    for (const frame of scan(session, { ...wanted, limit }, near, "AND type IS NULL")) found.push(frame);
    range = skipToMessage(session, wanted, far);
  }
  return found;
}

function skipToMessage(
  session: Session,
  { head, order }: Wanted,
  [from, to]: readonly [number, number],
): readonly [number, number] {
  if (from > to) return [from, to];
  const edge = order === "ASC" ? from - 1 : to;
  const row = session.statement("SELECT ordinal FROM frame WHERE at = ?").get(atOf(head.number, edge));
  const ordinal = (row as { readonly ordinal: number }).ordinal;
  const seq = seqOfOrdinal(session, head, order === "ASC" ? ordinal + 1 : ordinal);
  if (seq === undefined) return [1, 0];
  return order === "ASC" ? [seq, to] : [from, seq];
}

function indexedFrames(
  session: Session,
  { head, from, to, order, limit }: Wanted,
  type: string,
): readonly StoredFrame[] {
  const rows = session
    .statement(
      `SELECT ${CHECKED_COLUMNS} FROM indexed CROSS JOIN frame USING (at)
       WHERE indexed.type = ? AND at BETWEEN ? AND ? ORDER BY at ${order} LIMIT ?`,
    )
    .all(columnOf(type), atOf(head.number, from), atOf(head.number, to), limit) as readonly CheckedRow[];
  return rows.map(storedFrame);
}

async function scanned(
  connection: Connection,
  wanted: Wanted,
  types: ReadonlySet<string>,
): Promise<readonly StoredFrame[]> {
  const names = [...types]
    .filter((type) => type !== MESSAGE)
    .map((type) => `'${columnOf(type).replaceAll("'", "''")}'`);
  const condition = `AND (type IN (${names.join(", ")})${types.has(MESSAGE) ? " OR type IS NULL" : ""})`;
  const found: StoredFrame[] = [];
  for (let read = 0; read <= wanted.to - wanted.from && found.length < wanted.limit; read += MOST) {
    const range: readonly [number, number] =
      wanted.order === "ASC"
        ? [wanted.from + read, Math.min(wanted.to, wanted.from + read + MOST - 1)]
        : [Math.max(wanted.from, wanted.to - read - MOST + 1), wanted.to - read];
    const limit = wanted.limit - found.length;
    const part = await connection.read((session) => scan(session, { ...wanted, limit }, range, condition));
    for (const frame of part ?? []) found.push(frame);
    await pause();
  }
  return found;
}

function scan(
  session: Session,
  { head, order, limit }: Wanted,
  [from, to]: readonly [number, number],
  condition = "",
): readonly StoredFrame[] {
  const rows = session
    .statement(
      `SELECT ${CHECKED_COLUMNS} FROM frame WHERE at BETWEEN ? AND ? ${condition} ORDER BY at ${order} LIMIT ?`,
    )
    .all(atOf(head.number, from), atOf(head.number, to), limit) as readonly CheckedRow[];
  return rows.map(storedFrame);
}

interface CheckedRow extends FrameRow {
  readonly crc: number;
}

function storedFrame(row: CheckedRow): StoredFrame {
  const { at, type, ordinal, line } = checkedRow(row);
  return { seq: seqOf(at), type: type === null ? MESSAGE : textOf(type), ordinal, line };
}

/** Finds messages by halving: a logarithm of the thread's length of looks each. */
export function findPlaces(
  session: Session,
  threadId: string,
  targets: readonly PlaceTarget[],
): readonly (Place | undefined)[] {
  const head = findHead(session, threadId);
  return targets.map((target) => (head === undefined ? undefined : findPlace(session, head, target)));
}

function findPlace(session: Session, head: NumberedHead, target: PlaceTarget): Place | undefined {
  if ("id" in target) return placeById(session, head, target.id);
  if ("ordinal" in target) return placeByOrdinal(session, head, target.ordinal);
  if ("seq" in target) {
    const row = rowAt(session, head, Math.min(Math.floor(target.seq), head.head_seq));
    return row === undefined ? undefined : placeByOrdinal(session, head, row.ordinal);
  }
  if (!(target.weight <= head.weight)) return undefined;
  if (target.weight <= 0) return placeByOrdinal(session, head, 1);
  const seq = firstSeq([1, head.head_seq], (at) => (rowAt(session, head, at)?.weight ?? 0) >= target.weight);
  return placeByOrdinal(session, head, (rowAt(session, head, seq)?.ordinal ?? head.message_count) + 1);
}

function placeById(session: Session, head: NumberedHead, id: string): Place | undefined {
  const at = isFrameId(id) ? placeOfId(session, id) : undefined;
  if (at === undefined || threadOf(at) !== head.number) return undefined;
  return messageAt(session, head, seqOf(at));
}

function placeByOrdinal(session: Session, head: NumberedHead, ordinal: number): Place | undefined {
  const seq = seqOfOrdinal(session, head, ordinal);
  return seq === undefined ? undefined : messageAt(session, head, seq);
}

/** Before the message lie all messages before it, and at least one and at most all of the other frames. */
function seqOfOrdinal(session: Session, head: NumberedHead, ordinal: number): number | undefined {
  if (!Number.isSafeInteger(ordinal) || ordinal < 1 || ordinal > head.message_count) return undefined;
  const others = head.head_seq + 1 - head.message_count;
  return firstSeq([ordinal, ordinal - 1 + others], (seq) => (rowAt(session, head, seq)?.ordinal ?? 0) >= ordinal);
}

/** The first of a range for which it holds; it holds for the last, and for all after one for which it holds. */
function firstSeq([first, last]: readonly [number, number], holds: (seq: number) => boolean): number {
  let [low, high] = [first, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function messageAt(session: Session, head: NumberedHead, seq: number): Place | undefined {
  const row = rowAt(session, head, seq);
  if (row === undefined || row.type !== null) return undefined;
  const before = rowAt(session, head, seq - 1);
  return { ordinal: row.ordinal, seq, id: idOfBytes(row.id), weight_before: before?.weight ?? 0, weight: row.weight };
}

interface PlaceRow {
  readonly id: Uint8Array;
  readonly type: string | null;
  readonly ordinal: number;
  readonly weight: number;
}

function rowAt(session: Session, head: NumberedHead, seq: number): PlaceRow | undefined {
  if (!(seq >= 0 && seq <= head.head_seq)) return undefined;
  const row = session.statement("SELECT id, type, ordinal, weight FROM frame WHERE at = ?").get(atOf(head.number, seq));
  return row as PlaceRow | undefined;
}

interface CheckpointRow extends FrameRow {
  readonly crc: number;
  readonly seq: number;
  readonly from_ordinal: number | null;
  readonly to_ordinal: number | null;
}

const SQL = `
SELECT seq, from_ordinal, to_ordinal, ${CHECKED_COLUMNS}
FROM checkpoint CROSS JOIN frame ON frame.at = checkpoint.thread * 4294967296 + checkpoint.seq
WHERE checkpoint.thread = (SELECT number FROM thread WHERE thread_id = ?) AND kind = ? AND to_seq BETWEEN ? AND ? AND seq <= ?
ORDER BY to_seq DESC, seq DESC LIMIT ?`;

export function findCheckpoints(session: Session, query: CheckpointQuery): readonly StoredCheckpoint[] {
  const rows = session
    .statement(SQL)
    .all(
      query.thread_id,
      columnOf(query.kind),
      query.to_seq_at_least ?? 0,
      query.to_seq_at_most ?? Number.MAX_SAFE_INTEGER,
      query.frame_seq_at_most ?? Number.MAX_SAFE_INTEGER,
      query.limit,
    ) as readonly CheckpointRow[];
  return rows.flatMap((row) => checkpointOf(row) ?? []);
}

function checkpointOf(row: CheckpointRow): StoredCheckpoint | undefined {
  const frame = frameOf(checkedRow(row));
  const { from_ordinal: from, to_ordinal: to } = row;
  return frame === undefined ? undefined : checkpointIn(frame, from === null || to === null ? null : [from, to]);
}
