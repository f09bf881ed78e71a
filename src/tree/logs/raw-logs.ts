import { MemoryError } from "../../base/errors.ts";
import type { FileBytes, Files, FileStamp } from "../../platform/files.ts";
import { createRawScan, windowBytes, type RawScanEnd, type RawWindow } from "../model/raw-scan.ts";

/**
 * Reads a raw log from beginning to end in pieces of bounded size and hands on its windows. `upTo`: only the first bytes. `grouping`: of its
 * sections, instead of the one that follows from their number. `undefined` when there is no such file; `changed_by_other` when it changed while it was read.
 */
export async function scanLog(
  files: Files,
  path: string,
  options: {
    readonly marks?: readonly number[];
    readonly upTo?: number;
    readonly grouping?: number;
    readonly onWindow?: (window: RawWindow) => void;
  } = {},
): Promise<LogScan | undefined> {
  const scan = createRawScan(path, options.marks ?? []);
  let stamp: string | undefined;
  for await (const read of readPieces(files, path, options.upTo)) {
    if (read === undefined) return undefined;
    stamp ??= read.stamp;
    if (read.stamp !== stamp && options.upTo === undefined) throw changedMeanwhile(path);
    for (const window of scan.push(read.bytes)) options.onWindow?.(window);
  }
  const end = scan.end(options.grouping);
  for (const window of end.windows) options.onWindow?.(window);
  return { ...end, stamp: stamp ?? "" };
}

/** The bytes of a file from the beginning to the end, or its first `upTo`, a piece of 1 MiB at a time; `undefined` when it is not there. */
export async function* readPieces(
  files: Files,
  path: string,
  upTo: number = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<FileBytes | undefined> {
  for (let from = 0; ; from += windowBytes) {
    const to = Math.min(from + windowBytes, upTo);
    const read = await files.read(path, { from, to });
    yield read;
    if (read === undefined || to >= Math.min(read.size, upTo)) return;
  }
}

/** A log as read, with the stamp of the file that was read. */
export interface LogScan extends RawScanEnd {
  readonly stamp: FileStamp;
}

function changedMeanwhile(path: string): MemoryError {
  return new MemoryError("changed_by_other", `${path} changed while it was read: it is taken in by the next run.`, {
    path,
  });
}

/** Whether a file holds nothing but white space; reads no more than it must. */
export async function isBlankFile(files: Files, path: string, size: number): Promise<boolean> {
  const head = await files.read(path, { from: 0, to: Math.min(size, 4096) });
  if (head === undefined) return true;
  if (!head.bytes.every(isWhite)) return false;
  return size <= 4096 || (await scanLog(files, path))?.content === "blank";
}

function isWhite(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13) || byte === 0xef || byte === 0xbb || byte === 0xbf;
}
