import { MemoryError } from "../../../base/errors.ts";
import { MESSAGE, bytesOfId, isFrame, parseFrame, type Frame, type FrameDraft } from "../../model/frame.ts";
import { checkpointIn, headAfter, type ThreadHead } from "../../plan/thread-state.ts";
import {
  checkedFrame,
  decisionConflict,
  idConflict,
  invalidAfterChange,
  isSameMessage,
  seqConflict,
  threadExists,
} from "../checked-draft.ts";
import { columnOf } from "../column-text.ts";
import type { Connection, Session } from "./connection.ts";
import { applyJob, beginLeases, replayJobs, requireLease } from "./jobs.ts";
import {
  CHECKED_COLUMNS,
  MOST_THREADS,
  atOf,
  checkedRow,
  crcOf,
  findThread,
  nextNumber,
  placeOfId,
  saveHead,
  threadOf,
  type CheckedRow,
} from "./rows.ts";
import {
  INDEXED_TYPES,
  threadNotFound,
  type AppendRequest,
  type Appended,
  type AppendedPieces,
  type PiecesRequest,
} from "../thread-store.ts";

/** Appends within the session's transaction; if it throws, the caller must roll back. */
export function appendFrames(session: Session, request: AppendRequest, now: number): Appended {
  const run = beginRun(session, request);
  const { number, found } = run;
  if (found !== undefined && request.held_lease !== undefined) requireLease(session, number, request.held_lease);
  const appended = takeFrames(session, run, request.frames);
  const head = endRun(session, run);
  beginLeases(session, request.leases ?? [], { thread: number, after: found?.head_seq ?? -1, now });
  return { appended, known: run.known, head };
}

export async function appendPieces(
  connection: Connection,
  request: PiecesRequest,
  pieces: AsyncIterable<readonly FrameDraft[]>,
): Promise<AppendedPieces> {
  let run: Run | undefined;
  const done = await connection.writePieces(pieces, {
    take: (session, frames) => takeFrames(session, (run ??= beginRun(session, { ...request, frames })), frames),
    end: (session) => run && { appended: run.appended, known: run.known, head: endRun(session, run) },
  });
  if (done === undefined) throw threadNotFound(request.thread_id);
  return done;
}

interface Run {
  readonly request: PiecesRequest;
  readonly number: number;
  readonly found: ThreadHead | undefined;
  head: ThreadHead | undefined;
  appended: number;
  known: number;
}

function beginRun(session: Session, request: AppendRequest): Run {
  const { thread_id, expected_decision_seq } = request;
  const { number = nextNumber(session), head: found } = findThread(session, thread_id) ?? {};
  const begins = request.frames[0]?.type === "continuity_created";
  if (found === undefined && !begins) throw threadNotFound(thread_id);
  if (found !== undefined && begins) throw threadExists(thread_id);
  // A repeated call still passes the seq from the first time.
  if (request.known_ids !== "pass") refuseSeq(request, found);
  const decision_seq = found?.decision_seq ?? -1;
  if (expected_decision_seq !== undefined && expected_decision_seq !== decision_seq)
    throw decisionConflict(thread_id, expected_decision_seq, decision_seq);
  return { request, number, found, head: found, appended: 0, known: 0 };
}

/** Returns the appended frames; the run counts messages that were already known. */
function takeFrames(session: Session, run: Run, frames: readonly FrameDraft[]): Appended["appended"] {
  const { number, request } = run;
  const { thread_id, known_ids } = request;
  const appended: { id: string; seq: number }[] = [];
  for (const draft of frames) {
    const seq = (run.head?.head_seq ?? -1) + 1;
    const { line, frame } = checkedFrame(draft, { thread_id, seq });
    const id = bytesOfId(frame.id);
    if (!takeId(session, id, atOf(number, seq))) {
      if (known_ids !== "pass" || !isThere(session, frame, number)) throw idConflict(frame);
      run.known += 1;
      continue;
    }
    run.head = insertFrame(session, { number, head: run.head, id }, frame, line);
    run.appended += 1;
    applyJob(session, number, frame);
    appended.push({ id: frame.id, seq });
  }
  return appended;
}

function endRun(session: Session, { request, number, found, head, appended }: Run): ThreadHead {
  if (head === undefined) throw threadNotFound(request.thread_id);
  if (appended === 0) return head;
  refuseSeq(request, found);
  saveHead(session, number, head);
  return head;
}

function refuseSeq({ thread_id, expected_seq }: PiecesRequest, head: ThreadHead | undefined): void {
  const head_seq = head?.head_seq ?? -1;
  if (expected_seq === undefined || expected_seq === head_seq) return;
  throw seqConflict(thread_id, expected_seq, head_seq);
}

/** Whether the id already belongs to the same message in this thread. */
function isThere(session: Session, frame: Frame, thread: number): boolean {
  const at = placeOfId(session, frame.id);
  if (at === undefined || threadOf(at) !== thread) return false;
  const stored = session.statement("SELECT line FROM frame WHERE at = ?").get(at) as { readonly line: string };
  return isSameMessage(frame, stored);
}

const indexed: ReadonlySet<string> = new Set(INDEXED_TYPES);

export function takeId(session: Session, id: Uint8Array, at: number): boolean {
  const { changes } = session
    .statement("INSERT INTO frame_id (id, at) VALUES (?, ?) ON CONFLICT DO NOTHING")
    .run(id, at);
  return changes !== 0;
}

/** Inserts a frame and its index rows at the end of its thread, after `takeId`. `jobs.ts` records what the frame says about jobs. Returns the new head. */
export function insertFrame(
  session: Session,
  { number, head, id }: { readonly number: number; readonly head: ThreadHead | undefined; readonly id: Uint8Array },
  frame: Frame,
  line: string,
): ThreadHead {
  if (number > MOST_THREADS) {
    const sentence = `The store has ${MOST_THREADS} threads, the maximum; use another project folder.`;
    throw new MemoryError("io", sentence, { threads: MOST_THREADS });
  }
  const after = headAfter(head, frame);
  const at = atOf(number, frame.seq);
  const type = frame.type === MESSAGE ? null : columnOf(frame.type);
  const row = { at, id, type, ordinal: after.message_count, weight: after.weight, line };
  session
    .statement("INSERT INTO frame (at, id, type, ordinal, weight, crc, line) VALUES (?, ?, ?, ?, ?, ?, ?)")
    .run(at, id, type, row.ordinal, row.weight, crcOf(row), line);
  if (indexed.has(frame.type)) {
    session.statement("INSERT INTO indexed (type, at) VALUES (?, ?)").run(columnOf(frame.type), at);
    if (frame.type === "continuity_compaction_checkpoint_created") insertCheckpoint(session, number, frame);
  }
  return after;
}

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

/** A checkpoint's ordinals are fixed at its own frame; it covers no later messages. */
function insertCheckpoint(session: Session, thread: number, frame: Frame): void {
  const { kind, from_seq, to_seq } = checkpointIn(frame, null);
  const ordinals = to_seq < frame.seq ? ordinalsOf(session, thread, [from_seq, to_seq]) : undefined;
  session
    .statement("INSERT INTO checkpoint (thread, kind, to_seq, seq, from_ordinal, to_ordinal) VALUES (?, ?, ?, ?, ?, ?)")
    .run(thread, columnOf(kind), to_seq, frame.seq, ordinals?.[0] ?? null, ordinals?.[1] ?? null);
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

/**
 * Replaces lines of a thread and derives everything else from them again, in one transaction. SQLite overwrites the old bytes with zeros. Returns the
 * number of changed lines; with none, nothing is written.
 */
export function rewriteFrames(session: Session, threadId: string, change: (line: string) => string): number {
  const found = findThread(session, threadId);
  if (found === undefined) return 0;
  const { number, head } = found;
  const rows = session
    .statement(`SELECT ${CHECKED_COLUMNS} FROM frame WHERE at BETWEEN ? AND ? ORDER BY at`)
    .all(atOf(number, 0), atOf(number, head.head_seq)) as readonly CheckedRow[];
  const lines = rows.map((row) => checkedRow(row).line);
  const changed = lines.map(change);
  const count = changed.filter((line, index) => line !== lines[index]).length;
  if (count === 0) return 0;
  const leases = session
    .statement("SELECT job_id, runner, lease_until FROM job WHERE thread = ?")
    .all(number) as readonly Leased[];
  const { used } = session.statement("SELECT used FROM thread WHERE number = ?").get(number) as {
    readonly used: number;
  };
  removeFrames(session, number, -1);
  session.statement("DELETE FROM job WHERE thread = ?").run(number);
  session.statement("DELETE FROM thread WHERE number = ?").run(number);
  let after: ThreadHead | undefined;
  for (const [seq, line] of changed.entries()) {
    const frame = parseFrame(line);
    if (!isFrame(frame) || frame.seq !== seq || frame.thread_id !== threadId) throw invalidAfterChange(threadId, seq);
    const id = bytesOfId(frame.id);
    takeId(session, id, atOf(number, seq));
    after = insertFrame(session, { number, head: after, id }, frame, line);
  }
  if (after === undefined) return 0;
  saveHead(session, number, after);
  session.statement("UPDATE thread SET used = ? WHERE number = ?").run(used, number);
  replayJobs(session, number, { from: 0, to: after.head_seq });
  for (const { job_id, runner, lease_until } of leases)
    session
      .statement("UPDATE job SET runner = ?, lease_until = ? WHERE thread = ? AND job_id = ?")
      .run(runner, lease_until, number, job_id);
  return count;
}

interface Leased {
  readonly job_id: string;
  readonly runner: string | null;
  readonly lease_until: number | null;
}

/**
 * Leaves no old bytes in the file or its log. `secure_delete` alone is not enough: pages that moved leave copies in free pages, and in the log.
 * Another process that reads at the moment keeps the log from being cut; then this fails with `busy`.
 */
export async function purgeStore(connection: Connection): Promise<void> {
  await connection.read((session) => {
    session.exec("VACUUM");
    const { busy } = session.statement("PRAGMA wal_checkpoint(TRUNCATE)").get() as { readonly busy: number };
    if (busy === 0) return;
    const message =
      "Another process is reading the threads, so old bytes remain in threads.sqlite-wal; end it, then run the command again.";
    throw new MemoryError("busy", message);
  });
}
