import { MemoryError } from "../../base/errors.ts";
import type { ImportLine, ThreadStore } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call, InputFile } from "../../base/operation.ts";
import type { ImportInput, EventsInput, ThreadInput } from "./inputs.ts";
import type { ThreadImportResult } from "./results.ts";
import { threadHead } from "./threads.ts";
import { LONGEST_LINE, isRecord } from "../model/frame.ts";

/**
 * Takes the frames of a file into the threads that they name, byte for byte. What is wrong with a thread is in its report. Errors: `invalid_frame` for a
 * line of which it is not known whose it is; those of the file. Then nothing is imported.
 */
export async function importFrames(
  memory: ThreadMemory,
  input: ImportInput,
  call: Call = {},
): Promise<ThreadImportResult> {
  memory.onWork?.();
  const source = frameLines(input.file, call.signal);
  const reports = await memory.threads.import(watched(source.lines, call));
  const threads = reports.map(({ error, ...report }) => ({ ...report, error: error ?? null }));
  const torn_line = source.torn() ?? null;
  return {
    threads,
    imported: sumOf(threads.map(({ imported }) => imported)),
    known: sumOf(threads.map(({ known }) => known)),
    torn_line,
    warnings: torn_line === null ? [] : [tornWarning(input.file.name, torn_line)],
  };
}

const TOLD_EVERY = 1_000;

/** Tells how far it is, and ends with `aborted` when the signal says so: nothing of the file is imported then. */
async function* watched(
  lines: AsyncIterable<ImportLine>,
  { signal, progress }: Call,
): AsyncGenerator<ImportLine, void, void> {
  let done = 0;
  for await (const line of lines) {
    if (done % TOLD_EVERY === 0) progress?.({ phase: "import", done, total: 0 });
    if (signal?.aborted === true) throw stopped();
    done += 1;
    yield line;
  }
  // A source that ends because of the signal is not a file that ended.
  if (signal?.aborted === true) throw stopped();
}

function stopped(): MemoryError {
  return new MemoryError("aborted", "Stopped before the end of the file; nothing of it was imported.");
}

function tornWarning(file: string, line: number): ThreadImportResult["warnings"][number] {
  const message = `the last line of ${file} is not a complete JSON object and was left out`;
  return { code: "torn_line", message, line };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Frames that are read at once. */
const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;
/** From here on an export lasts longer than it takes to bound the heap. */
const LONG = 20_000;

/** The lines of a thread up to its head when it was asked, as they came. Errors: `invalid_thread_id`, `thread_not_found`. */
export async function exportFrames(
  memory: ThreadMemory,
  input: ThreadInput,
  call: Call = {},
): Promise<AsyncIterable<string>> {
  const head = await threadHead(memory, input.thread_id);
  if (head.head_seq > LONG) memory.onWork?.();
  return pagesOf(memory.threads, { thread_id: head.thread_id, from_seq: 0, to_seq: head.head_seq }, call.signal);
}

/** The lines from a seq on; with `follow` also those that are appended later, until the signal aborts. Errors: as `exportFrames`. */
export async function readEvents(
  memory: ThreadMemory,
  input: EventsInput,
  call: Call = {},
): Promise<AsyncIterable<string>> {
  const head = await threadHead(memory, input.thread_id);
  const range = { thread_id: head.thread_id, from_seq: input.from_seq ?? 0 };
  if (input.follow === true) return followed(memory.threads, range, call.signal);
  return pagesOf(memory.threads, { ...range, to_seq: head.head_seq }, call.signal);
}

interface Range {
  readonly thread_id: string;
  readonly from_seq: number;
  readonly to_seq?: number;
}

/** Returns the seq after the last line. */
async function* pagesOf(
  threads: ThreadStore,
  range: Range,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, number, void> {
  let next = range.from_seq;
  while (next <= (range.to_seq ?? Infinity)) {
    const page = await threads.frames({ ...range, from_seq: next, limit: PAGE, most_bytes: PAGE_BYTES });
    for (const { line, seq } of page) {
      yield line;
      next = seq + 1;
    }
    if (page.length === 0 || signal?.aborted === true) break;
  }
  return next;
}

async function* followed(
  threads: ThreadStore,
  range: Range,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, void> {
  // When the reader stops, the wait ends too.
  const ended = new AbortController();
  const stop = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  let from_seq = range.from_seq;
  try {
    while (!stop.aborted) {
      // Asked for before reading, so that nothing falls between the two.
      const changed = threads.changed(stop);
      from_seq = yield* pagesOf(threads, { ...range, from_seq }, stop);
      await changed;
    }
  } finally {
    ended.abort();
  }
}

interface FrameLines {
  /** Each line that is not blank, without LF. Errors: `invalid_frame` with the line; those of the file. */
  readonly lines: AsyncIterable<ImportLine>;
  /** After the last line: the number of one that was fenced off, since it is not a complete JSON object. */
  torn(): number | undefined;
}

/** Splits a file into lines by LF as it comes; what it holds at once is a chunk and a line. */
export function frameLines(file: InputFile, signal?: AbortSignal): FrameLines {
  const state: { torn?: number } = {};
  return { lines: linesOf(file, signal, state), torn: () => state.torn };
}

async function* linesOf(
  file: InputFile,
  signal: AbortSignal | undefined,
  state: { torn?: number },
): AsyncGenerator<ImportLine, void, void> {
  let held: ByteLine | undefined;
  const tooLong = (number: number): MemoryError =>
    refusal(file, number, `is longer than ${LONGEST_LINE} bytes, which no frame is`);
  for await (const line of byteLines(file, signal, tooLong)) {
    if (isBlank(line.bytes)) continue;
    if (held !== undefined) yield { number: held.number, text: textOf(held, file) };
    held = line;
  }
  if (held === undefined) return;
  // Only the last line may be torn: a crash of its writer leaves no other so.
  const text = wholeObject(held);
  if (text === undefined) state.torn = held.number;
  else yield { number: held.number, text };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}

function textOf({ bytes, number }: ByteLine, file: InputFile): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw refusal(file, number, "is not UTF-8");
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function wholeObject({ bytes }: ByteLine): string | undefined {
  try {
    const text = decoder.decode(bytes);
    return isRecord(JSON.parse(text)) ? text : undefined;
  } catch {
    return undefined;
  }
}

function refusal({ name }: InputFile, line: number, fault: string): MemoryError {
  const sentence = `Line ${line} of ${name} ${fault}; nothing of the file was imported.`;
  return new MemoryError("invalid_frame", sentence, { file: name, line });
}

interface ByteLine {
  /** 1-based. */
  readonly number: number;
  /** Without LF, and without a byte order mark at the start of the file. */
  readonly bytes: Uint8Array;
}

/** Splits a file into lines by LF as it comes; what it holds at once is a chunk and a line. `tooLong` makes the error for a line that is longer than any frame. */
export async function* byteLines(
  file: InputFile,
  signal: AbortSignal | undefined,
  tooLong: (number: number) => MemoryError,
): AsyncGenerator<ByteLine, void, void> {
  let pending: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  const take = (part: Uint8Array): ByteLine => {
    const bytes = pending.length === 0 ? part : Buffer.concat([...pending, part]);
    pending = [];
    size = 0;
    return { number, bytes: number === 1 ? withoutMark(bytes) : bytes };
  };
  for await (const chunk of file.chunks(signal)) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      yield take(chunk.subarray(from, end));
      number += 1;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    pending.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > LONGEST_LINE) throw tooLong(number);
  }
  if (size > 0) yield take(new Uint8Array(0));
}

const LF = 10;

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
