import { ifMemoryError } from "../../base/errors.ts";
import type { FileStamp, Files } from "../../platform/files.ts";
import { movedPath } from "../model/period.ts";
import type { LogLayout } from "./log-layout.ts";
import type { TreeMemory } from "../memory.ts";

/**
 * The memory as the tree reads it: shortened logs are whole again (docs/formats/audit.md, "Shortened notes"). The same memory when none was shortened;
 * finding that out costs one read. Call it when the work begins and again inside a lock, since an audit may have come between.
 *
 * `files.list("memory")` gives the sizes of the whole logs, `files.read` their bytes; `append` and `commit` change the notes as they are. The stamp of
 * a log that was shortened also says what it is put together from. Reading it fails with `archive_damaged` while a part is missing or is not as
 * recorded, or while it is unknown what the note was.
 */
export async function withLogicalLogs<Seen extends TreeMemory>(memory: Seen): Promise<Seen> {
  const files = realFilesOf(memory.files);
  if (files === memory.files && !(await mayHaveRecord(files))) return memory;
  // Loaded late: in most folders nothing was ever shortened.
  return (await import("./logical-files.ts")).presentLogs(memory, files);
}

/** Also when that cannot be found out. */
async function mayHaveRecord(files: Files): Promise<boolean> {
  return (await files.read(movedPath, { from: 0, to: 0 }).catch(ifMemoryError(() => true))) !== undefined;
}

export interface WholeLogs extends Files {
  readonly real: Files;
  layout(path: string): Promise<LogLayout | undefined>;
}

function isWholeLogs(files: Files): files is WholeLogs {
  return "real" in files;
}

export function realFilesOf(files: Files): Files {
  return isWholeLogs(files) ? files.real : files;
}

/** The layout of a log that `withLogicalLogs` presents; `undefined` for every other file. Errors: those of reading it. */
export async function layoutOf(files: Files, path: string): Promise<LogLayout | undefined> {
  return isWholeLogs(files) ? files.layout(path) : undefined;
}

export function stampOfNote(stamp: FileStamp): FileStamp {
  const mark = stamp.indexOf(stampMark);
  return mark < 0 ? stamp : stamp.slice(0, mark);
}

/** Stands between the stamp of a note and what says of which parts its log is put together. */
export const stampMark = " with ";
