import type { Place, PlaceTarget } from "../thread-store.ts";
import { isFrameId } from "../../model/frame-format.ts";
import { atOf, idOfBytes, seqOf, threadOf } from "./columns.ts";
import type { Session } from "./connection.ts";
import { findHead, type NumberedHead } from "./heads.ts";
import { placeOfId } from "./insert.ts";

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
export function seqOfOrdinal(session: Session, head: NumberedHead, ordinal: number): number | undefined {
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

interface Row {
  readonly id: Uint8Array;
  readonly type: string | null;
  readonly ordinal: number;
  readonly weight: number;
}

function rowAt(session: Session, head: NumberedHead, seq: number): Row | undefined {
  if (!(seq >= 0 && seq <= head.head_seq)) return undefined;
  const row = session.statement("SELECT id, type, ordinal, weight FROM frame WHERE at = ?").get(atOf(head.number, seq));
  return row as Row | undefined;
}
