import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { MemoryError, ifMemoryError } from "../../base/errors.ts";
import { artifactPath } from "../../base/known-paths.ts";
import type { FileBytes, FileChange } from "../../platform/files.ts";
import { bytesBeginWith, stepsInForce } from "../../tree/logs/log-layout.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import type { BytesMark, MovedLogs, ShorteningStep } from "../../tree/model/moved-format.ts";
import { readText } from "../model/memory-text.ts";
import { isSameStep, type RecordedFile } from "./history-format.ts";
import { stepsBefore, withSteps, writeMoved, type MovedSteps } from "./shortened-notes.ts";

/**
 * Restores the old bytes of every file that is still as the audit left it. Text appended to a note since then and a new Compaction Root are kept. `appended`:
 * restored notes with appended text; `back`: all files that now have their old bytes; `kept`: files left unchanged. Errors: `disk_full`, `io`.
 */
export async function restoreFiles(memory: TreeMemory, files: readonly RecordedFile[], logs: MovedLogs) {
  const back: RecordedFile[] = [];
  const kept: { readonly path: string; readonly message: string; readonly before: string }[] = [];
  const puts: (Put & { readonly file: RecordedFile })[] = [];
  const keep = ({ path, before }: RecordedFile, message: string): void =>
    void kept.push({ path, message, before: artifactPath(before.sha256, "json") });
  for (const file of files) {
    const way = await wayBack(memory, file, logs);
    if (way.kind === "back") back.push(file);
    else if (way.kind === "kept") keep(file, way.message);
    else puts.push({ ...way, file });
  }
  const outcomes = await memory.files.commit(puts.map(({ change }) => change));
  const written = puts.filter((_, index) => outcomes[index]?.outcome === "written");
  for (const put of puts)
    if (!written.includes(put))
      keep(put.file, `${put.file.path} changed just before it was to be restored, so it was left unchanged.`);
  return {
    restored: written.map(({ file }) => file.path),
    appended: written.flatMap(({ file, appended }) => (appended > 0 ? [file.path] : [])),
    back: [...back, ...written.map(({ file }) => file)],
    kept,
  };
}

/** How to restore a file. `back`: it already has its old bytes; `put`: write them; `kept`: leave it unchanged, for the reason in `message`. */
type WayBack = { readonly kind: "back" } | Put | { readonly kind: "kept"; readonly message: string };

interface Put {
  readonly kind: "put";
  readonly change: FileChange;
  /** Number of bytes appended to a note since the audit. */
  readonly appended: number;
}

async function wayBack(memory: TreeMemory, file: RecordedFile, logs: MovedLogs): Promise<WayBack> {
  const { path, part } = file;
  const now = await readNow(memory, path);
  if (typeof now === "string") return { kind: "kept", message: now };
  if (isBefore(now.bytes, file)) return { kind: "back" };
  const isAfter = sha256(now.bytes) === file.after.sha256;
  const more = isAfter || part === null ? undefined : await appendedTo(now.bytes, file, logs.get(path) ?? []);
  const changed = { kind: "kept", message: `${path} has changed since the audit, so it was left unchanged.` } as const;
  if (!isAfter && part !== null && more === undefined) return changed;
  // Only MEMORY.md may differ and still be restored, because its Compaction Root changes with every run.
  const isOtherwise = !isAfter && part === null;
  const reading = oldBytesOf(memory, file);
  const old = await (isOtherwise ? reading.catch(ifMemoryError(() => undefined)) : reading);
  // Without the old bytes, it is unknown whether more than the Compaction Root changed.
  if (old === undefined)
    return isOtherwise
      ? changed
      : { kind: "kept", message: `The old bytes of ${path} are neither in the artifact store nor in memory/archive/.` };
  const bytes = isOtherwise ? underRootOfNow(old, now.bytes, file) : withAppended(old, more);
  if (bytes === "before") return { kind: "back" };
  if (bytes === undefined) return changed;
  const change: FileChange = { path, bytes, expect: { stamp: now.stamp } };
  return { kind: "put", change, appended: more?.bytes.length ?? 0 };
}

/** Reads a file, or returns a sentence about why it is left unchanged. Errors: `disk_full`. */
async function readNow(memory: TreeMemory, path: string): Promise<FileBytes | string> {
  const read = await memory.files.read(path).catch(ifMemoryError((error) => error));
  if (!(read instanceof MemoryError))
    return read ?? `${path} has been removed since the audit, so it was not restored.`;
  if (read.code === "disk_full") throw read;
  return `${path} cannot be read, so it was left unchanged: ${read.message}`;
}

/** Whether the bytes are those from before the audit. Text may have been appended to a note. */
function isBefore(now: Uint8Array, { before, after, part }: RecordedFile): boolean {
  const digest = sha256(now);
  return digest === before.sha256 || (part !== null && digest !== after.sha256 && bytesBeginWith(now, before));
}

/** Whether none of these files can be restored, because all were changed since. */
export async function areAllChanged(
  memory: TreeMemory,
  files: readonly RecordedFile[],
  logs: MovedLogs,
): Promise<boolean> {
  for (const file of files) if ((await wayBack(memory, file, logs)).kind !== "kept") return false;
  return true;
}

export async function hasOldBytes(memory: TreeMemory, file: RecordedFile): Promise<boolean> {
  const now = await readNow(memory, file.path);
  return typeof now !== "string" && isBefore(now.bytes, file);
}

/** Reads the old bytes from the artifact store, or else from the part if its bytes are the recorded ones. */
async function oldBytesOf(memory: TreeMemory, file: RecordedFile): Promise<Uint8Array | undefined> {
  const stored = await (memory.ownArtifacts ?? memory.artifacts)
    .get(file.before.sha256)
    .catch(ifMemoryError((error) => error));
  if (stored !== undefined && !(stored instanceof MemoryError)) return stored;
  const inPart = await readPart(memory, file);
  if (inPart === undefined && stored !== undefined) throw stored;
  return inPart?.bytes;
}

/** Reads the archived copy of a note, if its bytes are the recorded ones. */
async function readPart(memory: TreeMemory, { part, before }: RecordedFile): Promise<FileBytes | undefined> {
  const read = part === null ? undefined : await memory.files.read(part);
  return read !== undefined && sha256(read.bytes) === before.sha256 ? read : undefined;
}

/**
 * Removes an audit's steps for these files from the record of shortened notes, and then the parts it made, unless a remaining step needs them or their
 * bytes differ. Returns the removed parts. Errors: `changed_by_other`, `io`, `disk_full`.
 */
export async function takeOutSteps(
  memory: TreeMemory,
  moved: MovedSteps,
  files: readonly RecordedFile[],
): Promise<readonly string[]> {
  const before = files.map((file) => [file.path, stepsBefore(moved.logs.get(file.path) ?? [], file)] as const);
  const logs = withSteps(moved.logs, before);
  await writeMoved(memory, moved, logs);
  const needed = new Set([...logs.values()].flat().map(({ part }) => part));
  const changes: FileChange[] = [];
  for (const file of files) {
    const { part, made_part } = file;
    if (part === null || !made_part || needed.has(part)) continue;
    const there = await readPart(memory, file);
    if (there !== undefined) changes.push({ path: part, bytes: undefined, expect: { stamp: there.stamp } });
  }
  const outcomes = await memory.files.commit(changes);
  return outcomes.flatMap(({ path, outcome }) => (outcome === "removed" ? [path] : []));
}

/** What was appended to a note since the audit. */
interface Appended {
  readonly bytes: Uint8Array;
  /** The bytes that an earlier audit left, if there was one. */
  readonly earlier: BytesMark | undefined;
}

/** `steps`: from the record of shortened notes. `undefined` if anything other than an append happened. */
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
 * The old bytes followed by the appended ones, with a line end between them, as the tree reads them. `undefined` if the note was edited between
 * two audits: the tree then matches its lines one by one, and more lines could change the match.
 */
function withAppended(old: Uint8Array, more: Appended | undefined): Uint8Array | undefined {
  if (more === undefined || more.bytes.length === 0) return old;
  if (more.earlier !== undefined && !bytesBeginWith(old, more.earlier)) return undefined;
  const [first, second] = more.bytes;
  const isApart = old.length === 0 || old.at(-1) === 10 || first === 10 || (first === 13 && second === 10);
  return Buffer.concat(isApart ? [old, more.bytes] : [old, Buffer.from("\n"), more.bytes]);
}

/**
 * The old MEMORY.md with the current Compaction Root, if only that section changed since the audit. `before`: everything else already has its old bytes.
 * `undefined`: something else changed too.
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

/** The bytes above, in and below the Compaction Root; `undefined` if there is none or more than one. */
function splitAtRoot(bytes: Uint8Array) {
  const { lines } = readText({ path: "MEMORY.md", bytes });
  const first = lines.findIndex(({ part }) => part === "derived");
  const last = lines.findLastIndex(({ part }) => part === "derived");
  const [from, to] = [lines[first]?.from, lines[last]?.to];
  if (from === undefined || to === undefined) return undefined;
  if (lines.slice(first, last).some(({ part }) => part !== "derived")) return undefined;
  return { above: bytes.subarray(0, from), root: bytes.subarray(from, to), below: bytes.subarray(to) };
}
