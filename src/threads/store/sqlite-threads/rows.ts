import { crc32 } from "node:zlib";
import { MemoryError } from "../../../base/errors.ts";
import { bytesOfId } from "../../model/frame.ts";
import { columnOf, textOf } from "../column-text.ts";
import type { ThreadHead } from "../thread-store.ts";
import type { Session } from "./connection.ts";

const SEQS = 2 ** 32;
/** Maximum number of threads: with more, `at` would no longer be an exact number. */
export const MOST_THREADS = 2 ** 21 - 1;

export function atOf(thread: number, seq: number): number {
  return thread * SEQS + seq;
}

export function seqOf(at: number): number {
  return at % SEQS;
}

export function threadOf(at: number): number {
  return Math.floor(at / SEQS);
}

export interface FrameRow {
  readonly at: number;
  readonly id: Uint8Array;
  readonly type: string | null;
  readonly ordinal: number;
  readonly weight: number;
  readonly line: string;
}

/** The id comes as digits: a Uint8Array for each row would take longer to make than all other columns. */
export const CHECKED_COLUMNS = "at, hex(frame.id) AS id, frame.type AS type, ordinal, weight, crc, line";

export interface CheckedRow extends Omit<FrameRow, "id"> {
  readonly id: string;
  readonly crc: number;
}

/** CRC-32 over the whole row: SQLite has no checksums of its own, so a flipped bit in a message would otherwise go unnoticed. */
export function crcOf({ at, id, type, ordinal, weight, line }: FrameRow): number {
  return crc32(line, crc32(id, crc32(`${at} ${ordinal} ${weight} ${type ?? ""}`)));
}

/** Returns the row if it is intact. Errors: `damaged_store`, with the `seq`. */
export function checkedRow(row: CheckedRow): CheckedRow {
  const { at, id, type, ordinal, weight, line } = row;
  if (isWhole(row) && crcOf({ at, id: bytesOfId(id), type, ordinal, weight, line }) === row.crc) return row;
  const seq = seqOf(at);
  const sentence = `The frame at seq ${seq} is damaged: its checksum does not match. Nothing was changed. Run \`heartwood thread verify\`; restore a backup of the store, or import an export of the thread into an empty one.`;
  throw new MemoryError("damaged_store", sentence, { seq });
}

/** In a damaged row, columns can have any type, whatever the table declares. */
function isWhole({ id, type, line }: { readonly [name in keyof FrameRow]: unknown }): boolean {
  return (
    typeof id === "string" &&
    id.length === 32 &&
    typeof line === "string" &&
    (type === null || typeof type === "string")
  );
}

/** A stored thread: its number in the other tables, and its head. */
export interface StoredThread {
  readonly number: number;
  readonly head: ThreadHead;
}

interface Row extends Omit<ThreadHead, "created_at_ms" | "updated_at_ms"> {
  readonly number: number;
  readonly created: number;
  readonly updated: number;
}

const COLUMNS =
  "number, thread_id, workspace, title, created, updated, head_seq, message_count, weight, decision_seq FROM thread";

export function findThread(session: Session, threadId: string): StoredThread | undefined {
  const row = session.statement(`SELECT ${COLUMNS} WHERE thread_id = ?`).get(threadId) as Row | undefined;
  return row && threadIn(row);
}

/** Most recently appended first. */
export function listHeads(session: Session, limit: number): { heads: readonly ThreadHead[]; total: number } {
  const rows = session.statement(`SELECT ${COLUMNS} ORDER BY used DESC LIMIT ?`).all(limit) as readonly Row[];
  const { total } = session.statement("SELECT count(*) AS total FROM thread").get() as { readonly total: number };
  return { heads: rows.map((row) => threadIn(row).head), total };
}

function threadIn({ number, created, updated, workspace, title, ...row }: Row): StoredThread {
  const times = { created_at_ms: created, updated_at_ms: updated };
  const head = { ...row, workspace: textOf(workspace), title: title === null ? null : textOf(title), ...times };
  return { number, head };
}

export function nextNumber(session: Session): number {
  const { last } = session.statement("SELECT max(number) AS last FROM thread").get() as {
    readonly last: number | null;
  };
  return (last ?? 0) + 1;
}

/** Writes the head and marks its thread as the most recently appended. */
export function saveHead(session: Session, number: number, head: ThreadHead): void {
  session
    .statement(SAVE_HEAD)
    .run(
      number,
      head.thread_id,
      columnOf(head.workspace),
      head.title === null ? null : columnOf(head.title),
      head.created_at_ms,
      head.updated_at_ms,
      head.head_seq,
      head.message_count,
      head.weight,
      head.decision_seq,
    );
}

const SAVE_HEAD = `
INSERT INTO thread (number, thread_id, workspace, title, created, updated, head_seq, message_count, weight, decision_seq, used)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(used), 0) + 1 FROM thread))
ON CONFLICT (number) DO UPDATE SET updated = excluded.updated, head_seq = excluded.head_seq, message_count = excluded.message_count,
  weight = excluded.weight, decision_seq = excluded.decision_seq, used = excluded.used`;

export function placeOfId(session: Session, id: string): number | undefined {
  const row = session.statement("SELECT at FROM frame_id WHERE id = ?").get(bytesOfId(id));
  return (row as { readonly at: number } | undefined)?.at;
}
