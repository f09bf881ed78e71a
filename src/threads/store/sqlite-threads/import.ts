import { MemoryError } from "../../../base/errors.ts";
import type { ImportLine, ThreadHead, ThreadImport } from "../thread-store.ts";
import { bytesOfId, isFrame, isThreadId, parseFrame, type Frame } from "../../model/frame.ts";
import { atOf, findThread, nextNumber, saveHead, placeOfId } from "./rows.ts";
import type { Connection, Session } from "./connection.ts";
import { insertFrame, removeFrames, takeId } from "./append.ts";
import { replayJobs } from "./jobs.ts";

/** Lines are taken in pieces, so a short or failing source never locks the store; pieces are small because each is in RAM. */
const PIECE_LINES = 500;
const PIECE_CHARACTERS = 1 << 20;

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

interface Line extends ImportLine {
  readonly thread_id: string;
  /** A string explains why the line is not a frame. */
  readonly frame: Frame | string;
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

async function* piecesOf(lines: AsyncIterable<ImportLine> | Iterable<ImportLine>): AsyncGenerator<readonly Line[]> {
  let piece: Line[] = [];
  let characters = 0;
  for await (const line of lines) {
    piece.push(lineOf(line));
    characters += line.text.length;
    if (piece.length < PIECE_LINES && characters < PIECE_CHARACTERS) continue;
    yield piece;
    piece = [];
    characters = 0;
  }
  if (piece.length > 0) yield piece;
}

/** Errors: `invalid_frame` if the line's thread cannot be determined. */
function lineOf({ number, text }: ImportLine): Line {
  const parsed = parseFrame(text);
  if (isFrame(parsed)) return { number, text, thread_id: parsed.thread_id, frame: parsed };
  const id: unknown = parsed.kind === "torn" ? undefined : JSON.parse(text).session_id;
  if (typeof id === "string" && isThreadId(id)) return { number, text, thread_id: id, frame: parsed.reason };
  const sentence = `Line ${number} is not a frame: ${parsed.reason}. Nothing was imported; correct or remove the line, then import again.`;
  throw new MemoryError("invalid_frame", sentence, { line: number });
}

/** On a fault, removes what was imported of that thread and ignores its further lines. */
function takeLine(session: Session, taken: Taken, line: Line): void {
  const fault = taken.error === undefined ? faultOf(session, taken, line) : undefined;
  if (fault === undefined) return;
  const [code, reason] = fault;
  const message = `Line ${line.number}: ${reason}. Nothing from thread ${taken.thread_id} was imported.`;
  taken.error = { code, message, line: line.number };
  removeFrames(session, taken.number, taken.before);
}

/** Imports a line; returns the error code and reason if it cannot be imported. */
function faultOf(
  session: Session,
  taken: Taken,
  { frame, text }: Line,
): readonly [NonNullable<Taken["error"]>["code"], string] | undefined {
  if (typeof frame === "string") return ["invalid_frame", `it is not a frame: ${frame}`];
  const { id, seq } = frame;
  const next = (taken.head?.head_seq ?? -1) + 1;
  const at = atOf(taken.number, seq);
  if (seq < next) {
    const row = session.statement("SELECT line FROM frame WHERE at = ?").get(at) as
      | { readonly line: string }
      | undefined;
    if (row?.line !== text) return ["frame_conflict", `seq ${seq} already exists with different bytes`];
    taken.known += 1;
    return undefined;
  }
  const bytes = bytesOfId(id);
  const isFree = seq === next ? takeId(session, bytes, at) : placeOfId(session, id) === undefined;
  if (!isFree) return ["frame_conflict", `the id ${id} belongs to another frame`];
  if (seq > next) return ["seq_gap", `it has seq ${seq}, but the next seq must be ${next}`];
  taken.head = insertFrame(session, { ...taken, id: bytes }, frame, text);
  taken.imported += 1;
  return undefined;
}
