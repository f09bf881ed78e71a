import type { MemoryError } from "../../base/errors.ts";
import { LONGEST_LINE } from "../model/frame-format.ts";
import type { InputFile } from "../../base/operation.ts";

export interface ByteLine {
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
