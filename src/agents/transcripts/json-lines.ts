import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { constants } from "node:fs";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { ReadOptions, TranscriptPosition } from "./transcripts.ts";

/** A longer row is a fault: nothing that a person or a model says is so long. */
export const longestRow = 16 * 1024 * 1024;
const chunkBytes = 256 * 1024;
const checkedBytes = 1024;

export type JsonLine =
  | { readonly kind: "begin"; readonly at: "start" | "cursor" }
  | { readonly kind: "row"; readonly value: Readonly<Record<string, unknown>>; readonly from: number }
  | { readonly kind: "torn"; readonly from: number }
  | { readonly kind: "long"; readonly from: number }
  | { readonly kind: "position"; readonly position: TranscriptPosition };

/**
 * The rows of a JSON lines file, in bounded memory. A last line without a line end is waited for: it is not given, and no position stands behind it.
 * `from` of a row is the offset of its first byte.
 */
export async function* readJsonLines(path: string, options: ReadOptions): AsyncGenerator<JsonLine, void, void> {
  const file = await openRegular(path);
  try {
    const from = await startOf(file, options.from);
    yield { kind: "begin", at: from === 0 ? "start" : "cursor" };
    yield* linesFrom(file, from, options.signal);
  } finally {
    await file.close();
  }
}

/** Opens a regular file for reading, and nothing that could block. Errors: `not_found`, `not_a_file`, `io`. */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    const code = error.code === "ENOENT" ? "not_found" : "io";
    throw new MemoryError(code, `The transcript ${shown(path)} cannot be opened (${error.code ?? "unknown"}).`, {
      path: shown(path),
    });
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new MemoryError("not_a_file", `${shown(path)} is no regular file, so it is no transcript.`, {
    path: shown(path),
  });
}

/** The offset to read on from: that of the position when what stands before it is what stood there. */
async function startOf(file: FileHandle, from: TranscriptPosition | undefined): Promise<number> {
  if (from === undefined || from.at <= 0 || !Number.isSafeInteger(from.at)) return 0;
  const tail = Buffer.alloc(Math.min(checkedBytes, from.at));
  const { bytesRead } = await file.read(tail, 0, tail.length, from.at - tail.length);
  return bytesRead === tail.length && digestOf(tail) === from.check ? from.at : 0;
}

async function* linesFrom(
  file: FileHandle,
  start: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<JsonLine, void, void> {
  const rest = new PendingLine(start);
  // One for all: of many, more would be held than is used.
  const room = Buffer.alloc(chunkBytes);
  for (let at = start; ;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(room, 0, chunkBytes, at);
    if (bytesRead === 0) break;
    const chunk = room.subarray(0, bytesRead);
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = rest.take(chunk.subarray(from, end), at + end + 1);
      if (line !== undefined) yield line;
      from = end + 1;
    }
    rest.add(chunk.subarray(from));
    at += bytesRead;
    yield { kind: "position", position: { at: rest.from, check: await digestBefore(file, rest.from) } };
  }
}

async function digestBefore(file: FileHandle, at: number): Promise<string> {
  const tail = Buffer.alloc(Math.min(checkedBytes, at));
  await file.read(tail, 0, tail.length, at - tail.length);
  return digestOf(tail);
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The beginning of a line whose end has not come. */
class PendingLine {
  /** The offset of its first byte. */
  from: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(from: number) {
    this.from = from;
  }

  /** Keeps a copy. */
  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > longestRow) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(Buffer.from(piece));
  }

  /** The line that ends with this piece; `undefined` when it is blank. */
  take(piece: Buffer, next: number): JsonLine | undefined {
    const from = this.from;
    const bytes = this.#bytes + piece.length;
    const line =
      bytes > longestRow ? undefined : this.#pieces.length === 0 ? piece : Buffer.concat([...this.#pieces, piece]);
    this.from = next;
    this.#pieces = [];
    this.#bytes = 0;
    return line === undefined ? { kind: "long", from } : parsed(line.toString("utf8"), from);
  }
}

function parsed(line: string, from: number): JsonLine | undefined {
  const text = (from === 0 ? line.replace(/^\uFEFF/u, "") : line).trim();
  if (text === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { kind: "row", value: value as Readonly<Record<string, unknown>>, from };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { kind: "torn", from };
}
