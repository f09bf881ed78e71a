import type { AuditMode } from "../model/workspace.ts";
import { localTimestamp } from "../../base/calendar.ts";
import type { FileChange } from "../../platform/files.ts";
import type { MovedLogs, ShorteningStep } from "../../tree/model/moved-format.ts";
import { archiveFolder } from "../../tree/model/period.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { bytesBeginWith, stepsInForce } from "../../tree/logs/log-layout.ts";
import { addRecord, newAuditId, replaceRecord } from "./history-files.ts";
import type { AuditRecord, RecordedFile } from "./history-format.ts";
import { isSameStep, readMoved, withSteps, writeMoved, type MovedSteps } from "./moved-steps.ts";
import { lacksArchiveFolder, stepOf, type PlannedChange } from "./planned-change.ts";

/** What was written. */
export interface WrittenChanges {
  /** `null` when every file had changed meanwhile: no entry stays then. */
  readonly id: string | null;
  readonly done: readonly PlannedChange[];
  /** Those whose files had changed since they were read: these stay as they are. */
  readonly left: readonly PlannedChange[];
}

/**
 * Writes changes in the order of docs/formats/audit.md, so that a crash leaves nothing that cannot be taken back: old bytes, entry, parts, record, and
 * the files at last. The locks must be held. Errors: `disk_full`, `io`, `changed_by_other`, `archive_damaged`.
 */
export async function writeChanges(
  memory: TreeMemory,
  changes: readonly PlannedChange[],
  mode: AuditMode,
): Promise<WrittenChanges> {
  const notes = changes.filter(({ part }) => part !== undefined);
  const moved = notes.length === 0 ? undefined : await readMoved(memory);
  await memory.artifacts.putAll(changes.map(({ before }) => before));
  const record = await recordOf(memory, changes, mode);
  const stamp = await addRecord(memory, record);
  const lost = await makeParts(memory, notes);
  const able = changes.filter((change) => !lost.has(change));
  const recorded =
    moved === undefined ? undefined : await writeMoved(memory, moved, await withNewSteps(moved.logs, able));
  const outcomes = await memory.files.commit(able.map(replacementOf));
  const done = able.filter((_, index) => outcomes[index]?.outcome === "written");
  const isDone = new Set(done);
  const left = changes.filter((change) => !isDone.has(change));
  if (left.length > 0) {
    await takeOut(memory, recorded, { left, lost });
    const paths = new Set(done.map(({ path }) => path));
    const files = record.files.filter(({ path }) => paths.has(path));
    if (done.length === 0 && record.madeArchiveFolder) await memory.files.removeEmptyFolder?.(archiveFolder);
    await replaceRecord(memory, { ...record, files }, stamp);
  }
  return { id: done.length === 0 ? null : record.id, done, left };
}

async function recordOf(memory: TreeMemory, changes: readonly PlannedChange[], mode: AuditMode): Promise<AuditRecord> {
  const now = memory.clock.now();
  return {
    id: await newAuditId(memory, now),
    at: localTimestamp(now, memory.clock.zone),
    mode: mode.aggressive === "yes" ? "aggressive" : "normal",
    madeArchiveFolder: changes.some(({ part }) => part !== undefined) && (await lacksArchiveFolder(memory)),
    files: changes.map(recordedFile),
    undoneAt: null,
    others: {},
  };
}

const changeNames = { cut: "cut", compress: "compressed", rotate: "rotated" } as const;

function recordedFile({ path, edit, beforeMark, afterMark, part }: PlannedChange): RecordedFile {
  return {
    path,
    change: changeNames[edit.change.kind],
    before: beforeMark,
    after: afterMark,
    part: part?.path ?? null,
    madePart: part?.state === "to make",
  };
}

/** Those whose part could not be made, because something stands there since. */
async function makeParts(memory: TreeMemory, notes: readonly PlannedChange[]): Promise<ReadonlySet<PlannedChange>> {
  const made = notes.filter(({ part }) => part?.state === "to make");
  const outcomes = await memory.files.commit(
    made.map(({ part, path, before }): FileChange => ({
      path: part?.path ?? "",
      bytes: before,
      expect: "absent",
      like: path,
    })),
  );
  return new Set(made.filter((_, index) => outcomes[index]?.outcome !== "written"));
}

/** Steps that have not happened (a crash, an undo) make room for the new ones. */
async function withNewSteps(logs: MovedLogs, changes: readonly PlannedChange[]): Promise<MovedLogs> {
  const added: [path: string, steps: readonly ShorteningStep[]][] = [];
  for (const change of changes) {
    const step = stepOf(change);
    if (step === undefined) continue;
    const { path, before } = change;
    const inForce = await stepsInForce(logs.get(path) ?? [], (mark) => bytesBeginWith(before, mark));
    added.push([path, [...inForce, step]]);
  }
  return withSteps(logs, added);
}

function replacementOf({ path, after, stamp }: PlannedChange): FileChange {
  return { path, bytes: after, expect: { stamp } };
}

/** Takes back what was prepared for files that had changed: their steps, and then the parts made for them. */
async function takeOut(
  memory: TreeMemory,
  recorded: MovedSteps | undefined,
  { left, lost }: { readonly left: readonly PlannedChange[]; readonly lost: ReadonlySet<PlannedChange> },
): Promise<void> {
  if (recorded === undefined) return;
  const { logs } = recorded;
  const kept = left.flatMap((change): readonly (readonly [string, readonly ShorteningStep[]])[] => {
    const step = stepOf(change);
    if (step === undefined) return [];
    return [[change.path, (logs.get(change.path) ?? []).filter((one) => !isSameStep(step, one))]];
  });
  await writeMoved(memory, recorded, withSteps(logs, kept));
  for (const change of left) {
    const { part, before } = change;
    if (part?.state === "to make" && !lost.has(change)) await removeFile(memory, part.path, before);
  }
}

/** Removes a file that holds these bytes; another one stays. */
async function removeFile(memory: TreeMemory, path: string, bytes: Uint8Array): Promise<void> {
  const there = await memory.files.read(path);
  if (there === undefined || Buffer.compare(there.bytes, bytes) !== 0) return;
  await memory.files.commit([{ path, bytes: undefined, expect: { stamp: there.stamp } }]);
}
