import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileChange, FileStamp } from "../../ports/files.ts";
import type { MovedLogs } from "../../tree/moved-format.ts";
import type { Memory } from "../memory.ts";
import { changedSince, fileNow, withAppended } from "./file-now.ts";
import { artifactPlace } from "./history-files.ts";
import type { RecordedFile } from "./history-format.ts";
import type { AuditUndoResult } from "./results.ts";
import { underRootOfNow } from "./rooted-memory.ts";

/** What became of the files of an entry. */
export interface Restored {
  /** Those that got their old bytes now. */
  readonly restored: readonly string[];
  /** All that have their old bytes. */
  readonly back: readonly RecordedFile[];
  readonly kept: AuditUndoResult["kept"];
}

/** Gives every file that is as the audit left it its old bytes; what was appended to a note, and a new Compaction Root, stay. Errors: `disk_full`, `io`. */
export async function restoreFiles(memory: Memory, files: readonly RecordedFile[], logs: MovedLogs): Promise<Restored> {
  const back: RecordedFile[] = [];
  const kept: AuditUndoResult["kept"][number][] = [];
  const changes: { readonly file: RecordedFile; readonly change: FileChange }[] = [];
  const keep = (file: RecordedFile, message: string): void =>
    void kept.push({ path: file.path, message, before: artifactPlace(file.before.sha256) });
  for (const file of files) {
    const change = await changeBack(memory, file, logs);
    if (change === "back") back.push(file);
    else if (typeof change === "string") keep(file, change);
    else changes.push({ file, change });
  }
  const outcomes = await memory.files.commit(changes.map(({ change }) => change));
  const restored: string[] = [];
  for (const [index, { file }] of changes.entries()) {
    if (outcomes[index]?.outcome !== "written") {
      keep(file, `${file.path} changed while it was about to be put back, so it was left as it is.`);
      continue;
    }
    restored.push(file.path);
    back.push(file);
  }
  return { restored, back, kept };
}

/** The change that puts a file back; `back` when it is; else the sentence that says why it stays. */
async function changeBack(memory: Memory, file: RecordedFile, logs: MovedLogs): Promise<FileChange | string> {
  const { path } = file;
  const now = await fileNow(memory, file, logs.get(path));
  if (now.state === "before") return "back";
  if (now.state === "other") return now.message;
  // Without the old bytes it was changed, whatever it was.
  if (now.state === "perhaps" && !(await isStored(memory, file))) return changedSince(path);
  const old = await oldBytesOf(memory, file);
  if (old === undefined) return `The old bytes of ${path} are neither in the store nor in its part.`;
  const bytes = now.state === "after" ? withAppended(old, now.more) : underRootOfNow(old, now.bytes, file);
  if (bytes === "before") return "back";
  return bytes === undefined ? changedSince(path) : { path, bytes, expect: { stamp: now.stamp } };
}

/** Whether a file is as it was before the audit. */
export async function hasOldBytes(memory: Memory, file: RecordedFile): Promise<boolean> {
  return (await fileNow(memory, file)).state === "before";
}

async function isStored(memory: Memory, { before }: RecordedFile): Promise<boolean> {
  try {
    return (await memory.artifacts.get(before.sha256)) !== undefined;
  } catch (error) {
    if (error instanceof MemoryError) return false;
    throw error;
  }
}

/** From the store, else from the part, when the bytes are the recorded ones. */
async function oldBytesOf(memory: Memory, { before, part }: RecordedFile): Promise<Uint8Array | undefined> {
  try {
    const stored = await memory.artifacts.get(before.sha256);
    if (stored !== undefined) return stored;
  } catch (error) {
    if (!(error instanceof MemoryError) || part === null) throw error;
    const inPart = await readPart(memory, { part, digest: before.sha256 });
    if (inPart === undefined) throw error;
    return inPart.bytes;
  }
  return part === null ? undefined : (await readPart(memory, { part, digest: before.sha256 }))?.bytes;
}

async function readPart(
  memory: Memory,
  wanted: { readonly part: string; readonly digest: string },
): Promise<{ readonly bytes: Uint8Array; readonly stamp: FileStamp } | undefined> {
  const read = await memory.files.read(wanted.part);
  return read !== undefined && sha256(read.bytes) === wanted.digest ? read : undefined;
}

/** Takes away the parts that the audit made, unless a step that stays needs them or they hold other bytes. Errors: `io`. */
export async function removeParts(
  memory: Memory,
  files: readonly RecordedFile[],
  logs: MovedLogs,
): Promise<readonly string[]> {
  const needed = new Set([...logs.values()].flat().map(({ part }) => part));
  const changes: FileChange[] = [];
  for (const { part, madePart, before } of files) {
    if (part === null || !madePart || needed.has(part)) continue;
    const there = await readPart(memory, { part, digest: before.sha256 });
    if (there !== undefined) changes.push({ path: part, bytes: undefined, expect: { stamp: there.stamp } });
  }
  const outcomes = await memory.files.commit(changes);
  return outcomes.flatMap(({ path, outcome }) => (outcome === "removed" ? [path] : []));
}
