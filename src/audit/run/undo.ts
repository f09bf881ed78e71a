import type { AuditUndoInput } from "../model/finding.ts";
import { isAuditId } from "./history-format.ts";
import { type StoredRecord, readRecords, replaceRecord } from "./history.ts";
import { readMoved } from "./shortened-notes.ts";
import { areAllChanged, hasOldBytes, restoreFiles, takeOutSteps } from "./restore.ts";
import { localTimestamp } from "../../base/calendar.ts";
import { MemoryError, ifInTheWay } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import { readMovedRecord } from "../../tree/logs/logical-files.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { archiveFolder } from "../../tree/model/period.ts";
import type { Lease } from "../../platform/locks.ts";
import { findLeftovers, removeLeftovers, removeLeftoversAlone } from "../../tree/run/tree-files.ts";
import type { Call } from "../../base/operation.ts";

export interface AuditUndoResult {
  readonly id: string;
  readonly at: string;
  readonly restored: readonly string[];
  /** Restored notes that keep text appended since the audit, after their old lines. */
  readonly appended: readonly string[];
  /** Archived parts that were removed. */
  readonly removed: readonly string[];
  /** Files left unchanged, with the reason. `before`: path of the artifact with their old bytes. */
  readonly kept: readonly { readonly path: string; readonly message: string; readonly before: string }[];
  readonly complete: boolean;
}

/**
 * Undoes an audit, by default the newest that was not undone: every file that is still as the audit left it gets its old bytes back. Can be repeated. Errors:
 * `nothing_to_undo`, `audit_not_found`, `invalid_id`, `archive_damaged`, `busy`, `disk_full`, `io`, `changed_by_other`.
 */
export async function undoAudit(memory: TreeMemory, input: AuditUndoInput): Promise<AuditUndoResult> {
  const { id } = input;
  if (id !== undefined && !isAuditId(id)) {
    const message = `"${shown(id)}" is not an audit id; audit ids have the form YYYYMMDD-HHMMSS-xxxx, as shown by heartwood audit history.`;
    throw new MemoryError("invalid_id", message);
  }
  await chooseRecord(memory, id);
  return withLocks(memory, { holder: "audit undo" }, async () => takeBack(memory, await chooseRecord(memory, id)));
}

async function chooseRecord(memory: TreeMemory, id: string | undefined): Promise<StoredRecord> {
  const { stored, skipped } = await readRecords(memory);
  // An entry that cannot be read may be the newest, so without an id nothing is undone: the order could be wrong.
  const unknown = skipped.find(({ code }) => code === "io" || code === "disk_full");
  if (id === undefined && unknown !== undefined) {
    const message = `Nothing was undone because a history entry cannot be read: ${unknown.message} Pass the id of an audit to skip that entry.`;
    throw new MemoryError(unknown.code === "io" ? "io" : "disk_full", message);
  }
  const open = stored.filter(({ record }) => record.undone_at === null);
  const found = id === undefined ? await newestToUndo(memory, open) : stored.find(({ record }) => record.id === id);
  if (found !== undefined && found.record.undone_at === null) return found;
  if (found !== undefined)
    throw new MemoryError(
      "nothing_to_undo",
      `Audit ${found.record.id} was already undone at ${found.record.undone_at}.`,
    );
  const unread = skipped.map(({ message }) => ` ${message}`).join("");
  if (id === undefined) {
    const message = `Nothing to undo: every audit that changed something has been undone.${unread}`;
    throw new MemoryError("nothing_to_undo", message);
  }
  const ids = open.map(({ record }) => record.id);
  const there = ids.length === 0 ? "none can be undone" : `these can be undone: ${ids.slice(0, 5).join(", ")}`;
  throw new MemoryError("audit_not_found", `Audit ${id} not found; ${there}.${unread}`, { ids });
}

/** The newest audit that has files to restore; if there is none, the newest one, so that the result explains why. */
async function newestToUndo(memory: TreeMemory, open: readonly StoredRecord[]): Promise<StoredRecord | undefined> {
  if (open.length < 2) return open[0];
  const { logs, problem } = await readMovedRecord(memory.files);
  if (problem !== undefined) return open[0];
  for (const stored of open) if (!(await areAllChanged(memory, stored.record.files, logs))) return stored;
  return open[0];
}

/** Undoes one audit, in the order of docs/formats/audit.md. The caller must hold the locks. Can be repeated. */
export async function takeBack(memory: TreeMemory, { record, stamp }: StoredRecord): Promise<AuditUndoResult> {
  const moved = record.files.some(({ part }) => part !== null) ? await readMoved(memory) : undefined;
  const { restored, appended, back, kept } = await restoreFiles(memory, record.files, moved?.logs ?? new Map());
  const removed = moved === undefined ? [] : await takeOutSteps(memory, moved, back);
  if (record.made_archive_folder) await memory.files.removeEmptyFolder?.(archiveFolder);
  const complete = kept.length === 0;
  const at = localTimestamp(memory.clock.now(), memory.clock.zone);
  // Restored files are removed from the entry, so that it no longer blocks undoing other audits.
  const files = record.files.filter(({ path }) => kept.some((file) => file.path === path));
  if (complete) await replaceRecord(memory, { ...record, undone_at: at }, stamp);
  else if (files.length < record.files.length) await replaceRecord(memory, { ...record, files }, stamp);
  return { id: record.id, at: record.at, restored, appended, removed, kept, complete };
}

/**
 * Undoes the newest audit if it was interrupted before it changed any file, so that no trace of it remains. If the record of shortened notes is damaged, the
 * audit stays.
 */
export async function takeBackUnbegun(memory: TreeMemory): Promise<void> {
  const { stored } = await readRecords(memory);
  const newest = stored.find(({ record }) => record.undone_at === null);
  if (newest === undefined) return;
  for (const file of newest.record.files) if (!(await hasOldBytes(memory, file))) return;
  try {
    await takeBack(memory, newest);
  } catch (error) {
    if (!(error instanceof MemoryError && error.code === "archive_damaged")) throw error;
  }
}

/** How long an audit waits for a running compaction, and for an entry that is being added, in milliseconds. */
const treeWait = 30_000;
const appendWait = 60_000;

/** Runs `work` while no compaction can run and no log entry can be added. Errors: `busy`, `aborted`. */
export async function withLocks<T>(
  memory: TreeMemory,
  { holder, call }: { readonly holder: string; readonly call?: Call },
  work: () => Promise<T>,
): Promise<T> {
  const leases: Lease[] = [];
  try {
    // The same order as in a compaction, which takes `append` while it holds `tree`.
    leases.push(await memory.locks.acquire("tree", { holder, waitMs: treeWait, ...call }));
    // Only while holding the lock: leftovers may belong to a running process. A folder that cannot be listed is a finding, not a reason to stop.
    await removeLeftovers(memory).catch(ifInTheWay(() => undefined));
    leases.push(await memory.locks.acquire("append", { holder, waitMs: appendWait, ...call }));
    return await work();
  } finally {
    for (const lease of leases.toReversed()) await lease.release();
  }
}

/** Removes leftover temporary files, for a run that has nothing else to do. */
export async function removeLitterAlone(memory: TreeMemory): Promise<void> {
  const leftovers = await findLeftovers(memory).catch(ifInTheWay(() => []));
  if (leftovers.length > 0) await removeLeftoversAlone(memory).catch(ifInTheWay(() => undefined));
}
