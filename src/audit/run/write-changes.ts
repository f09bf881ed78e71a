import { type AuditRecord, type RecordedFile, isSameStep } from "./history-format.ts";
import {
  rotationSummary,
  cutBytes,
  type BytesMark,
  type MovedLogs,
  type ShorteningStep,
  dayOfNote,
} from "../../tree/model/moved-format.ts";
import type { Edit } from "../model/edit.ts";
import type { AuditMode } from "../model/workspace.ts";
import { addRecord, newAuditId, replaceRecord } from "./history.ts";
import type { LoadedWorkspace } from "./load-workspace.ts";
import { type MovedSteps, readMoved, withSteps, writeMoved } from "./shortened-notes.ts";
import { localTimestamp } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileChange, FileEntry, FileStamp } from "../../platform/files.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { archiveFolder, memoryFolder } from "../../tree/model/period.ts";
import { bytesBeginWith, stepsInForce } from "../../tree/logs/log-layout.ts";

/** One file that an apply changes: its bytes before and after, and the part that keeps a note as it was. */
export interface PlannedChange {
  readonly path: string;
  readonly edit: Edit;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly beforeMark: BytesMark;
  readonly afterMark: BytesMark;
  /** Of the bytes that were read. */
  readonly stamp: FileStamp;
  readonly part: PlannedPart | undefined;
}

interface PlannedPart {
  readonly path: string;
  /** `there`: the same bytes stand there already. */
  readonly state: "to make" | "there";
}

/** What the edits make of the bytes that were read, in their order. An edit that was made for other bytes, or changes none, is left out. */
export async function planChanges(
  memory: TreeMemory,
  edits: readonly Edit[],
  { workspace, stamps }: LoadedWorkspace,
): Promise<readonly PlannedChange[]> {
  const taken = new Map((await memory.files.list(archiveFolder)).map((entry) => [entry.name, entry]));
  const changes: PlannedChange[] = [];
  for (const edit of edits) {
    const file = [workspace.memory, ...workspace.notes].find((read) => read?.path === edit.path);
    const stamp = stamps.get(edit.path);
    if (file === undefined || stamp === undefined || file.sha256 !== edit.before) continue;
    const day = dayOfNote(edit.path);
    const part = day === undefined ? undefined : await choosePart(memory, { day, bytes: file.bytes, taken });
    const after = bytesAfter(edit, file.bytes, part?.path ?? "");
    const beforeMark = { bytes: file.bytes.length, sha256: file.sha256 };
    const afterMark = { bytes: after.length, sha256: sha256(after) };
    if (afterMark.sha256 === beforeMark.sha256) continue;
    changes.push({ path: edit.path, edit, before: file.bytes, after, beforeMark, afterMark, stamp, part });
  }
  return changes;
}

/** The first name that is free or has these bytes: `.full.md`, then `.full-2.md`, … */
async function choosePart(
  memory: TreeMemory,
  log: { readonly day: string; readonly bytes: Uint8Array; readonly taken: ReadonlyMap<string, FileEntry> },
): Promise<PlannedPart> {
  for (let number = 1; ; number++) {
    const name = `${log.day}.full${number === 1 ? "" : `-${number}`}.md`;
    const path = `${archiveFolder}/${name}`;
    const entry = log.taken.get(name);
    if (entry === undefined) return { path, state: "to make" };
    if (entry.kind !== "file" || entry.size !== log.bytes.length) continue;
    if (await holdsBytes(memory, path, log.bytes)) return { path, state: "there" };
  }
}

/** Whether a file can be read and holds these bytes. */
async function holdsBytes(memory: TreeMemory, path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    const read = await memory.files.read(path);
    return read !== undefined && Buffer.compare(read.bytes, bytes) === 0;
  } catch (error) {
    // What cannot be read takes the name all the same.
    if (error instanceof MemoryError) return false;
    throw error;
  }
}

/** The step that a change of a note is; `undefined` for MEMORY.md. */
export function stepOf({ edit, part, beforeMark, afterMark }: PlannedChange): ShorteningStep | undefined {
  if (part === undefined) return undefined;
  const { change } = edit;
  return {
    part: part.path,
    before: beforeMark,
    after: afterMark,
    change: change.kind === "rotate" ? { kind: "rotated" } : { kind: "cut", spans: change.spans },
  };
}

/** The bytes that an edit makes of the bytes that it was made for. `part`: where a rotated log moves to. */
export function bytesAfter(edit: Edit, bytes: Uint8Array, part: string): Uint8Array {
  return edit.change.kind === "rotate"
    ? rotationSummary({ path: edit.path, bytes, part })
    : cutBytes(bytes, edit.change.spans);
}

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
  const outcomes = await memory.files.commit(
    able.map(({ path, after, stamp }): FileChange => ({ path, bytes: after, expect: { stamp } })),
  );
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
  const hasParts = changes.some(({ part }) => part !== undefined);
  const beside = hasParts ? await memory.files.list(memoryFolder) : [];
  return {
    id: await newAuditId(memory, now),
    at: localTimestamp(now, memory.clock.zone),
    mode: mode.aggressive === "yes" ? "aggressive" : "normal",
    madeArchiveFolder: hasParts && !beside.some(({ name }) => name === "archive"),
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
