import { type RecordedFile, isSameStep } from "./history-format.ts";
import { Buffer } from "node:buffer";
import { readText } from "../model/memory-text.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { artifactPath } from "../../base/known-paths.ts";
import type { FileChange, FileStamp } from "../../platform/files.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import type { BytesMark, MovedLogs, ShorteningStep } from "../../tree/model/moved-format.ts";
import { bytesBeginWith, stepsInForce } from "../../tree/logs/log-layout.ts";

interface KeptFile {
  readonly path: string;
  readonly message: string;
  readonly before: string;
}

/** What became of the files of an entry. */
interface Restored {
  /** Those that got their old bytes now. */
  readonly restored: readonly string[];
  /** Notes among them that have what was appended since behind their old bytes. */
  readonly appended: readonly string[];
  /** All that have their old bytes. */
  readonly back: readonly RecordedFile[];
  /** Files that stay as they are, and where their old bytes are. */
  readonly kept: readonly KeptFile[];
}

/** Gives every file that is as the audit left it its old bytes; what was appended to a note, and a new Compaction Root, stay. Errors: `disk_full`, `io`. */
export async function restoreFiles(
  memory: TreeMemory,
  files: readonly RecordedFile[],
  logs: MovedLogs,
): Promise<Restored> {
  const back: RecordedFile[] = [];
  const kept: KeptFile[] = [];
  const puts: { readonly file: RecordedFile; readonly put: Put }[] = [];
  const keep = (file: RecordedFile, message: string): void =>
    void kept.push({ path: file.path, message, before: artifactPath(file.before.sha256, "json") });
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
  const old = await oldBytesOf(memory, file).catch((error: unknown) => {
    if (now.state === "perhaps" && error instanceof MemoryError) return undefined;
    throw error;
  });
  // Without the old bytes nobody can tell what was changed.
  const lost = `The old bytes of ${path} are neither in the store nor in its part.`;
  if (old === undefined) return { kind: "kept", message: now.state === "perhaps" ? changedSince(path) : lost };
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

/** What a file of an entry is now. */
type FileNow =
  | { readonly state: "before" }
  | { readonly state: "after"; readonly stamp: FileStamp; readonly more?: Appended }
  /** MEMORY.md, whose Compaction Root changes with every run. */
  | { readonly state: "perhaps"; readonly stamp: FileStamp; readonly bytes: Uint8Array }
  | { readonly state: "other"; readonly message: string };

/** What a note has got at its end since the audit. */
export interface Appended {
  readonly bytes: Uint8Array;
  /** What an earlier audit had left of the note. */
  readonly earlier: BytesMark | undefined;
}

/** Compares a file with what the audit found and left; `steps` are those of its record of shortened notes. Errors: `disk_full`. */
async function fileNow(
  memory: TreeMemory,
  file: RecordedFile,
  steps: readonly ShorteningStep[] = [],
): Promise<FileNow> {
  const { path, before, after } = file;
  try {
    const read = await memory.files.read(path);
    if (read === undefined)
      return { state: "other", message: `${path} is gone since the audit, so it was not put back.` };
    const digest = sha256(read.bytes);
    if (digest === before.sha256) return { state: "before" };
    if (digest === after.sha256) return { state: "after", stamp: read.stamp };
    if (file.part === null) return { state: "perhaps", stamp: read.stamp, bytes: read.bytes };
    if (bytesBeginWith(read.bytes, before)) return { state: "before" };
    const more = await appendedTo(read.bytes, file, steps);
    if (more !== undefined) return { state: "after", stamp: read.stamp, more };
    return { state: "other", message: changedSince(path) };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code === "disk_full") throw error;
    return { state: "other", message: `${path} cannot be read, so it was left as it is: ${error.message}` };
  }
}

function changedSince(path: string): string {
  return `${path} was changed since the audit, so it was left as it is.`;
}

async function appendedTo(
  now: Uint8Array,
  file: RecordedFile,
  steps: readonly ShorteningStep[],
): Promise<Appended | undefined> {
  const inForce = await stepsInForce(steps, (mark) => bytesBeginWith(now, mark));
  const [last, earlier] = inForce.toReversed();
  if (last === undefined || !isSameStep(file, last) || !bytesBeginWith(now, file.after)) return undefined;
  return { bytes: now.subarray(file.after.bytes), earlier: earlier?.after };
}

/**
 * The old bytes with what came since behind them, as the tree reads them: a line end stands between them. `undefined` when the note was edited between
 * two audits: its lines are told apart one by one, and more lines could change that.
 */
function withAppended(old: Uint8Array, more: Appended | undefined): Uint8Array | undefined {
  if (more === undefined || more.bytes.length === 0) return old;
  if (more.earlier !== undefined && !bytesBeginWith(old, more.earlier)) return undefined;
  const [first, second] = more.bytes;
  const isApart = old.length === 0 || old.at(-1) === 10 || first === 10 || (first === 13 && second === 10);
  return Buffer.concat(isApart ? [old, more.bytes] : [old, Buffer.from("\n"), more.bytes]);
}

/**
 * The old MEMORY.md with the Compaction Root of now, when nothing but that section was changed since the audit; `before` when it has its old bytes
 * besides. `undefined` when more was changed.
 */
function underRootOfNow(
  old: Uint8Array,
  now: Uint8Array,
  { before, after }: RecordedFile,
): Uint8Array | "before" | undefined {
  const [was, is] = [splitAtRoot(old), splitAtRoot(now)];
  if (was === undefined || is === undefined) return undefined;
  const digest = sha256(Buffer.concat([is.above, was.root, is.below]));
  if (digest === before.sha256) return "before";
  return digest === after.sha256 ? Buffer.concat([was.above, is.root, was.below]) : undefined;
}

/** The bytes above the Compaction Root, its own and those below; `undefined` without one, or with two. */
function splitAtRoot(bytes: Uint8Array) {
  const { lines } = readText({ path: "MEMORY.md", bytes });
  const first = lines.findIndex(({ part }) => part === "derived");
  const last = lines.findLastIndex(({ part }) => part === "derived");
  const [from, to] = [lines[first]?.from, lines[last]?.to];
  if (from === undefined || to === undefined) return undefined;
  if (lines.slice(first, last).some(({ part }) => part !== "derived")) return undefined;
  return { above: bytes.subarray(0, from), root: bytes.subarray(from, to), below: bytes.subarray(to) };
}
