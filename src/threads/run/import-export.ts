import { setTimeout as sleep } from "node:timers/promises";
import { MemoryError } from "../../base/errors.ts";
import type { ImportLine } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call, InputFile } from "../../base/operation.ts";
import type { ImportInput, EventsInput } from "./inputs.ts";
import type { ThreadImportResult } from "./results.ts";
import { threadHead } from "./threads.ts";
import { framesIn } from "./raw-reader.ts";
import { parseObject } from "../../base/json.ts";
import { LONGEST_LINE } from "../model/frame.ts";

/**
 * Imports the frames in a file into the threads they name, byte for byte. Errors in one thread appear in that thread's report. Errors after which
 * nothing is imported: `invalid_frame` for a line that names no thread, and file errors.
 */
export async function importFrames(
  memory: ThreadMemory,
  { file }: ImportInput,
  call: Call = {},
): Promise<ThreadImportResult> {
  memory.onWork?.();
  let torn_line: number | null = null;
  const lines = frameLines(file, call, (line) => (torn_line = line));
  const reports = await memory.threads.import(lines);
  const threads = reports.map(({ error = null, ...report }) => ({ ...report, error }));
  const message = `the last line of ${file.name} is not a complete JSON object and was skipped`;
  return {
    threads,
    imported: threads.reduce((sum, { imported }) => sum + imported, 0),
    known: threads.reduce((sum, { known }) => sum + known, 0),
    torn_line,
    warnings: torn_line === null ? [] : [{ code: "torn_line", message, line: torn_line }],
  };
}

/** Above this many frames, limiting the heap takes less time than reading them. */
const LONG = 20_000;
/** Polling interval for new frames, in milliseconds. */
const PAUSE_MS = 50;

/**
 * The stored lines of a thread from a seq (default: the first) up to the head at the time of the call. With `follow`, also lines appended later,
 * until the signal aborts. With `limit`, at most so many. Errors: `invalid_thread_id`, `thread_not_found`.
 */
export async function readEvents(
  memory: ThreadMemory,
  { follow, from_seq = 0, limit = Infinity, ...input }: EventsInput,
  { signal }: Call = {},
): Promise<AsyncIterable<string>> {
  const { thread_id, head_seq } = await threadHead(memory, input.thread_id);
  // Seqs have no gaps.
  const last = from_seq + limit - 1;
  if (follow !== true && Math.min(head_seq, last) - from_seq > LONG) memory.onWork?.();
  return follow === true ? followed() : lines(from_seq, Math.min(head_seq, last));

  async function* lines(from: number, to_seq: number): AsyncGenerator<string, number, void> {
    let next = from;
    for await (const { line, seq } of framesIn(memory.threads, { thread_id, from_seq: from, to_seq }, async () => {})) {
      yield line;
      next = seq + 1;
      if (signal?.aborted === true) break;
    }
    return next;
  }

  async function* followed(): AsyncGenerator<string, void, void> {
    for (let next = from_seq; signal?.aborted !== true;) {
      next = yield* lines(next, last);
      if (next > last) return;
      // An abort only ends the pause.
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

const PROGRESS_EVERY = 1_000;

/**
 * The non-blank lines in a file, without LF, read on demand. Only the last line may be torn, since a writer's crash cannot tear any other. If it is
 * not a complete JSON object, it is skipped and its number passed to `onTorn`. Errors: `invalid_frame` with the line, `aborted`, file errors.
 */
export async function* frameLines(
  file: InputFile,
  { signal, progress }: Call,
  onTorn: (line: number) => void,
): AsyncGenerator<ImportLine, void, void> {
  const refusal = (line: number, fault: string): MemoryError => {
    const sentence = `Line ${line} of ${file.name} ${fault}; nothing was imported.`;
    return new MemoryError("invalid_frame", sentence, { file: file.name, line });
  };
  let done = 0;
  const step = (): void => {
    if (done % PROGRESS_EVERY === 0) progress?.({ phase: "import", done, total: 0 });
    done += 1;
    if (signal?.aborted !== true) return;
    throw new MemoryError("aborted", "Stopped before the end of the file; nothing was imported.");
  };
  let before: DecodedLine | undefined;
  for await (const part of decodedLines(file, signal, refusal))
    for (const line of part) {
      if (line.text !== undefined && /^[ \t\r]*$/.test(line.text)) continue;
      if (before !== undefined) {
        step();
        if (before.text === undefined) throw refusal(before.number, "is not UTF-8");
        yield { number: before.number, text: before.text };
      }
      before = line;
    }
  // A file cut short by an abort is incomplete.
  step();
  if (before === undefined) return;
  const { number, text } = before;
  if (text === undefined || parseObject(text) === undefined) onTorn(number);
  else yield { number, text };
}

export interface DecodedLine {
  /** 1-based. */
  readonly number: number;
  /** Without LF, and without a byte order mark at the start of the file; `undefined` if it is not UTF-8. */
  readonly text: string | undefined;
}

const LF = 10;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Splits a file into lines at LF while reading, with one chunk and one line in RAM: the lines that end in each chunk, decoded as they are taken. `refusal`
 * makes the error for a line that is longer than any frame.
 */
export async function* decodedLines(
  file: InputFile,
  signal: AbortSignal | undefined,
  refusal: (number: number, fault: string) => MemoryError,
): AsyncGenerator<Iterable<DecodedLine>, void, void> {
  let pending: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  const take = (part: Uint8Array): DecodedLine => {
    const bytes = pending.length === 0 ? part : Buffer.concat([...pending, part]);
    pending = [];
    size = 0;
    try {
      const text = decoder.decode(bytes);
      return { number, text: number === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text };
    } catch {
      return { number, text: undefined };
    }
  };
  const endingIn = function* (chunk: Uint8Array): Generator<DecodedLine, void, void> {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      yield take(chunk.subarray(from, end));
      number += 1;
      from = end + 1;
    }
    if (from === chunk.length) return;
    pending.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > LONGEST_LINE) throw refusal(number, `is longer than ${LONGEST_LINE} bytes, the limit for a frame`);
  };
  for await (const chunk of file.chunks(signal)) yield endingIn(chunk);
  if (size > 0) yield [take(new Uint8Array(0))];
}
