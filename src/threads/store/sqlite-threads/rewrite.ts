import { MemoryError } from "../../../base/errors.ts";
import { isFrame, parseFrame } from "../../model/frame.ts";
import type { ThreadHead } from "../../plan/thread-state.ts";
import { insertFrame, removeFrames, takeId } from "./append.ts";
import type { Connection, Session } from "./connection.ts";
import { replayJobs } from "./jobs.ts";
import { atOf, checkedRow, CHECKED_COLUMNS, findThread, saveHead, type FrameRow } from "./rows.ts";

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
    .all(atOf(number, 0), atOf(number, head.head_seq)) as readonly (FrameRow & { readonly crc: number })[];
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
    if (!isFrame(frame) || frame.seq !== seq || frame.thread_id !== threadId) {
      const message = `The frame at seq ${seq} of thread ${threadId} would not be valid after the change. Nothing was changed.`;
      throw new MemoryError("internal", message, { thread_id: threadId, seq });
    }
    takeId(session, frame.id, atOf(number, seq));
    after = insertFrame(session, { number, head: after }, frame, line);
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
