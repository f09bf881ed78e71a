import { localTimestamp } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import type { MovedLogs } from "../../tree/model/moved-format.ts";
import { archiveFolder } from "../../tree/model/period.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { readRecords, replaceRecord, type StoredRecord } from "./history-files.ts";
import { readMoved, stepsBefore, withSteps, writeMoved } from "./moved-steps.ts";
import { hasOldBytes, removeParts, restoreFiles } from "./restore.ts";
import type { AuditUndoResult } from "./results.ts";

/** Takes back one audit, in the order of docs/formats/audit.md. The locks must be held. Can be repeated. */
export async function takeBack(memory: TreeMemory, { record, stamp }: StoredRecord): Promise<AuditUndoResult> {
  const moved = record.files.some(({ part }) => part !== null) ? await readMoved(memory) : undefined;
  const recorded: MovedLogs = moved?.logs ?? new Map();
  const { restored, appended, back, kept } = await restoreFiles(memory, record.files, recorded);
  const logs = withSteps(
    recorded,
    back.map((file) => [file.path, stepsBefore(recorded.get(file.path) ?? [], file)]),
  );
  if (moved !== undefined) await writeMoved(memory, moved, logs);
  const removed = await removeParts(memory, back, logs);
  if (record.madeArchiveFolder) await memory.files.removeEmptyFolder?.(archiveFolder);
  const complete = kept.length === 0;
  const at = localTimestamp(memory.clock.now(), memory.clock.zone);
  // What was put back is done: the entry is about the rest, and stands in the way of no other.
  const files = record.files.filter(({ path }) => kept.some((file) => file.path === path));
  if (complete) await replaceRecord(memory, { ...record, undoneAt: at }, stamp);
  else if (files.length < record.files.length) await replaceRecord(memory, { ...record, files }, stamp);
  return { id: record.id, at: record.at, restored, appended, removed, kept, complete };
}

/**
 * Takes back the newest audit when it was cut off before it changed any file, so that nothing of it is left beside the next one. Such an audit whose
 * record of shortened notes is damaged stays as it is.
 */
export async function takeBackUnbegun(memory: TreeMemory): Promise<void> {
  const { stored } = await readRecords(memory);
  const newest = stored.find(({ record }) => record.undoneAt === null);
  if (newest === undefined) return;
  for (const file of newest.record.files) if (!(await hasOldBytes(memory, file))) return;
  try {
    await takeBack(memory, newest);
  } catch (error) {
    if (!(error instanceof MemoryError && error.code === "archive_damaged")) throw error;
  }
}
