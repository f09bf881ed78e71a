import { MemoryError } from "../../base/errors.ts";
import type { ImportLine } from "../store/thread-store.ts";
import { LONGEST_LINE } from "../model/frame-format.ts";
import type { InputFile } from "../../base/operation.ts";
import { byteLines, type ByteLine } from "./byte-lines.ts";

export interface FrameLines {
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
