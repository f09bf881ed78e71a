import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileChange, FileStamp } from "../../platform/files.ts";
import type { MovedLogs } from "../../tree/model/moved-format.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { changedSince, fileNow, withAppended } from "./file-now.ts";
import { artifactPlace } from "./history-files.ts";
import type { RecordedFile } from "./history-format.ts";
import type { AuditUndoResult } from "./results.ts";
import { underRootOfNow } from "./rooted-memory.ts";

/** What became of the files of an entry. */
export interface Restored {
  /** Those that got their old bytes now. */
  readonly restored: readonly string[];
  /** Notes among them that have what was appended since behind their old bytes. */
  readonly appended: readonly string[];
  /** All that have their old bytes. */
  readonly back: readonly RecordedFile[];
  readonly kept: AuditUndoResult["kept"];
}

/** Gives every file that is as the audit left it its old bytes; what was appended to a note, and a new Compaction Root, stay. Errors: `disk_full`, `io`. */
export async function restoreFiles(
  memory: TreeMemory,
  files: readonly RecordedFile[],
  logs: MovedLogs,
): Promise<Restored> {
  const back: RecordedFile[] = [];
  const kept: AuditUndoResult["kept"][number][] = [];
  const puts: { readonly file: RecordedFile; readonly put: Put }[] = [];
  const keep = (file: RecordedFile, message: string): void =>
    void kept.push({ path: file.path, message, before: artifactPlace(file.before.sha256) });
  for (const file of files) {
    const way = await wayBack(memory, file, logs);
    if (way.kind === "back") back.push(file);
    else if (way.kind === "kept") keep(file, way.message);
    else puts.push({ file, put: way });
  }
  const outcomes = await memory.files.commit(puts.map(({ put }) => put.change));
  const written = puts.filter((_, index) => outcomes[index]?.outcome === "written");
  for (const { file } of puts.filter((one) => !written.includes(one)))
    keep(file, `${file.path} changed while it was about to be put back, so it was left as it is.`);
  return {
    restored: written.map(({ file }) => file.path),
    appended: written.flatMap(({ file, put }) => (put.appended > 0 ? [file.path] : [])),
    back: [...back, ...written.map(({ file }) => file)],
    kept,
  };
}

/** How a file gets its old bytes: it has them, it is put back, or it stays as it is and the sentence says why. */
type WayBack = { readonly kind: "back" } | Put | { readonly kind: "kept"; readonly message: string };

interface Put {
  readonly kind: "put";
  readonly change: FileChange;
  /** Bytes that were appended to a note since. */
  readonly appended: number;
}

async function wayBack(memory: TreeMemory, file: RecordedFile, logs: MovedLogs): Promise<WayBack> {
  const { path } = file;
  const now = await fileNow(memory, file, logs.get(path));
  if (now.state === "before") return { kind: "back" };
  if (now.state === "other") return { kind: "kept", message: now.message };
  // Without the old bytes it was changed, whatever it was.
  if (now.state === "perhaps" && !(await isStored(memory, file))) return { kind: "kept", message: changedSince(path) };
  const old = await oldBytesOf(memory, file);
  if (old === undefined)
    return { kind: "kept", message: `The old bytes of ${path} are neither in the store nor in its part.` };
  const bytes = now.state === "after" ? withAppended(old, now.more) : underRootOfNow(old, now.bytes, file);
  if (bytes === "before") return { kind: "back" };
  if (bytes === undefined) return { kind: "kept", message: changedSince(path) };
  const appended = now.state === "after" ? (now.more?.bytes.length ?? 0) : 0;
  return { kind: "put", change: { path, bytes, expect: { stamp: now.stamp } }, appended };
}

/** Whether somebody changed all of these files since, so that nothing can be put back. */
export async function areAllChanged(
  memory: TreeMemory,
  files: readonly RecordedFile[],
  logs: MovedLogs,
): Promise<boolean> {
  for (const file of files) if ((await wayBack(memory, file, logs)).kind !== "kept") return false;
  return true;
}

/** Whether a file is as it was before the audit. */
export async function hasOldBytes(memory: TreeMemory, file: RecordedFile): Promise<boolean> {
  return (await fileNow(memory, file)).state === "before";
}

async function isStored(memory: TreeMemory, { before }: RecordedFile): Promise<boolean> {
  try {
    return (await memory.artifacts.get(before.sha256)) !== undefined;
  } catch (error) {
    if (error instanceof MemoryError) return false;
    throw error;
  }
}

/** From the store, else from the part, when the bytes are the recorded ones. */
async function oldBytesOf(memory: TreeMemory, { before, part }: RecordedFile): Promise<Uint8Array | undefined> {
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
  memory: TreeMemory,
  wanted: { readonly part: string; readonly digest: string },
): Promise<{ readonly bytes: Uint8Array; readonly stamp: FileStamp } | undefined> {
  const read = await memory.files.read(wanted.part);
  return read !== undefined && sha256(read.bytes) === wanted.digest ? read : undefined;
}

/** Takes away the parts that the audit made, unless a step that stays needs them or they hold other bytes. Errors: `io`. */
export async function removeParts(
  memory: TreeMemory,
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
