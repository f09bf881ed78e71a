import { MemoryError, isInTheWay } from "../../base/errors.ts";
import type { FileStamp, Files } from "../../platform/files.ts";
import { type MovedLogs, dayOfPart, largestMoved, parseMovedFile } from "../model/moved-format.ts";
import { archiveFolder, memoryFolder, movedPath } from "../model/period.ts";

/** What is recorded of shortened logs, as it stands now. */
export interface MovedRecord {
  readonly logs: MovedLogs;
  /** Of the file; `undefined` when there is none. */
  readonly stamp: FileStamp | undefined;
  /** Why it cannot be read; then `logs` is empty. */
  readonly problem: MemoryError | undefined;
  /** With a problem: the logs that have parts in the archive, so that nobody knows what they were. */
  readonly unknown: ReadonlySet<string>;
}

const none: MovedRecord = { logs: new Map(), stamp: undefined, problem: undefined, unknown: new Set() };

/** Reads the record; what is wrong with it is in `problem`. `known`: what was read before, kept while the file has the same stamp. One read. */
export async function readMovedRecord(files: Files, known: MovedRecord = none): Promise<MovedRecord> {
  let stamp: FileStamp | undefined;
  try {
    const read = await files.read(movedPath, { from: 0, to: largestMoved });
    if (read === undefined) return none;
    stamp = read.stamp;
    if (stamp === known.stamp && known.problem === undefined) return known;
    return { ...none, stamp, logs: parseMovedFile(read) };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const unknown = await logsWithParts(files);
    return unknown === undefined ? none : { ...none, stamp: stamp ?? "", problem: error, unknown };
  }
}

/** `undefined` when there is no archive to look into: a file or a link stands in its place. */
async function logsWithParts(files: Files): Promise<ReadonlySet<string> | undefined> {
  const entries = await files.list(archiveFolder).catch((error: unknown) => {
    if (isInTheWay(error)) return undefined;
    throw error;
  });
  if (entries === undefined) return undefined;
  const days = entries.map(({ name }) => dayOfPart(`${archiveFolder}/${name}`));
  return new Set(days.flatMap((day) => (day === undefined ? [] : [`${memoryFolder}/${day}.md`])));
}
