import { localTimestamp, type Day } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { ifMemoryError } from "../../base/errors.ts";
import type { FileChange, FileEntry, FileStamp } from "../../platform/files.ts";
import { bytesBeginWith, stepsInForce } from "../../tree/logs/log-layout.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import {
  cutBytes,
  dayOfNote,
  rotationSummary,
  type MovedLogs,
  type ShorteningStep,
} from "../../tree/model/moved-format.ts";
import { archiveFolder, memoryFolder } from "../../tree/model/period.ts";
import type { Edit } from "../model/finding.ts";
import type { AuditMode, Workspace } from "../model/workspace.ts";
import { type AuditRecord, type RecordedFile } from "./history-format.ts";
import { addRecord, newAuditId, replaceRecord } from "./history.ts";
import { takeOutSteps } from "./restore.ts";
import { readMoved, withSteps, writeMoved } from "./shortened-notes.ts";

/** A file to be changed: its bytes before and after, and what is recorded. */
export interface PlannedChange {
  readonly path: string;
  readonly edit: Edit;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** The file's stamp when it was read. */
  readonly stamp: FileStamp;
  readonly recorded: RecordedFile;
  /** The shortening step of a note; `undefined` for MEMORY.md. */
  readonly step: ShorteningStep | undefined;
}

/** Plans the file changes for edits, in order. Edits made for other bytes and edits that change nothing are left out. */
export async function planChanges(
  memory: TreeMemory,
  edits: readonly Edit[],
  workspace: Workspace,
): Promise<readonly PlannedChange[]> {
  const archived = new Map((await memory.files.list(archiveFolder)).map((entry) => [entry.name, entry]));
  const changes: PlannedChange[] = [];
  for (const edit of edits) {
    const { path, change } = edit;
    const file = [workspace.memory, ...workspace.notes].find((read) => read?.path === path);
    if (file === undefined || file.sha256 !== edit.before) continue;
    const { bytes, stamp } = file;
    const day = dayOfNote(path);
    const kept =
      day === undefined ? { part: null, made_part: false } : await choosePart(memory, archived, { day, bytes });
    const { part } = kept;
    const after = bytesAfter(edit, bytes, part ?? "");
    const marks = {
      before: { bytes: bytes.length, sha256: file.sha256 },
      after: { bytes: after.length, sha256: sha256(after) },
    };
    if (marks.after.sha256 === file.sha256) continue;
    const recorded = { path, change: part === null ? ("compressed" as const) : change.kind, ...marks, ...kept };
    const step = part === null ? undefined : { part, ...marks, change };
    changes.push({ path, edit, before: bytes, after, stamp, recorded, step });
  }
  return changes;
}

/** Chooses the first name that is free or whose file has these bytes: `.full.md`, then `.full-2.md`, … */
async function choosePart(
  memory: TreeMemory,
  archived: ReadonlyMap<string, FileEntry>,
  { day, bytes }: { readonly day: Day; readonly bytes: Uint8Array },
): Promise<Pick<RecordedFile, "part" | "made_part">> {
  for (let number = 1; ; number++) {
    const name = `${day}.full${number === 1 ? "" : `-${number}`}.md`;
    const part = `${archiveFolder}/${name}`;
    const entry = archived.get(name);
    if (entry === undefined) return { part, made_part: true };
    if (entry.kind !== "file" || entry.size !== bytes.length) continue;
    // The name is taken even if the file cannot be read.
    const read = await memory.files.read(part).catch(ifMemoryError(() => undefined));
    if (read !== undefined && Buffer.compare(read.bytes, bytes) === 0) return { part, made_part: false };
  }
}

/** Applies an edit to the bytes it was made for. `part`: where a rotated log moves to. */
export function bytesAfter(edit: Edit, bytes: Uint8Array, part: string): Uint8Array {
  return edit.change.kind === "rotated"
    ? rotationSummary({ path: edit.path, bytes, part })
    : cutBytes(bytes, edit.change.spans);
}

export type WrittenChanges = Awaited<ReturnType<typeof writeChanges>>;

/**
 * Writes changes in the order of docs/formats/audit.md, so that a crash leaves nothing that cannot be undone: old bytes, entry, parts, record, and finally the
 * files. The caller must hold the locks. `left`: changes not made because a file had changed; `id`: `null` if no change was made. Errors: `disk_full`, `io`,
 * `changed_by_other`, `archive_damaged`.
 */
export async function writeChanges(memory: TreeMemory, changes: readonly PlannedChange[], mode: AuditMode) {
  const moved = changes.some(({ step }) => step !== undefined) ? await readMoved(memory) : undefined;
  await (memory.ownArtifacts ?? memory.artifacts).putAll(changes.map(({ before }) => before));
  const record = await recordOf(memory, changes, mode);
  const stamp = await addRecord(memory, record);
  const lost = await makeParts(memory, changes);
  const able = changes.filter((change) => !lost.has(change));
  const recorded =
    moved === undefined ? undefined : await writeMoved(memory, moved, await withNewSteps(moved.logs, able));
  const outcomes = await memory.files.commit(
    able.map(({ path, after, stamp: expected }): FileChange => ({ path, bytes: after, expect: { stamp: expected } })),
  );
  const done = able.filter((_, index) => outcomes[index]?.outcome === "written");
  const left = changes.filter((change) => !done.includes(change));
  if (left.length > 0) {
    const prepared = left.filter((change) => !lost.has(change)).map((change) => change.recorded);
    if (recorded !== undefined) await takeOutSteps(memory, recorded, prepared);
    if (done.length === 0 && record.made_archive_folder) await memory.files.removeEmptyFolder?.(archiveFolder);
    await replaceRecord(memory, { ...record, files: done.map((change) => change.recorded) }, stamp);
  }
  return { id: done.length === 0 ? null : record.id, done, left };
}

async function recordOf(memory: TreeMemory, changes: readonly PlannedChange[], mode: AuditMode): Promise<AuditRecord> {
  const now = memory.clock.now();
  const hasParts = changes.some(({ step }) => step !== undefined);
  const beside = hasParts ? await memory.files.list(memoryFolder) : [];
  return {
    version: 1,
    id: await newAuditId(memory, now),
    at: localTimestamp(now, memory.clock.zone),
    mode: mode.aggressive === "yes" ? "aggressive" : "normal",
    made_archive_folder: hasParts && !beside.some(({ name }) => name === "archive"),
    files: changes.map(({ recorded }) => recorded),
    undone_at: null,
  };
}

/** Writes the parts. Returns the changes whose part could not be written, because another file has taken its name. */
async function makeParts(memory: TreeMemory, changes: readonly PlannedChange[]): Promise<ReadonlySet<PlannedChange>> {
  const made = changes.filter(({ recorded }) => recorded.made_part);
  const outcomes = await memory.files.commit(
    made.map(({ recorded, path, before }): FileChange => {
      return { path: recorded.part ?? "", bytes: before, expect: "absent", like: path };
    }),
  );
  return new Set(made.filter((_, index) => outcomes[index]?.outcome !== "written"));
}

/** Adds steps to the record. Earlier steps that are no longer in force (after a crash or an undo) are dropped. */
async function withNewSteps(logs: MovedLogs, changes: readonly PlannedChange[]): Promise<MovedLogs> {
  const added: [path: string, steps: readonly ShorteningStep[]][] = [];
  for (const { path, before, step } of changes) {
    if (step === undefined) continue;
    const inForce = await stepsInForce(logs.get(path) ?? [], (mark) => bytesBeginWith(before, mark));
    added.push([path, [...inForce, step]]);
  }
  return withSteps(logs, added);
}
