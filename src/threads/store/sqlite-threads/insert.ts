import { INDEXED_TYPES } from "../thread-store.ts";
import type { Frame } from "../../model/frame.ts";
import { atOf, bytesOfId, columnOf } from "./columns.ts";
import type { Session } from "./connection.ts";
import { headAfter, type NumberedHead } from "./heads.ts";
import { crcOf } from "./row-check.ts";

export const MESSAGE = "continuity_message_appended";
const indexed: ReadonlySet<string> = new Set(INDEXED_TYPES);

/** Takes an id for a frame; `false` when it is taken. */
export function takeId(session: Session, id: string, at: number): boolean {
  const { changes } = session
    .statement("INSERT INTO frame_id (id, at) VALUES (?, ?) ON CONFLICT DO NOTHING")
    .run(bytesOfId(id), at);
  return changes !== 0;
}

/** The place of the frame that has an id. */
export function placeOfId(session: Session, id: string): number | undefined {
  const row = session.statement("SELECT at FROM frame_id WHERE id = ?").get(bytesOfId(id));
  return (row as { readonly at: number } | undefined)?.at;
}

/** Writes a frame whose id is taken, and what finds it, at the end of its thread; what it says about jobs is left to `jobs.ts`. The head after it. */
export function insertFrame(
  session: Session,
  head: NumberedHead,
  { frame, line }: { readonly frame: Frame; readonly line: string },
): NumberedHead {
  const after = headAfter(head, frame);
  const at = atOf(head.number, frame.seq);
  const type = frame.type === MESSAGE ? null : columnOf(frame.type);
  const row = { at, id: bytesOfId(frame.id), type, ordinal: after.message_count, weight: after.weight, line };
  session
    .statement("INSERT INTO frame (at, id, type, ordinal, weight, crc, line) VALUES (?, ?, ?, ?, ?, ?, ?)")
    .run(at, row.id, type, row.ordinal, row.weight, crcOf(row), line);
  if (indexed.has(frame.type)) {
    session.statement("INSERT INTO indexed (type, at) VALUES (?, ?)").run(columnOf(frame.type), at);
    if (frame.type === "continuity_compaction_checkpoint_created") insertCheckpoint(session, head.number, frame);
  }
  return after;
}

/** Takes back the frames of a thread after a seq. */
export function removeFrames(session: Session, thread: number, after: number): void {
  const [first, last] = [atOf(thread, after + 1), atOf(thread + 1, 0) - 1];
  session
    .statement("DELETE FROM frame_id WHERE id IN (SELECT id FROM frame WHERE at BETWEEN ? AND ?)")
    .run(first, last);
  session.statement("DELETE FROM frame WHERE at BETWEEN ? AND ?").run(first, last);
  session.statement("DELETE FROM checkpoint WHERE thread = ? AND seq > ?").run(thread, after);
  for (const type of INDEXED_TYPES)
    session.statement("DELETE FROM indexed WHERE type = ? AND at BETWEEN ? AND ?").run(columnOf(type), first, last);
}

/** The ordinals that a checkpoint covers are told as of its own frame: what it says about later ones is nothing yet. */
function insertCheckpoint(session: Session, thread: number, frame: Frame): void {
  const { summary_kind, from_seq, to_seq } = frame.fields;
  const [from, to] = [from_seq as number, to_seq as number];
  const ordinals = to < frame.seq ? ordinalsOf(session, thread, [from, to]) : undefined;
  session
    .statement("INSERT INTO checkpoint (thread, kind, to_seq, seq, from_ordinal, to_ordinal) VALUES (?, ?, ?, ?, ?, ?)")
    .run(thread, columnOf(summary_kind as string), to, frame.seq, ordinals?.[0] ?? null, ordinals?.[1] ?? null);
}

function ordinalsOf(
  session: Session,
  thread: number,
  [from, to]: readonly [number, number],
): readonly [number, number] | undefined {
  const [first, last] = [from, to].map((seq) =>
    session.statement("SELECT type, ordinal FROM frame WHERE at = ?").get(atOf(thread, seq)),
  ) as readonly ({ readonly type: string | null; readonly ordinal: number } | undefined)[];
  if (from > to || first === undefined || last === undefined || last.type !== null) return undefined;
  return [first.type === null ? first.ordinal : first.ordinal + 1, last.ordinal];
}
