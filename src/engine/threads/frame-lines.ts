import { MemoryError } from "../../base/errors.ts";
import type { ImportLine } from "../../ports/thread-store.ts";
import { LONGEST_LINE } from "../../thread/frame-format.ts";
import type { InputFile } from "../operation.ts";

export interface FrameLines {
  /** Each line that is not blank, without LF. Errors: `invalid_frame` with the line; those of the file. */
  readonly lines: AsyncIterable<ImportLine>;
  /** After the last line: the number of one that was fenced off, since it is no whole JSON object. */
  torn(): number | undefined;
}

/** Splits a file into lines by LF as it comes; what it holds at once is a chunk and a line. */
export function frameLines(file: InputFile, signal?: AbortSignal): FrameLines {
  const state: { torn?: number } = {};
  return { lines: linesOf(file, signal, state), torn: () => state.torn };
}

interface RawLine {
  readonly number: number;
  readonly bytes: Uint8Array;
}

async function* linesOf(
  file: InputFile,
  signal: AbortSignal | undefined,
  state: { torn?: number },
): AsyncGenerator<ImportLine, void, void> {
  let held: RawLine | undefined;
  for await (const line of rawLines(file, signal)) {
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

async function* rawLines(file: InputFile, signal: AbortSignal | undefined): AsyncGenerator<RawLine, void, void> {
  let pending: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  const take = (part: Uint8Array): RawLine => {
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
    if (size > LONGEST_LINE) throw refusal(file, number, `is longer than ${LONGEST_LINE} bytes, which no frame is`);
  }
  if (size > 0) yield take(new Uint8Array(0));
}

const LF = 10;

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}

function textOf({ bytes, number }: RawLine, file: InputFile): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw refusal(file, number, "is not UTF-8");
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function wholeObject({ bytes }: RawLine): string | undefined {
  try {
    const text = decoder.decode(bytes);
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? text : undefined;
  } catch {
    return undefined;
  }
}

function refusal({ name }: InputFile, line: number, fault: string): MemoryError {
  const sentence = `Line ${line} of ${name} ${fault}; nothing of the file was imported.`;
  return new MemoryError("invalid_frame", sentence, { file: name, line });
}
