import { MemoryError } from "../base/errors.ts";
import type { FileChange } from "../platform/files.ts";
import {
  archiveBytes,
  addJournalEntry,
  journalPath,
  readJournal,
  type JournalEntry,
  type JournalLine,
} from "../tree/logs/archive.ts";
import { undoReopening } from "../tree/run/reopen.ts";
import type { Memory } from "./operation.ts";

export interface UndoResult {
  readonly undone: string;
  readonly restored: readonly string[];
  readonly kept: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Undoes the newest reopen or fix that has not been undone: archives the current bytes, then restores the old ones. Errors: `nothing_to_undo`,
 * `archive_damaged`, `busy`, `io`.
 */
export async function runUndo(memory: Memory): Promise<UndoResult> {
  const lease = await memory.locks.acquire("tree", { holder: "undo", waitMs: 30_000 });
  try {
    return await takeBack(memory, newestOf(await readJournal(memory)));
  } finally {
    await lease.release();
  }
}

function newestOf(journal: readonly JournalLine[]) {
  const undone = new Set(journal.map(({ entry }) => (entry?.action === "undo" ? entry.what : undefined)));
  const found = journal.findLast(({ line, entry }) => entry?.action !== "undo" && !undone.has(String(line)));
  if (found === undefined)
    throw new MemoryError("nothing_to_undo", "Nothing to undo: the journal has no reopen or fix left to undo.");
  if (found.entry !== undefined) return { ...found.entry, line: found.line };
  throw new MemoryError(
    "archive_damaged",
    `Line ${found.line} of ${journalPath} is damaged: heartwood could not have written it. Nothing was changed; restore the file from git or a backup, or clear that line.`,
    { path: journalPath, line: found.line },
  );
}

async function takeBack(memory: Memory, entry: JournalEntry & { readonly line: number }): Promise<UndoResult> {
  const changes: FileChange[] = [];
  const kept: UndoResult["kept"][number][] = [];
  const replaced: JournalEntry["files"][number][] = [];
  for (const { path, archived } of entry.files) {
    const old = await memory.files.read(archived);
    const now = await memory.files.read(path);
    if (old === undefined) {
      kept.push({ path, message: `its old bytes are no longer at ${archived}, so it was left unchanged` });
      continue;
    }
    if (now !== undefined) replaced.push({ path, archived: await archiveBytes(memory.files, path, now.bytes) });
    changes.push({ path, bytes: old.bytes, expect: now === undefined ? "absent" : { stamp: now.stamp } });
  }
  if (entry.action === "reopen")
    await undoReopening(
      memory,
      changes.map(({ path }) => path),
      entry.at,
    );
  const outcomes = await memory.files.commit(changes);
  for (const outcome of outcomes)
    if (outcome.outcome === "changed")
      kept.push({
        path: outcome.path,
        message: "another process changed it in the meantime, so it was left unchanged",
      });
  await addJournalEntry(memory, { action: "undo", what: String(entry.line), files: replaced });
  const restored = outcomes.filter((outcome) => outcome.outcome === "written").map((outcome) => outcome.path);
  return { undone: `${entry.action} ${entry.what} of ${entry.at}`, restored, kept };
}
