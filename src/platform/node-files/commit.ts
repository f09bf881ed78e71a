import { constants } from "node:fs";
import { promisify } from "node:util";
import { MemoryError } from "../../base/errors.ts";
import { isInStateFolder } from "../../base/known-paths.ts";
import type { CommitOutcome, FileChange } from "../files.ts";
import { unless } from "../local-state/disk.ts";
import {
  absoluteOf,
  createFolders,
  failureOf,
  filePlaceOf,
  kindOf,
  refuseIrregular,
  stampOf,
  statAt,
  syncChain,
  writablePlaceOf,
  writeAll,
  type Disk,
  type FilePlace,
  type NodeStat,
} from "./place.ts";

/** One change of a batch, and where it goes. */
interface Step {
  readonly change: FileChange;
  readonly place: FilePlace;
  /** Whether the caller's expectation held at the start. If not, nothing is written. */
  readonly state: "holds" | "changed";
  /** The file being replaced, or the one in `like`; the new file gets its mode and owner. */
  readonly model: NodeStat | undefined;
  /** The new bytes in a file next to the target: complete and, except for caches, durable. */
  temporary?: Temporary;
}

interface Temporary {
  readonly path: string;
  /** The real absolute path of the file to replace. */
  readonly target: string;
  /** Taken from the open file after the last write. */
  readonly stat: NodeStat;
}

/** Replaces, creates or removes files as one batch, in the order of the write protocol. */
export async function commitBatch(disk: Disk, changes: readonly FileChange[]): Promise<readonly CommitOutcome[]> {
  const steps = stepsOf(disk, changes);
  /** Temporary files on disk, complete or not. */
  const litter = new Set<string>();
  try {
    await writeTemporaries(disk, steps, litter);
    const outcomes = steps.map((step) => applyStep(disk, step, litter));
    await syncChanged(disk, steps, outcomes);
    return outcomes;
  } catch (error) {
    throw withLeftovers(failureOf("write", "", error), discard(disk, litter));
  }
}

/** Plans the steps of a batch. Writes nothing. Errors: `invalid_path`, `link_outside`, `not_a_file`, `io`. */
function stepsOf(disk: Disk, changes: readonly FileChange[]): readonly Step[] {
  if (new Set(changes.map(({ path }) => path)).size < changes.length)
    throw new MemoryError("internal", "A batch changes a file twice.");
  return changes.map((change) => {
    const { path, like, expect } = change;
    try {
      const place = writablePlaceOf(disk, path);
      const stat = statOf(disk, place);
      if (stat !== undefined) refuseIrregular(path, stat);
      const example = stat === undefined && like !== undefined ? statOf(disk, filePlaceOf(disk, like)) : stat;
      const model = example !== undefined && kindOf(example) === "file" ? example : undefined;
      return { change, place, state: holds(expect, stat) ? "holds" : "changed", model };
    } catch (error) {
      throw failureOf("write", path, error);
    }
  });
}

/** Whether the caller's expectation about a file holds. */
function holds(expect: FileChange["expect"], stat: NodeStat | undefined): boolean {
  if (expect === "anything") return stat === undefined || kindOf(stat) === "file";
  if (expect === "absent") return stat === undefined;
  return stat !== undefined && stampOf(stat) === expect.stamp;
}

function statOf(disk: Disk, place: FilePlace): NodeStat | undefined {
  return place.missing.length > 0 ? undefined : statAt(disk, absoluteOf(place));
}

/** Limits open files and threads waiting on the disk. */
const filesInFlight = 64;

/** Writes and syncs the temporary files, several at a time. If one fails, throws after all work has stopped. */
async function writeTemporaries(disk: Disk, steps: readonly Step[], litter: Set<string>): Promise<void> {
  const random = Buffer.from(disk.random.bytes(8)).toString("hex");
  let count = 0;
  const queue = steps.filter(({ state, change }) => state === "holds" && change.bytes !== undefined).toReversed();
  const lane = async (): Promise<void> => {
    for (let step = queue.pop(); step !== undefined; step = queue.pop()) {
      try {
        count += 1;
        const name = `.hw-${random}${count.toString(16).padStart(4, "0")}.tmp`;
        step.temporary = await writeTemporary(disk, step, { name, litter });
      } catch (error) {
        queue.length = 0;
        throw failureOf("write", step.change.path, error);
      }
    }
  };
  const lanes = Array.from({ length: Math.min(filesInFlight, queue.length) }, lane);
  const failed = (await Promise.allSettled(lanes)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function writeTemporary(
  disk: Disk,
  { change, place, model }: Step,
  { name, litter }: { readonly name: string; readonly litter: Set<string> },
): Promise<Temporary> {
  const { fs } = disk;
  const { folder } = createFolders(disk, place);
  const path = `${folder}/${name}`;
  const mode = isInStateFolder(change.path) ? 0o600 : model === undefined ? change.mode : Number(model.mode) & 0o777;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = await promisify(fs.open)(path, flags, mode === undefined ? 0o644 : 0o600);
  try {
    litter.add(path);
    writeAll(disk, fd, change.bytes ?? new Uint8Array(0));
    // Owner before mode, since changing the owner clears some mode bits.
    if (model !== undefined) keepOwner(disk, fd, model);
    if (mode !== undefined) fs.fchmodSync(fd, mode);
    if (change.durability !== "cache") await promisify(fs.fsync)(fd);
    return { path, target: `${folder}/${place.name}`, stat: fs.fstatSync(fd, { bigint: true }) };
  } finally {
    fs.closeSync(fd);
  }
}

/** Keeps the owner of a file replaced by root; other users cannot change owners. */
function keepOwner({ fs }: Disk, fd: number, { uid, gid }: NodeStat): void {
  if (uid === undefined || gid === undefined || fs.fchownSync === undefined) return;
  const own = fs.fstatSync(fd, { bigint: true });
  if (own.uid === uid && own.gid === gid) return;
  unless("EPERM", () => fs.fchownSync?.(fd, Number(uid), Number(gid)));
}

/** No `await` between the comparison and the rename, to keep the race window as small as possible. */
function applyStep(disk: Disk, { change, place, state, temporary }: Step, litter: Set<string>): CommitOutcome {
  const { path, expect } = change;
  if (state === "changed") return { path, outcome: "changed" };
  try {
    if (temporary === undefined) {
      const stat = statOf(disk, place);
      if (!holds(expect, stat)) return { path, outcome: "changed" };
      if (stat !== undefined) unless("ENOENT", () => disk.fs.unlinkSync(absoluteOf(place)));
      return { path, outcome: "removed" };
    }
    const isSo = holds(expect, statAt(disk, temporary.target));
    if (isSo) disk.fs.renameSync(temporary.path, temporary.target);
    else disk.fs.unlinkSync(temporary.path);
    litter.delete(temporary.path);
    return isSo ? { path, outcome: "written", stamp: stampAfter(disk, temporary) } : { path, outcome: "changed" };
  } catch (error) {
    throw failureOf(temporary === undefined ? "remove" : "replace", path, error);
  }
}

/**
 * Reads the stamp after the rename, which changes the ctime. If another program replaced the file in between, returns the temporary file's stamp,
 * which matches nothing, so the next comparison correctly returns `changed`.
 */
function stampAfter(disk: Disk, { target, stat: written }: Temporary): string {
  const named = statAt(disk, target);
  const isOurs = named?.ino === written.ino && named.size === written.size && named.mtimeNs === written.mtimeNs;
  return stampOf(isOurs ? named : written);
}

async function syncChanged(disk: Disk, steps: readonly Step[], outcomes: readonly CommitOutcome[]): Promise<void> {
  const synced = new Set<string>();
  for (const [index, { change }] of steps.entries()) {
    const dir = change.path.slice(0, Math.max(change.path.lastIndexOf("/"), 0));
    if (change.durability === "cache" || outcomes[index]?.outcome === "changed" || synced.has(dir)) continue;
    synced.add(dir);
    try {
      await syncChain(disk, filePlaceOf(disk, change.path));
    } catch (error) {
      throw failureOf("sync the folder of", change.path, error);
    }
  }
}

/** Removes the temporary files and returns the paths of those that could not be removed. */
function discard(disk: Disk, litter: ReadonlySet<string>): readonly string[] {
  return [...litter].filter((path) => {
    try {
      unless("ENOENT", () => disk.fs.unlinkSync(path));
      return false;
    } catch {
      return true;
    }
  });
}

function withLeftovers(error: MemoryError, leftovers: readonly string[]): MemoryError {
  if (leftovers.length === 0) return error;
  const sentence = `${error.message} Temporary files remain: ${leftovers.join(", ")}.`;
  return new MemoryError(error.code, sentence, { ...error.details, leftovers }, error);
}
