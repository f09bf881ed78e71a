import type { AuditFinding } from "../model/finding.ts";
import type { FileAsRead, NoteAsRead } from "../model/workspace.ts";
import { MemoryError } from "../../base/errors.ts";
import { movedPath } from "../../tree/model/period.ts";
import type { MovedLogs, ShorteningStep } from "../../tree/model/moved-format.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { bytesBeginWith, stepsInForce } from "../../tree/logs/log-layout.ts";
import { findLostRecords } from "./lost-records.ts";
import { readMoved } from "./moved-steps.ts";
import { archiveDamaged } from "./reading-findings.ts";

/** Notes with what became of them, and what is wrong with the archive. */
export interface StatedNotes {
  readonly notes: readonly NoteAsRead[];
  readonly findings: readonly AuditFinding[];
}

/**
 * Tells of each note whether it was shortened before. While the record or a part is damaged, nobody can say what the notes were: those with steps, and
 * without the record all, count as `edited`, so that none is changed.
 */
export async function stateNotes(
  memory: TreeMemory,
  notes: readonly NoteAsRead[],
  others: readonly FileAsRead[],
): Promise<StatedNotes> {
  const logs = await readLogs(memory);
  if (logs instanceof MemoryError)
    return { notes: notes.map(asEdited), findings: [archiveDamaged(movedPath, logs.message)] };
  const digests = new Map(others.map((file) => [file.path, file.sha256]));
  const steps = new Map<string, readonly ShorteningStep[]>();
  for (const { path, bytes } of notes)
    steps.set(path, await stepsInForce(logs.get(path) ?? [], (mark) => bytesBeginWith(bytes, mark)));
  const damage = [...steps].flatMap(([path, own]) => own.flatMap((step) => damageOf(path, step, digests)));
  const lost = await findLostRecords(memory, logs);
  const stated = notes.map((note): NoteAsRead => {
    const own = steps.get(note.path) ?? [];
    if (lost.some(({ path }) => path === note.path)) return asEdited(note);
    if (own.length === 0) return note;
    return damage.length > 0 ? asEdited(note) : { ...note, ...stateOf(note.bytes, own) };
  });
  return { notes: stated, findings: [...damage, ...lost.map(({ path, message }) => archiveDamaged(path, message))] };
}

async function readLogs(memory: TreeMemory): Promise<MovedLogs | MemoryError> {
  try {
    return (await readMoved(memory)).logs;
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
}

function asEdited(note: NoteAsRead): NoteAsRead {
  return { ...note, state: "edited", ownFrom: 0 };
}

function damageOf(
  path: string,
  { part, before }: ShorteningStep,
  digests: ReadonlyMap<string, string>,
): readonly AuditFinding[] {
  const digest = digests.get(part);
  if (digest === before.sha256) return [];
  const what = digest === undefined ? "is missing or cannot be read" : "has other bytes than recorded";
  const message = `${part} ${what}, and ${path} was shortened by an audit, so the whole log cannot be read: put that file back from git, a backup or the artifact store (${before.sha256}).`;
  return [archiveDamaged(part, message)];
}

/** What the steps in force made of a note. */
export function stateOf(note: Uint8Array, steps: readonly ShorteningStep[]): Pick<NoteAsRead, "state" | "ownFrom"> {
  const last = steps.at(-1);
  if (last === undefined) return { state: "whole", ownFrom: 0 };
  if (!bytesBeginWith(note, last.after)) return { state: "edited", ownFrom: 0 };
  return { state: "shortened", ownFrom: summaryEnd(steps) };
}

/** Where the summary of a rotation ends, when lines of it may have been cut later. */
function summaryEnd(steps: readonly ShorteningStep[]): number {
  let end = 0;
  for (const { change, after } of steps) {
    if (change.kind === "rotated") end = after.bytes;
    else
      for (const [from, to] of change.spans.toReversed()) end -= Math.max(0, Math.min(to, end) - Math.min(from, end));
  }
  return end;
}
