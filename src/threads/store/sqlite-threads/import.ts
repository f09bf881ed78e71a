import type { ImportLine, ThreadHead, ThreadImport } from "../thread-store.ts";
import { bytesOfId } from "../../model/frame.ts";
import { faultReason, importFault, piecesOf, type ThreadLine } from "../import-lines.ts";
import { atOf, findThread, nextNumber, saveHead, placeOfId } from "./rows.ts";
import type { Connection, Session } from "./connection.ts";
import { insertFrame, removeFrames, takeId } from "./append.ts";
import { replayJobs } from "./jobs.ts";

export async function importLines(
  connection: Connection,
  lines: AsyncIterable<ImportLine> | Iterable<ImportLine>,
): Promise<readonly ThreadImport[]> {
  const threads = new Map<string, Taken>();
  // Heads are written at the end, so new thread numbers are counted here.
  let next: number | undefined;
  const begin = (session: Session, thread_id: string): Taken => {
    next ??= nextNumber(session);
    const { number = next++, head } = findThread(session, thread_id) ?? {};
    const taken: Taken = { thread_id, number, before: head?.head_seq ?? -1, head, imported: 0, known: 0 };
    threads.set(thread_id, taken);
    return taken;
  };
  await connection.writePieces(piecesOf(lines), {
    take: (session, piece) => {
      for (const line of piece) takeLine(session, threads.get(line.thread_id) ?? begin(session, line.thread_id), line);
    },
    end: (session) => {
      for (const { head, number, before, imported, error } of threads.values()) {
        if (error !== undefined || imported === 0 || head === undefined) continue;
        saveHead(session, number, head);
        replayJobs(session, number, { from: before + 1, to: head.head_seq });
      }
    },
  });
  return [...threads.values()].map(({ thread_id, before, head, imported, known, error }) =>
    error === undefined
      ? { thread_id, imported, known, head_seq: head?.head_seq ?? before }
      : { thread_id, imported: 0, known, head_seq: before, error },
  );
}

interface Taken {
  readonly thread_id: string;
  readonly number: number;
  /** Head seq before the import. */
  readonly before: number;
  head: ThreadHead | undefined;
  imported: number;
  known: number;
  error?: NonNullable<ThreadImport["error"]>;
}

/** On a fault, removes what was imported of that thread and ignores its further lines. */
function takeLine(session: Session, taken: Taken, line: ThreadLine): void {
  const fault = taken.error === undefined ? faultOf(session, taken, line) : undefined;
  if (fault === undefined) return;
  taken.error = importFault(line, fault, faultReason(fault, line.frame, nextSeq(taken)));
  removeFrames(session, taken.number, taken.before);
}

/** Imports a line; returns the error code if it cannot be imported. */
function faultOf(
  session: Session,
  taken: Taken,
  { frame, text }: ThreadLine,
): NonNullable<Taken["error"]>["code"] | undefined {
  if (typeof frame === "string") return "invalid_frame";
  const { id, seq } = frame;
  const next = nextSeq(taken);
  const at = atOf(taken.number, seq);
  if (seq < next) {
    const row = session.statement("SELECT line FROM frame WHERE at = ?").get(at) as
      | { readonly line: string }
      | undefined;
    if (row?.line !== text) return "frame_conflict";
    taken.known += 1;
    return undefined;
  }
  const bytes = bytesOfId(id);
  const isFree = seq === next ? takeId(session, bytes, at) : placeOfId(session, id) === undefined;
  if (!isFree) return "frame_conflict";
  if (seq > next) return "seq_gap";
  taken.head = insertFrame(session, { ...taken, id: bytes }, frame, text);
  taken.imported += 1;
  return undefined;
}

function nextSeq({ head }: Taken): number {
  return (head?.head_seq ?? -1) + 1;
}
