import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { readMovedRecord } from "../../tree/logs/logical-files.ts";
import { readRecords, type StoredRecord } from "./history-files.ts";
import { isAuditId } from "./history-format.ts";
import type { AuditUndoInput } from "./inputs.ts";
import { withLocks } from "./locked.ts";
import type { AuditUndoResult } from "./results.ts";
import { areAllChanged } from "./restore.ts";
import { takeBack } from "./take-back.ts";

/**
 * Takes back an audit, the newest that was not undone by default: every file that is as the audit left it gets its old bytes. Can be repeated. Errors:
 * `nothing_to_undo`, `audit_not_found`, `invalid_id`, `archive_damaged`, `busy`, `disk_full`, `io`, `changed_by_other`.
 */
export async function undoAudit(memory: TreeMemory, input: AuditUndoInput): Promise<AuditUndoResult> {
  const { id } = input;
  if (id !== undefined && !isAuditId(id))
    throw new MemoryError(
      "invalid_id",
      `The id is "${shown(id)}"; the id of an audit is YYYYMMDD-HHMMSS-xxxx, as heartwood audit history shows it.`,
    );
  await chooseRecord(memory, id);
  return withLocks(memory, { holder: "audit undo" }, async () => takeBack(memory, await chooseRecord(memory, id)));
}

async function chooseRecord(memory: TreeMemory, id: string | undefined): Promise<StoredRecord> {
  const { stored, skipped } = await readRecords(memory);
  // What cannot be read now may be the newest; without an id nothing is taken back in the wrong order.
  const unknown = skipped.find(({ code }) => code === "io" || code === "disk_full");
  if (id === undefined && unknown !== undefined)
    throw new MemoryError(
      unknown.code === "io" ? "io" : "disk_full",
      `Nothing was undone, since an entry of the history cannot be read: ${unknown.message} Name the audit by its id to pass it over.`,
    );
  const open = stored.filter(({ record }) => record.undoneAt === null);
  const found = id === undefined ? await newestToUndo(memory, open) : stored.find(({ record }) => record.id === id);
  if (found !== undefined && found.record.undoneAt === null) return found;
  if (found !== undefined)
    throw new MemoryError("nothing_to_undo", `The audit ${found.record.id} was undone at ${found.record.undoneAt}.`);
  const unread = skipped.map(({ message }) => ` ${message}`).join("");
  if (id === undefined)
    throw new MemoryError(
      "nothing_to_undo",
      `There is nothing to undo: no audit changed anything that was not taken back already.${unread}`,
    );
  const there =
    open.length === 0
      ? "none can be undone"
      : `these can be undone: ${open
          .slice(0, mostNamed)
          .map(({ record }) => record.id)
          .join(", ")}`;
  throw new MemoryError("audit_not_found", `There is no audit ${id}; ${there}.${unread}`, {
    ids: open.map(({ record }) => record.id),
  });
}

const mostNamed = 5;

/** The newest of which something can be put back; when there is none, the newest, so that it is told why. */
async function newestToUndo(memory: TreeMemory, open: readonly StoredRecord[]): Promise<StoredRecord | undefined> {
  if (open.length < 2) return open[0];
  const { logs, problem } = await readMovedRecord(memory.files);
  if (problem !== undefined) return open[0];
  for (const stored of open) if (!(await areAllChanged(memory, stored.record.files, logs))) return stored;
  return open[0];
}
