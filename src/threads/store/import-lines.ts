import { MemoryError } from "../../base/errors.ts";
import { isFrame, isThreadId, parseFrame, type Frame } from "../model/frame.ts";
import type { ImportLine, ThreadImport } from "./thread-store.ts";

/** Lines are taken in pieces, so a short or failing source never locks the store; pieces are small because each is in RAM. */
const PIECE_LINES = 500;
const PIECE_CHARACTERS = 1 << 20;

/** A line of an import whose thread is known. */
export interface ThreadLine extends ImportLine {
  readonly thread_id: string;
  /** A string explains why the line is not a frame. */
  readonly frame: Frame | string;
}

type FaultCode = NonNullable<ThreadImport["error"]>["code"];

/** Errors: any from the source, and `invalid_frame` for a line that names no thread. */
export async function* piecesOf(
  lines: AsyncIterable<ImportLine> | Iterable<ImportLine>,
): AsyncGenerator<readonly ThreadLine[]> {
  let piece: ThreadLine[] = [];
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

function lineOf({ number, text }: ImportLine): ThreadLine {
  const parsed = parseFrame(text);
  if (isFrame(parsed)) return { number, text, thread_id: parsed.thread_id, frame: parsed };
  const id: unknown = parsed.kind === "torn" ? undefined : JSON.parse(text).session_id;
  if (typeof id === "string" && isThreadId(id)) return { number, text, thread_id: id, frame: parsed.reason };
  const sentence = `Line ${number} is not a frame: ${parsed.reason}. Nothing was imported; correct or remove the line, then import again.`;
  throw new MemoryError("invalid_frame", sentence, { line: number });
}

/** Why a line, and so its thread, cannot be imported. `next`: the seq that would follow. */
export function faultReason(code: FaultCode, frame: Frame | string, next: number): string {
  if (typeof frame === "string") return `it is not a frame: ${frame}`;
  if (code === "seq_gap") return `it has seq ${frame.seq}, but the next seq must be ${next}`;
  if (frame.seq < next) return `seq ${frame.seq} already exists with different bytes`;
  return `the id ${frame.id} belongs to another frame`;
}

export function importFault(
  { number, thread_id }: Pick<ThreadLine, "number" | "thread_id">,
  code: FaultCode,
  reason: string,
): NonNullable<ThreadImport["error"]> {
  const message = `Line ${number}: ${reason}. Nothing from thread ${thread_id} was imported.`;
  return { code, message, line: number };
}
