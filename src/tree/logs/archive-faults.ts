import { MemoryError } from "../../base/errors.ts";
import { movedPath, type MovedLogs } from "../model/moved-format.ts";
import { ArchivedParts } from "./archived-parts.ts";
import { realFilesOf } from "./logical-logs.ts";
import type { TreeMemory } from "../memory.ts";
import { readMovedRecord } from "./moved-record.ts";

/** What is wrong with the archive of shortened notes. */
export interface ArchiveFault {
  readonly code: string;
  /** The log whose part it is, or the record. */
  readonly path: string;
  readonly message: string;
}

/** Finds notes that were shortened although the record of shortened notes, whose steps are `logs`, does not say so. */
export type FindLostRecords = (
  memory: Pick<TreeMemory, "files">,
  logs: MovedLogs,
) => Promise<readonly { readonly path: string; readonly message: string }[]>;

/** Holds the record and every part that it names against their digests. `logs`: how many logs are recorded. Errors: `io`. */
export async function findArchiveFaults(
  memory: TreeMemory,
  findLostRecords: FindLostRecords,
): Promise<{ readonly logs: number; readonly faults: readonly ArchiveFault[] }> {
  const files = realFilesOf(memory.files);
  const { logs, problem, unknown } = await readMovedRecord(files);
  const faults: ArchiveFault[] = [];
  if (problem !== undefined) {
    const { code, message } = problem;
    const left = unknown.size === 0 ? "" : ` Until then ${unknown.size} logs with parts in the archive are not read.`;
    faults.push({ code, path: movedPath, message: `${message}${left}` });
  }
  const parts = new ArchivedParts(files);
  for (const [path, steps] of logs)
    for (const step of steps)
      try {
        await parts.check(path, step);
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        faults.push({ code: error.code, path, message: error.message });
      }
  const lost = problem === undefined ? await findLostRecords({ files }, logs) : [];
  for (const { path, message } of lost) faults.push({ code: "archive_damaged", path, message });
  return { logs: logs.size, faults };
}
