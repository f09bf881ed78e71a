import { MemoryError } from "../../base/errors.ts";
import type { CommitOutcome, FileChange } from "../files.ts";
import {
  codeOf,
  failureOf,
  stampOf,
  type Disk,
  type NodeStat,
  absoluteOf,
  filePlaceOf,
  syncChain,
  kindOf,
  writeAll,
  refuseIrregular,
  writablePlaceOf,
  createFolders,
  syncFile,
  type FilePlace,
} from "./place.ts";
import { isInStateFolder } from "../../base/known-paths.ts";

/** Replaces, creates or removes files as one batch, in the order of the write protocol. */
export async function commitBatch(disk: Disk, changes: readonly FileChange[]): Promise<readonly CommitOutcome[]> {
  const steps = stepsOf(disk, changes);
  const batch: Batch = { temporaries: new Map(), litter: new Set(), folders: new Map() };
  try {
    await writeTemporaries(disk, steps.filter(isWrite), batch);
    const outcomes = steps.map((step) => applyStep(disk, step, batch));
    await syncChanged(disk, steps, outcomes);
    return outcomes;
  } catch (error) {
    throw withLeftovers(failureOf("write", "", error), discardLitter(disk, batch));
  }
}

/** No `await` between the comparison and the rename: the window stays as small as the system allows. */
function applyStep(disk: Disk, step: Step, batch: Batch): CommitOutcome {
  const { change, place } = step;
  if (step.state === "changed") return { path: change.path, outcome: "changed" };
  const temporary = batch.temporaries.get(change.path);
  try {
    if (temporary === undefined) return removeTarget(disk, step);
    const target = `${temporary.folder}/${place.name}`;
    if (!holds(change.expect, statAt(disk, target))) {
      disk.fs.unlinkSync(temporary.path);
      batch.litter.delete(temporary.path);
      return { path: change.path, outcome: "changed" };
    }
    disk.fs.renameSync(temporary.path, target);
    batch.litter.delete(temporary.path);
    return { path: change.path, outcome: "written", stamp: stampAfter(temporary.stat, statAt(disk, target)) };
  } catch (error) {
    throw failureOf(temporary === undefined ? "remove" : "replace", change.path, error);
  }
}

function removeTarget(disk: Disk, step: Step): CommitOutcome {
  const { change, place } = step;
  const stat = statOf(disk, place);
  if (!holds(change.expect, stat)) return { path: change.path, outcome: "changed" };
  try {
    if (stat !== undefined) disk.fs.unlinkSync(absoluteOf(place));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return { path: change.path, outcome: "removed" };
}

/**
 * The rename itself changes the ctime, so the stamp is read after it. When another program was faster, the stamp of
 * the temporary file is returned: it matches nothing, and the next comparison says `changed`, as it should.
 */
function stampAfter(written: NodeStat, named: NodeStat | undefined): string {
  const isOurs =
    named !== undefined &&
    named.ino === written.ino &&
    named.size === written.size &&
    named.mtimeNs === written.mtimeNs;
  return stampOf(isOurs ? named : written);
}

async function syncChanged(disk: Disk, steps: readonly Step[], outcomes: readonly CommitOutcome[]): Promise<void> {
  const synced = new Set<string>();
  for (const [index, { change }] of steps.entries()) {
    if (change.durability === "cache" || outcomes[index]?.outcome === "changed") continue;
    const dir = change.path.slice(0, Math.max(change.path.lastIndexOf("/"), 0));
    if (synced.has(dir)) continue;
    synced.add(dir);
    try {
      await syncChain(disk, filePlaceOf(disk, change.path));
    } catch (error) {
      throw failureOf("sync the folder of", change.path, error);
    }
  }
}

function withLeftovers(error: MemoryError, leftovers: readonly string[]): MemoryError {
  if (leftovers.length === 0) return error;
  const sentence = `${error.message} Temporary files are left: ${leftovers.join(", ")}.`;
  return new MemoryError(error.code, sentence, { ...error.details, leftovers }, error);
}

/** One change with its place, after the refusals and a first comparison: what no longer holds is not even written. */
export interface Step {
  readonly change: FileChange;
  readonly place: FilePlace;
  readonly state: "holds" | "changed";
  /** Permission bits: the owner's alone in the state folder, else of the file that is replaced or of the one that this one is like. */
  readonly mode: number | undefined;
  /** Who owns that file. */
  readonly owner: Owner | undefined;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** A step that puts bytes in place. */
interface WriteStep extends Step {
  readonly change: FileChange & { readonly bytes: Uint8Array };
}

/** Whether a step has bytes to write. */
export function isWrite(step: Step): step is WriteStep {
  return step.state === "holds" && step.change.bytes !== undefined;
}

/** The steps of a batch. Nothing is written yet. Errors: `invalid_path`, `link_outside`, `not_a_file`, `io`. */
export function stepsOf(disk: Disk, changes: readonly FileChange[]): readonly Step[] {
  const seen = new Set<string>();
  return changes.map((change) => {
    if (seen.has(change.path)) {
      throw new MemoryError("internal", `${change.path} stands twice in one batch.`, { path: change.path });
    }
    seen.add(change.path);
    try {
      return stepOf(disk, change);
    } catch (error) {
      throw failureOf("write", change.path, error);
    }
  });
}

function stepOf(disk: Disk, change: FileChange): Step {
  const place = writablePlaceOf(disk, change.path);
  const stat = statOf(disk, place);
  if (stat !== undefined) refuseIrregular(change.path, kindOf(stat));
  const model = stat ?? likeOf(disk, change);
  return {
    change,
    place,
    state: holds(change.expect, stat) ? "holds" : "changed",
    mode: isInStateFolder(change.path) ? 0o600 : model === undefined ? undefined : Number(model.mode) & 0o777,
    owner: model === undefined ? undefined : ownerOf(model),
  };
}

function likeOf(disk: Disk, { like }: FileChange): NodeStat | undefined {
  const stat = like === undefined ? undefined : statOf(disk, filePlaceOf(disk, like));
  return stat !== undefined && kindOf(stat) === "file" ? stat : undefined;
}

/** `undefined` where the system does not say. */
export function ownerOf({ uid, gid }: NodeStat): Owner | undefined {
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Whether what the caller expects of a file is so. */
export function holds(expect: FileChange["expect"], stat: NodeStat | undefined): boolean {
  if (expect === "anything") return stat === undefined || kindOf(stat) === "file";
  if (expect === "absent") return stat === undefined;
  return stat !== undefined && stampOf(stat) === expect.stamp;
}

/** The state of a step's file; `undefined` when absent. */
export function statOf(disk: Disk, place: FilePlace): NodeStat | undefined {
  return place.missing.length > 0 ? undefined : statAt(disk, absoluteOf(place));
}

/** The state of an absolute path; `undefined` when absent. */
export function statAt(disk: Disk, path: string): NodeStat | undefined {
  return disk.fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** A temporary file beside its target, whole and, unless it is cache, durable. */
export interface Temporary {
  readonly path: string;
  /** The real absolute path of its folder. */
  readonly folder: string;
  /** Taken on the open file after the last write. */
  readonly stat: NodeStat;
}

/** What a batch has made so far. */
export interface Batch {
  /** By the path of the target. */
  readonly temporaries: Map<string, Temporary>;
  /** Absolute paths of temporary files that are on the disk, whole or not. */
  readonly litter: Set<string>;
  /** The real absolute path of each folder that was looked at or made, by its path in the project. */
  readonly folders: Map<string, string>;
}

/** Bounds the open files and the threads that wait for the disk. */
const filesInFlight = 64;

/**
 * Writes and syncs the temporary file of each step, up to 64 at a time, and records it in the
 * batch. On a failure all work has stopped when the error is thrown.
 */
export async function writeTemporaries(disk: Disk, steps: readonly WriteStep[], batch: Batch): Promise<void> {
  const nextName = temporaryNames(disk);
  const queue = [...steps].toReversed();
  const lane = async (): Promise<void> => {
    for (let step = queue.pop(); step !== undefined; step = queue.pop()) {
      try {
        await writeTemporary(disk, { step, name: nextName(), batch });
      } catch (error) {
        queue.length = 0;
        throw failureOf("write", step.change.path, error);
      }
    }
  };
  const lanes = Array.from({ length: Math.min(filesInFlight, steps.length) }, lane);
  const failed = (await Promise.allSettled(lanes)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Unlinks the temporary files and returns the paths of those that could not be. */
export function discardLitter(disk: Disk, batch: Batch): readonly string[] {
  const left: string[] = [];
  for (const path of batch.litter) {
    try {
      disk.fs.unlinkSync(path);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") left.push(path);
    }
  }
  return left;
}

/** Names never come twice: random for each batch, then counted. */
function temporaryNames(disk: Disk): () => string {
  const random = Buffer.from(disk.random.bytes(8)).toString("hex");
  let count = 0;
  return () => {
    count += 1;
    return `.hw-${random}${count.toString(16).padStart(4, "0")}.tmp`;
  };
}

interface Writing {
  readonly step: WriteStep;
  readonly name: string;
  readonly batch: Batch;
}

async function writeTemporary(disk: Disk, { step, name, batch }: Writing): Promise<void> {
  const { fs } = disk;
  const folder = folderOf(disk, step, batch);
  const path = `${folder}/${name}`;
  const fd = await create(disk, path, step.mode === undefined ? 0o644 : 0o600);
  try {
    batch.litter.add(path);
    writeAll(disk, fd, step.change.bytes);
    // Before the mode, some of whose bits a change of the owner takes away.
    keepOwner(disk, fd, step);
    if (step.mode !== undefined) fs.fchmodSync(fd, step.mode);
    if (step.change.durability !== "cache") await syncFile(disk, fd);
    batch.temporaries.set(step.change.path, { path, folder, stat: fs.fstatSync(fd, { bigint: true }) });
  } finally {
    fs.closeSync(fd);
  }
}

/** A file that root replaces keeps its owner; other users may not give files away. */
function keepOwner({ fs }: Disk, fd: number, { owner }: WriteStep): void {
  if (owner === undefined || fs.fchownSync === undefined) return;
  const own = ownerOf(fs.fstatSync(fd, { bigint: true }));
  if (own?.uid === owner.uid && own.gid === owner.gid) return;
  try {
    fs.fchownSync(fd, owner.uid, owner.gid);
  } catch (error) {
    if (codeOf(error) !== "EPERM") throw error;
  }
}

/** Opens a file that must not exist yet. Fails as `open` fails. */
function create({ fs }: Disk, path: string, mode: number): Promise<number> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
  return new Promise((resolve, reject) => {
    if (fs.open === undefined) resolve(fs.openSync(path, flags, mode));
    else
      fs.open(path, flags, mode, (error, fd) => (error === null || error === undefined ? resolve(fd) : reject(error)));
  });
}

function folderOf(disk: Disk, step: WriteStep, batch: Batch): string {
  const { path } = step.change;
  const dir = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
  const folder = batch.folders.get(dir) ?? createFolders(disk, step.place).folder;
  batch.folders.set(dir, folder);
  return folder;
}
