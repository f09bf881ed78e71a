import { setImmediate as pause } from "node:timers/promises";
import { MemoryError } from "../../../base/errors.ts";
import { INDEXED_TYPES, type FrameQuery, type StoredFrame } from "../thread-store.ts";
import { atOf, columnOf, seqOf, textOf } from "./columns.ts";
import type { Connection, Session } from "./connection.ts";
import { findHead, type NumberedHead } from "./heads.ts";
import { MESSAGE } from "./insert.ts";
import { seqOfOrdinal } from "./places.ts";
import { CHECKED_COLUMNS, checkedRow, type FrameRow } from "./row-check.ts";

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
    .all(columnOf(type), atOf(head.number, from), atOf(head.number, to), limit) as readonly Row[];
  return rows.map(frameOf);
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
    .all(atOf(head.number, from), atOf(head.number, to), limit) as readonly Row[];
  return rows.map(frameOf);
}

interface Row extends FrameRow {
  readonly crc: number;
}

function frameOf(row: Row): StoredFrame {
  const { at, type, ordinal, line } = checkedRow(row);
  return { seq: seqOf(at), type: type === null ? MESSAGE : textOf(type), ordinal, line };
}
