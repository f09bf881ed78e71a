import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { rememberDurable, statAt, type ArtifactDisk } from "./artifact-fs.ts";
import { causeOf, failureOf } from "./failures.ts";
import { madeFolderOf, syncFile, syncFolders } from "./place.ts";
import { damaged, readRegular } from "./read.ts";

/** Stores all, in the order of the write protocol: write, sync, rename, and then each folder is synced once. */
export async function writeArtifacts(disk: ArtifactDisk, all: readonly Uint8Array[]): Promise<readonly string[]> {
  const ids = all.map((bytes) => sha256(bytes));
  const litter = new Set<string>();
  const wanted = [...new Map(ids.map((id, index) => [id, all[index] ?? new Uint8Array(0)]))];
  const work = {
    disk,
    litter,
    folders: new Set<string>(),
    next: temporaryNames(disk),
    written: [] as Written[],
    standing: [] as Standing[],
  };
  try {
    await inLanes(wanted, ([id, bytes]) => prepare(work, id, bytes));
    for (const { id, temporary, target } of work.written) {
      disk.doubtful.add(id);
      disk.fs.renameSync(temporary, target);
      litter.delete(temporary);
    }
    await syncFolders(disk, [...work.folders]);
  } catch (error) {
    discard(disk, litter);
    throw failureOf("store the artifacts in", [disk.project, ...disk.below].join("/"), error);
  }
  for (const { id } of work.written) disk.doubtful.delete(id);
  for (const { target, ino } of [...work.standing, ...work.written]) rememberDurable(disk, target, ino);
  return ids;
}

interface Standing {
  readonly target: string;
  readonly ino: bigint;
}

interface Written extends Standing {
  readonly id: string;
  readonly temporary: string;
}

interface Work {
  readonly disk: ArtifactDisk;
  /** Temporary files that stand on the disk, whole or not. */
  readonly litter: Set<string>;
  /** Folders in which a name is to be made durable. */
  readonly folders: Set<string>;
  readonly next: () => string;
  readonly written: Written[];
  /** Files that stood there with the right bytes. */
  readonly standing: Standing[];
}

/** Sees to it that the bytes stand under their id or beside it in a synced temporary file. */
async function prepare(work: Work, id: string, bytes: Uint8Array): Promise<void> {
  const { disk } = work;
  const folder = madeFolderOf(disk, id);
  const target = `${folder}/${id}.json`;
  const there = readRegular(disk, target);
  if (there !== undefined && sha256(there.bytes) === id && !disk.doubtful.has(id)) {
    if (disk.durable.get(target) === there.ino) return;
    await syncAgain(disk, target);
    work.folders.add(folder);
    work.standing.push({ target, ino: there.ino });
    return;
  }
  // The right bytes are about to stand there: that it was damaged is no failure of this call.
  if (there !== undefined && sha256(there.bytes) !== id)
    refuseUnmoved(damaged(disk, { id, path: target, ino: there.ino }), disk);
  const temporary = `${folder}/${work.next()}`;
  const ino = await writeTemporary(work, temporary, bytes);
  work.folders.add(folder);
  work.written.push({ id, temporary, target, ino });
}

/** Wrong bytes that could not be moved aside are not overwritten. */
function refuseUnmoved(error: MemoryError, disk: ArtifactDisk): void {
  if (statAt(disk, String(error.details["path"])) !== undefined) throw error;
}

async function writeTemporary({ disk, litter }: Work, path: string, bytes: Uint8Array): Promise<bigint> {
  const { fs } = disk;
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const fd = fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  litter.add(path);
  try {
    let written = 0;
    while (written < bytes.length) written += fs.writeSync(fd, bytes, written, bytes.length - written);
    await syncFile(disk, fd);
    return fs.fstatSync(fd, { bigint: true }).ino;
  } finally {
    fs.closeSync(fd);
  }
}

/** Another process wrote it, and may have died before it was durable. */
async function syncAgain(disk: ArtifactDisk, path: string): Promise<void> {
  const { fs } = disk;
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  try {
    await syncFile(disk, fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Bounds the open files and the threads that wait for the disk. */
const lanes = 32;

/** Runs the work of each, some at a time. When one fails, all work has stopped when the error is thrown. */
async function inLanes<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const queue = [...all].toReversed();
  const lane = async (): Promise<void> => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
      try {
        await act(one);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(lanes, all.length) }, lane));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Names never come twice: random for each batch, then counted. */
function temporaryNames({ random }: ArtifactDisk): () => string {
  const stem = Buffer.from(random.bytes(8)).toString("hex");
  let count = 0;
  return () => {
    count += 1;
    return `.hw-${stem}${count.toString(16).padStart(4, "0")}.tmp`;
  };
}

function discard({ fs }: ArtifactDisk, litter: ReadonlySet<string>): void {
  for (const path of litter) {
    try {
      fs.unlinkSync(path);
    } catch (error) {
      // The failure that led here is the one to tell; a temporary file that stays hinders nobody.
      if (causeOf(error) === undefined) throw error;
    }
  }
}
