import { type RecordedFile, isSameStep } from "./history-format.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Files } from "../../platform/files.ts";
import { movedPath } from "../../tree/model/period.ts";
import { type MovedLogs } from "../../tree/model/moved-format.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { fileBeginsWith } from "../../tree/logs/log-layout.ts";
import { readRecords } from "./history.ts";

/** A note that an audit shortened, of which `moved.json` says nothing any more: read as it is, it lacks what was moved. */
interface LostRecord {
  readonly path: string;
  /** The audit that shortened it. */
  readonly id: string;
  readonly message: string;
}

/** Holds the history against the record of shortened notes, whose steps are `logs`. Errors: `io`. */
export async function findLostRecords(
  memory: Pick<TreeMemory, "files">,
  logs: MovedLogs,
): Promise<readonly LostRecord[]> {
  const { stored } = await readRecords(memory);
  const lost = new Map<string, LostRecord>();
  for (const { record } of stored)
    for (const file of record.undoneAt === null ? record.files : []) {
      const isTold = file.part === null || lost.has(file.path);
      if (isTold || (logs.get(file.path) ?? []).some((step) => isSameStep(file, step))) continue;
      if (!(await isShortened(memory.files, file))) continue;
      const message = `${file.path} was shortened by the audit ${record.id}, and ${movedPath} does not say so any more, so what was moved is missing from the log: put memory/archive/ back from git or a backup, or run heartwood audit undo ${record.id}.`;
      lost.set(file.path, { path: file.path, id: record.id, message });
    }
  return [...lost.values()];
}

/** Not with its old bytes, which may begin with what a cut left of them. */
async function isShortened(files: Files, { path, before, after }: RecordedFile): Promise<boolean> {
  try {
    const head = await files.read(path, { from: 0, to: 0 });
    if (head === undefined || (after.bytes === 0 && head.size > 0)) return false;
    const file = { path, size: head.size };
    return (await fileBeginsWith(files, file, after)) && !(await fileBeginsWith(files, file, before));
  } catch (error) {
    // Told elsewhere.
    if (error instanceof MemoryError) return false;
    throw error;
  }
}
