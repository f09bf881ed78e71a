import { sha256 } from "../../base/digest.ts";
import type { Files } from "../../platform/files.ts";
import type { BytesMark, ShorteningStep } from "../model/moved-format.ts";
import { digestOfFirst } from "../logs/line-reads.ts";

/**
 * The steps that have happened to a note: without the last ones whose `before` it still begins with (docs/formats/audit.md, "Shortened notes", rule 1).
 * `beginsWith` looks at the note, in memory or on the disk.
 */
export async function stepsInForce(
  steps: readonly ShorteningStep[],
  beginsWith: (mark: BytesMark) => boolean | Promise<boolean>,
): Promise<readonly ShorteningStep[]> {
  let count = steps.length;
  for (let last = steps[count - 1]; last !== undefined; last = steps[count - 1]) {
    if (!(await beginsWith(last.before))) break;
    count -= 1;
  }
  return steps.slice(0, count);
}

/** Whether bytes begin with those that a mark is of. */
export function bytesBeginWith(bytes: Uint8Array, mark: BytesMark): boolean {
  return bytes.length >= mark.bytes && sha256(bytes.subarray(0, mark.bytes)) === mark.sha256;
}

/** The same of a file, in bounded memory. `size`: as listed; nothing is read of one that is too short. */
export async function fileBeginsWith(
  files: Files,
  file: { readonly path: string; readonly size: number },
  mark: BytesMark,
): Promise<boolean> {
  return file.size >= mark.bytes && (await digestOfFirst(files, file.path, mark.bytes)) === mark.sha256;
}
