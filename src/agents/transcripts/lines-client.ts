import { sha256 } from "../../base/digest.ts";
import { basename } from "node:path";
import type {
  ReadOptions,
  SessionFacts,
  TranscriptItem,
  TranscriptQuery,
  TranscriptSource,
  TranscriptPosition,
} from "./transcripts.ts";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import { faultyRow, jsonIn, longestRow, type ClientReader, type Fields } from "./client-reader.ts";
import { absolute, fileAt, filesBelow, isWithin, kindAt, openRegular, type FoundFile, type Home } from "./places.ts";
import { pushAll } from "../../base/lists.ts";
import type { FileHandle } from "node:fs/promises";

/** What is special of a client that writes a JSON lines file for each session. */
export interface LinesFormat {
  readonly client: TranscriptSource["client"];
  /** The folders that its transcripts lie below; of one project where the client sorts them so. */
  roots(home: Home, project: string | undefined): Promise<readonly string[]>;
  /** Whether a file is a transcript of a session, by its path below a root. */
  isTranscript(path: string): boolean;
  /** What the first rows and the path say of the session; no `id`: they are of no session. */
  headOf(rows: readonly Fields[], path: string): Head;
  /** The items of a row. `from` is its offset: an id for rows that have none. */
  items(row: Fields, from: number): Iterable<TranscriptItem>;
}

export interface Head extends Omit<SessionFacts, "id"> {
  readonly id: string | undefined;
  /** `inner`: of an agent inside the agent. */
  readonly agent?: "inner";
  /** For a client that does not name its folder, but lets us check whether it is this one. */
  isOf?(folder: string): boolean;
}

export function createLinesClient(home: Home, format: LinesFormat): ClientReader {
  return {
    find: (query) => findFiles(home, format, query),
    read: (source, options) => readFile(format, source, options),
  };
}

async function findFiles(
  home: Home,
  format: LinesFormat,
  query: TranscriptQuery,
): Promise<readonly TranscriptSource[]> {
  const { path, folder, session, most = Number.POSITIVE_INFINITY, signal } = query;
  if (path !== undefined && (await kindAt(path)) === "file") return [await namedFile(format, absolute(path))];
  const roots = path === undefined ? await format.roots(home, folder) : [absolute(path)];
  const files: FoundFile[] = [];
  for (const root of roots)
    pushAll(
      files,
      await filesBelow(root, (below) => format.isTranscript(path === undefined ? below : basename(below))),
    );
  const sources: TranscriptSource[] = [];
  for (const file of files.toSorted((a, b) => b.changed_at_ms - a.changed_at_ms)) {
    if (sources.length >= most) break;
    signal?.throwIfAborted();
    const head = await headOf(format, file.path).catch(passOver);
    if (head?.id === undefined || head.agent === "inner") continue;
    if (session !== undefined && head.id !== session) continue;
    if (folder !== undefined && !(head.isOf?.(folder) ?? isWithin(head.folder, folder))) continue;
    sources.push({ client: format.client, path: file.path, session: head.id, changed_at_ms: file.changed_at_ms });
  }
  return sources;
}

/** What cannot be read below a folder, or is gone by now: it is a person's home. */
function passOver(error: unknown): undefined {
  if (error instanceof MemoryError || (error instanceof Error && "syscall" in error)) return undefined;
  throw error;
}

async function namedFile(format: LinesFormat, path: string): Promise<TranscriptSource> {
  const { id } = await headOf(format, path);
  if (id === undefined) {
    const message = `${shown(path, 400)} is no transcript of ${format.client}: its first rows do not say which session it is.`;
    throw new MemoryError("invalid_body", message, { path: shown(path, 400) });
  }
  return { client: format.client, path, session: id, changed_at_ms: (await fileAt(path))?.changed_at_ms ?? 0 };
}

/** Enough for the first rows; and for a first row that holds long instructions, or a long text. */
const headBytes = [256 * 1024, 4 * 1024 * 1024];

async function headOf(format: LinesFormat, path: string): Promise<Head> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    let head: Head | undefined;
    for (const [step, bytes] of headBytes.entries()) {
      if (step > 0 && (size <= (headBytes[step - 1] ?? 0) || head?.started_at_ms !== undefined)) break;
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(bytes, size)), 0, Math.min(bytes, size), 0);
      head = format.headOf(rowsIn(buffer.toString("utf8", 0, bytesRead)), path);
    }
    return head ?? format.headOf([], path);
  } finally {
    await file.close();
  }
}

function rowsIn(text: string): readonly Fields[] {
  return text
    .replace(/^\uFEFF/u, "")
    .split("\n")
    .slice(0, -1)
    .map(jsonIn)
    .filter((row) => row !== undefined);
}

async function* readFile(
  format: LinesFormat,
  source: TranscriptSource,
  options: ReadOptions,
): AsyncGenerator<TranscriptItem, void, void> {
  const { id = source.session ?? "", started_at_ms, folder, title } = await headOf(format, source.path);
  for await (const line of readJsonLines(source.path, options)) {
    if (line.kind === "row") yield* format.items(line.value, line.from);
    else yield line;
    if (line.kind === "begin") yield { kind: "session", session: { id, started_at_ms, folder, title } };
  }
}

const chunkBytes = 256 * 1024;
const checkedBytes = 1024;

/** An object in a line, and the offset of its first byte; or what there is to say besides. */
type JsonLine = { readonly kind: "row"; readonly value: Fields; readonly from: number } | TranscriptItem;

/**
 * The rows of a JSON lines file, in bounded memory. A last line without a line end is waited for: it is not given, and no position is after it.
 * `from` of a row is the offset of its first byte.
 */
async function* readJsonLines(path: string, options: ReadOptions): AsyncGenerator<JsonLine, void, void> {
  const file = await openRegular(path);
  try {
    const from = await startOf(file, options.from);
    yield { kind: "begin", at: from === 0 ? "start" : "cursor" };
    yield* linesFrom(file, from, options.signal);
  } finally {
    await file.close();
  }
}

/** The offset to read on from: that of the position, if the bytes before it are unchanged. */
async function startOf(file: FileHandle, from: TranscriptPosition | undefined): Promise<number> {
  if (from === undefined || from.at <= 0 || !Number.isSafeInteger(from.at)) return 0;
  const tail = Buffer.alloc(Math.min(checkedBytes, from.at));
  const { bytesRead } = await file.read(tail, 0, tail.length, from.at - tail.length);
  return bytesRead === tail.length && sha256(tail) === from.check ? from.at : 0;
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
  return sha256(tail);
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
    return line === undefined ? faultyRow("long", `byte ${from}`) : lineOf(line.toString("utf8"), from);
  }
}

function lineOf(line: string, from: number): JsonLine | undefined {
  const text = (from === 0 ? line.replace(/^\uFEFF/u, "") : line).trim();
  if (text === "") return undefined;
  const value = jsonIn(text);
  return value === undefined ? faultyRow("torn", `byte ${from}`) : { kind: "row", value, from };
}
