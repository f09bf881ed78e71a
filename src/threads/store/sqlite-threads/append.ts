import { setImmediate as pause } from "node:timers/promises";
import { MemoryError } from "../../../base/errors.ts";
import { INDEXED_TYPES, threadNotFound } from "../thread-store.ts";
import type { Appended, AppendedPieces, AppendRequest, PiecesRequest } from "../thread-store.ts";
import {
  isFrame,
  LONGEST_LINE,
  messageOf,
  MOST_FRAMES,
  parseFrame,
  printFrame,
  bytesOfId,
  frameOf,
  MESSAGE,
} from "../../model/frame.ts";
import type { Frame, FrameDraft, Message } from "../../model/frame.ts";
import {
  atOf,
  threadOf,
  findHead,
  newHead,
  nextNumber,
  publicHead,
  saveHead,
  columnOf,
  headAfter,
  crcOf,
  placeOfId,
} from "./rows.ts";
import type { NumberedHead } from "./rows.ts";
import type { Connection, OpenTransaction, Session } from "./connection.ts";
import { applyJob, beginLeases, requireLease } from "./jobs.ts";

/** Appends within the transaction of the session; what throws is to be rolled back. */
export function appendFrames(session: Session, request: AppendRequest, now: number): Appended {
  const found = findHead(session, request.thread_id);
  refuseThread(request, found);
  if (found !== undefined && request.held_lease !== undefined) requireLease(session, found.number, request.held_lease);
  const appended: { id: string; seq: number }[] = [];
  const run = { request, head: found, known: 0 };
  takeFrames(session, run, { frames: request.frames, note: (place) => void appended.push(place) });
  const { head, known } = run;
  if (head === undefined) throw threadNotFound(request.thread_id);
  if (appended.length > 0) finish(session, { request, found, head });
  const place = { thread: head.number, after: found?.head_seq ?? -1, now };
  beginLeases(session, request.leases ?? [], place);
  return { appended, known, head: publicHead(head) };
}

/** Appends in one transaction on a connection that nothing else uses. */
export async function appendPieces(
  connection: Connection,
  request: PiecesRequest,
  pieces: AsyncIterable<readonly FrameDraft[]>,
): Promise<AppendedPieces> {
  const run: Run = { request, head: undefined, known: 0 };
  let found: NumberedHead | undefined;
  let appended = 0;
  let transaction: OpenTransaction | undefined;
  try {
    for await (const frames of pieces) {
      if (transaction === undefined) {
        transaction = await connection.begin();
        found = transaction.run((session) => findHead(session, request.thread_id));
        refuseThread({ ...request, frames }, found);
        run.head = found;
      }
      transaction.run((session) => takeFrames(session, run, { frames, note: () => (appended += 1) }));
      await pause();
    }
    const { head } = run;
    if (head === undefined) throw threadNotFound(request.thread_id);
    if (appended > 0) transaction?.run((session) => finish(session, { request, found, head }));
    transaction?.commit();
    return { appended, known: run.known, head: publicHead(head) };
  } catch (error) {
    transaction?.rollback();
    throw error;
  }
}

/** How far an append has come. */
interface Run {
  readonly request: PiecesRequest;
  head: NumberedHead | undefined;
  known: number;
}

interface Taking {
  readonly frames: readonly FrameDraft[];
  note(place: { readonly id: string; readonly seq: number }): void;
}

function takeFrames(session: Session, run: Run, { frames, note }: Taking): void {
  const { request } = run;
  for (const draft of frames) {
    const place = { thread_id: request.thread_id, seq: (run.head?.head_seq ?? -1) + 1 };
    const line = printFrame(draft, place);
    const frame = checkedFrame(line, draft, place);
    const before = run.head ?? newHead(frame, nextNumber(session));
    if (!takeId(session, frame.id, atOf(before.number, frame.seq))) {
      refuseUnlessSame(session, frame, { request, thread: before.number });
      run.known += 1;
      continue;
    }
    run.head = insertFrame(session, before, { frame, line });
    applyJob(session, run.head.number, frame);
    note({ id: frame.id, seq: frame.seq });
  }
}

function finish(
  session: Session,
  end: { readonly request: PiecesRequest; readonly found: NumberedHead | undefined; readonly head: NumberedHead },
): void {
  refuseSeq(end.request, end.found);
  saveHead(session, end.head);
}

/** The checks that need only the head. */
function refuseThread(request: AppendRequest, head: NumberedHead | undefined): void {
  const { thread_id, expected_decision_seq } = request;
  const begins = request.frames[0]?.type === "continuity_created";
  if (head === undefined && !begins) throw threadNotFound(thread_id);
  if (head !== undefined && begins) {
    const sentence = `There is a thread ${thread_id} already; take another id, or append to it.`;
    throw new MemoryError("thread_exists", sentence, { thread_id });
  }
  // A call that is repeated expects the seq that it found the first time.
  if (request.known_ids !== "pass") refuseSeq(request, head);
  const decision = head?.decision_seq ?? -1;
  if (expected_decision_seq !== undefined && expected_decision_seq !== decision) {
    const sentence = `The last decision of thread ${thread_id} is at seq ${decision}, not at ${expected_decision_seq}: somebody decided meanwhile. Decide anew.`;
    throw new MemoryError("decision_conflict", sentence, { thread_id, expected_decision_seq, decision_seq: decision });
  }
}

function refuseSeq({ thread_id, expected_seq }: PiecesRequest, head: NumberedHead | undefined): void {
  const seq = head?.head_seq ?? -1;
  if (expected_seq === undefined || expected_seq === seq) return;
  const sentence = `Thread ${thread_id} is at seq ${seq}, not at ${expected_seq}: somebody appended meanwhile. Read what is new, then append with expected_seq ${seq}.`;
  throw new MemoryError("seq_conflict", sentence, { thread_id, expected_seq, head_seq: seq });
}

/** Whatever is stored must be readable again, and imported elsewhere. */
function checkedFrame(
  line: string,
  draft: FrameDraft,
  place: { readonly thread_id: string; readonly seq: number },
): Frame {
  if (place.seq >= MOST_FRAMES)
    throw new MemoryError(
      "io",
      `Thread ${place.thread_id} is full: it has ${MOST_FRAMES} frames. Begin another thread.`,
    );
  // What is appended must be able to come back by an import.
  if (line.length > LONGEST_LINE / 3 && Buffer.byteLength(line) > LONGEST_LINE)
    throw new MemoryError(
      "invalid_body",
      `A frame for thread ${place.thread_id} is longer than ${LONGEST_LINE} bytes; give it in parts. Nothing was appended.`,
    );
  const frame = parseFrame(line);
  const reason = isFrame(frame) ? differenceOf(frame, draft, place) : frame.reason;
  if (isFrame(frame) && reason === undefined) return frame;
  const sentence = `A frame of type ${draft.type} for thread ${place.thread_id} cannot be appended: ${reason}. Nothing was appended.`;
  throw new MemoryError("invalid_frame", sentence, { thread_id: place.thread_id });
}

function differenceOf(
  frame: Frame,
  draft: FrameDraft,
  place: { readonly thread_id: string; readonly seq: number },
): string | undefined {
  const isSame =
    frame.id === draft.id &&
    frame.seq === place.seq &&
    frame.thread_id === place.thread_id &&
    frame.type === draft.type &&
    frame.timestamp_ms === draft.timestamp_ms;
  return isSame ? undefined : "its payload has a field of the envelope";
}

/** A message that is there with the same words is passed over, when the caller wants it so. */
function refuseUnlessSame(
  session: Session,
  frame: Frame,
  way: { readonly request: PiecesRequest; readonly thread: number },
): void {
  const at = placeOfId(session, frame.id);
  if (way.request.known_ids === "pass" && at !== undefined && threadOf(at) === way.thread) {
    const there = session.statement("SELECT line FROM frame WHERE at = ?").get(at) as { readonly line: string };
    if (isSameMessage(messageOf(frame), messageOf(frameOf(there)))) return;
  }
  const sentence = `There is a frame with the id ${frame.id} already, and it is not the same message of thread ${frame.thread_id}; take another id. Nothing was appended.`;
  throw new MemoryError("frame_conflict", sentence, { thread_id: frame.thread_id, id: frame.id });
}

function isSameMessage(one: Message | undefined, other: Message | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.actor_id === other.actor_id && one.origin === other.origin && one.content === other.content;
}

const indexed: ReadonlySet<string> = new Set(INDEXED_TYPES);

/** Takes an id for a frame; `false` when it is taken. */
export function takeId(session: Session, id: string, at: number): boolean {
  const { changes } = session
    .statement("INSERT INTO frame_id (id, at) VALUES (?, ?) ON CONFLICT DO NOTHING")
    .run(bytesOfId(id), at);
  return changes !== 0;
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

/** The ordinals that a checkpoint covers are those at its own frame; it covers no later messages. */
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
