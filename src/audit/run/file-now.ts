import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileStamp } from "../../platform/files.ts";
import type { BytesMark, ShorteningStep } from "../../tree/model/moved-format.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import type { RecordedFile } from "./history-format.ts";
import { bytesBeginWith, stepsInForce } from "../../tree/logs/log-layout.ts";
import { isSameStep } from "./moved-steps.ts";

/** What a file of an entry is now. */
export type FileNow =
  | { readonly state: "before" }
  | { readonly state: "after"; readonly stamp: FileStamp; readonly more?: Appended }
  /** MEMORY.md, whose Compaction Root changes with every run. */
  | { readonly state: "perhaps"; readonly stamp: FileStamp; readonly bytes: Uint8Array }
  | { readonly state: "other"; readonly message: string };

/** What a note has got at its end since the audit. */
export interface Appended {
  readonly bytes: Uint8Array;
  /** What an earlier audit had left of the note. */
  readonly earlier: BytesMark | undefined;
}

/** Compares a file with what the audit found and left; `steps` are those of its record of shortened notes. Errors: `disk_full`. */
export async function fileNow(
  memory: TreeMemory,
  file: RecordedFile,
  steps: readonly ShorteningStep[] = [],
): Promise<FileNow> {
  const { path, before, after } = file;
  try {
    const read = await memory.files.read(path);
    if (read === undefined)
      return { state: "other", message: `${path} is gone since the audit, so it was not put back.` };
    const digest = sha256(read.bytes);
    if (digest === before.sha256) return { state: "before" };
    if (digest === after.sha256) return { state: "after", stamp: read.stamp };
    if (file.part === null) return { state: "perhaps", stamp: read.stamp, bytes: read.bytes };
    if (bytesBeginWith(read.bytes, before)) return { state: "before" };
    const more = await appendedTo(read.bytes, file, steps);
    if (more !== undefined) return { state: "after", stamp: read.stamp, more };
    return { state: "other", message: changedSince(path) };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code === "disk_full") throw error;
    return { state: "other", message: `${path} cannot be read, so it was left as it is: ${error.message}` };
  }
}

export function changedSince(path: string): string {
  return `${path} was changed since the audit, so it was left as it is.`;
}

async function appendedTo(
  now: Uint8Array,
  file: RecordedFile,
  steps: readonly ShorteningStep[],
): Promise<Appended | undefined> {
  const inForce = await stepsInForce(steps, (mark) => bytesBeginWith(now, mark));
  const [last, earlier] = inForce.toReversed();
  if (last === undefined || !isSameStep(file, last) || !bytesBeginWith(now, file.after)) return undefined;
  return { bytes: now.subarray(file.after.bytes), earlier: earlier?.after };
}

/**
 * The old bytes with what came since behind them, as the tree reads them: a line end stands between them. `undefined` when the note was edited between
 * two audits: its lines are told apart one by one, and more lines could change that.
 */
export function withAppended(old: Uint8Array, more: Appended | undefined): Uint8Array | undefined {
  if (more === undefined || more.bytes.length === 0) return old;
  if (more.earlier !== undefined && !bytesBeginWith(old, more.earlier)) return undefined;
  const [first, second] = more.bytes;
  const isApart = old.length === 0 || old.at(-1) === 10 || first === 10 || (first === 13 && second === 10);
  return Buffer.concat(isApart ? [old, more.bytes] : [old, Buffer.from("\n"), more.bytes]);
}
