import type { AuditFinding } from "../model/finding.ts";
import { fileFinding } from "../model/shown-text.ts";
import { type RecordedFile, isSameStep } from "./history-format.ts";
import type { FileAsRead, NoteAsRead } from "../model/workspace.ts";
import { MemoryError, ifMemoryError } from "../../base/errors.ts";
import type { Files } from "../../platform/files.ts";
import { readMovedRecord, type FindLostRecords, type MovedRecord } from "../../tree/logs/logical-files.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { type MovedLogs, type ShorteningStep, printMoved } from "../../tree/model/moved-format.ts";
import { movedPath } from "../../tree/model/period.ts";
import { encode } from "../../tree/run/tree-files.ts";
import { bytesBeginWith, stepsInForce, fileBeginsWith } from "../../tree/logs/log-layout.ts";
import { readRecords } from "./history.ts";

/**
 * Sets the state of each note, and finds damage in the archive. If a part is damaged, all notes with steps count as `edited`, so they are not changed. If the
 * record is damaged, that applies to all notes.
 */
export async function stateNotes(
  memory: TreeMemory,
  notes: readonly NoteAsRead[],
  others: readonly FileAsRead[],
): Promise<{ readonly notes: readonly NoteAsRead[]; readonly findings: readonly AuditFinding[] }> {
  const edited = (note: NoteAsRead): NoteAsRead => ({ ...note, state: "edited", ownFrom: 0 });
  const { logs, problem } = await readMovedRecord(memory.files);
  if (problem !== undefined)
    return { notes: notes.map(edited), findings: [fileFinding("archive_damaged", movedPath, problem.message)] };
  const digests = new Map(others.map((file) => [file.path, file.sha256]));
  const steps = new Map<string, readonly ShorteningStep[]>();
  for (const { path, bytes } of notes)
    steps.set(path, await stepsInForce(logs.get(path) ?? [], (mark) => bytesBeginWith(bytes, mark)));
  const damage = [...steps].flatMap(([path, own]) => own.flatMap((step) => damageOf(path, step, digests)));
  const lost = await findLostRecords(memory, logs);
  const stated = notes.map((note): NoteAsRead => {
    const own = steps.get(note.path) ?? [];
    if (lost.some(({ path }) => path === note.path)) return edited(note);
    if (own.length === 0) return note;
    return damage.length > 0 ? edited(note) : { ...note, ...stateOf(note.bytes, own) };
  });
  return {
    notes: stated,
    findings: [...damage, ...lost.map(({ path, message }) => fileFinding("archive_damaged", path, message))],
  };
}

function damageOf(
  path: string,
  { part, before }: ShorteningStep,
  digests: ReadonlyMap<string, string>,
): readonly AuditFinding[] {
  const digest = digests.get(part);
  if (digest === before.sha256) return [];
  const what = digest === undefined ? "is missing or cannot be read" : "does not have the recorded bytes";
  const message = `${part} ${what}, and ${path} was shortened by an audit, so the whole log cannot be read: restore that file from git, a backup or the artifact store (${before.sha256}).`;
  return [fileFinding("archive_damaged", part, message)];
}

/** The state of a note after the steps in force. */
export function stateOf(note: Uint8Array, steps: readonly ShorteningStep[]): Pick<NoteAsRead, "state" | "ownFrom"> {
  const last = steps.at(-1);
  if (last === undefined) return { state: "whole", ownFrom: 0 };
  if (!bytesBeginWith(note, last.after)) return { state: "edited", ownFrom: 0 };
  return { state: "shortened", ownFrom: summaryEnd(steps) };
}

/** Where the rotation summary ends. Later cuts may have removed lines from it. */
function summaryEnd(steps: readonly ShorteningStep[]): number {
  let end = 0;
  for (const { change, after } of steps) {
    if (change.kind === "rotated") end = after.bytes;
    else
      for (const [from, to] of change.spans.toReversed()) end -= Math.max(0, Math.min(to, end) - Math.min(from, end));
  }
  return end;
}

/** The record of shortened notes and the stamp of its file, which must be unchanged when the record is written. */
export type MovedSteps = Pick<MovedRecord, "logs" | "stamp">;

/** Reads the record; empty if there is none. Errors: `archive_damaged`, `newer_store`, `not_a_file`, `link_outside`, `io`. */
export async function readMoved(memory: TreeMemory): Promise<MovedSteps> {
  const { problem, ...moved } = await readMovedRecord(memory.files);
  if (problem !== undefined) throw problem;
  return moved;
}

/** Writes the record, or removes it if there are no steps; on disk when it returns. Errors: `changed_by_other`, `io`, `disk_full`. */
export async function writeMoved(memory: TreeMemory, record: MovedSteps, logs: MovedLogs): Promise<MovedSteps> {
  const bytes = logs.size === 0 ? undefined : encode(printMoved(logs));
  const { stamp } = record;
  if (bytes === undefined && stamp === undefined) return record;
  const [outcome] = await memory.files.commit([
    { path: movedPath, bytes, expect: stamp === undefined ? "absent" : { stamp } },
  ]);
  if (outcome?.outcome === "removed") return { logs, stamp: undefined };
  if (outcome?.outcome === "written") return { logs, stamp: outcome.stamp ?? "" };
  const message = `${movedPath} was changed by another program in the meantime and was not overwritten: run the command again.`;
  throw new MemoryError("changed_by_other", message, { path: movedPath });
}

/** The record with the steps of some logs replaced. Logs without steps are removed. */
export function withSteps(
  logs: MovedLogs,
  changed: readonly (readonly [path: string, steps: readonly ShorteningStep[]])[],
): MovedLogs {
  return new Map([...new Map([...logs, ...changed])].filter(([, steps]) => steps.length > 0));
}

/** The steps before an audit's step for this file. Once the old bytes are restored, that step and all later ones no longer apply. */
export function stepsBefore(
  steps: readonly ShorteningStep[],
  file: Pick<RecordedFile, "part" | "before" | "after">,
): readonly ShorteningStep[] {
  const index = steps.findLastIndex((step) => isSameStep(file, step));
  return index < 0 ? steps : steps.slice(0, index);
}

/** Finds notes that an audit shortened but `moved.json` (`logs`) no longer lists. Without those records, their moved text is missing. Errors: `io`. */
export const findLostRecords: FindLostRecords = async (memory, logs) => {
  const { stored } = await readRecords(memory);
  const lost = new Map<string, { readonly path: string; readonly message: string }>();
  for (const { record } of stored)
    for (const file of record.undone_at === null ? record.files : []) {
      const isTold = file.part === null || lost.has(file.path);
      if (isTold || (logs.get(file.path) ?? []).some((step) => isSameStep(file, step))) continue;
      // A file that cannot be read is reported elsewhere.
      if (!(await isShortened(memory.files, file).catch(ifMemoryError(() => false)))) continue;
      const message = `${file.path} was shortened by the audit ${record.id}, but ${movedPath} no longer records this, so the moved part is missing from the log: restore memory/archive/ from git or a backup, or run heartwood audit undo ${record.id}.`;
      lost.set(file.path, { path: file.path, message });
    }
  return [...lost.values()];
};

/** Whether a file begins with the bytes that the audit left, but not with the old bytes, which may begin the same way. */
async function isShortened(files: Files, { path, before, after }: RecordedFile): Promise<boolean> {
  const head = await files.read(path, { from: 0, to: 0 });
  if (head === undefined || (after.bytes === 0 && head.size > 0)) return false;
  const file = { path, size: head.size };
  return (await fileBeginsWith(files, file, after)) && !(await fileBeginsWith(files, file, before));
}
