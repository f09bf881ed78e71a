import * as nodeFs from "node:fs";
import { randomBytes } from "node:crypto";
import { basename, dirname } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import {
  kindOf,
  statAt,
  type ArtifactDisk,
  causeOf,
  failureOf,
  rememberDurable,
  folderOf,
  madeFolderOf,
  syncFile,
  syncFolders,
  type ArtifactFs,
  checkId,
} from "./artifact-folders.ts";
import type { ArtifactStore } from "../artifact-store.ts";
import type { Random } from "../clock.ts";

/** The bytes of an artifact, checked; `undefined` when there are none. Wrong bytes are moved aside. */
export function readArtifact(disk: ArtifactDisk, id: string): Uint8Array | undefined {
  const folder = shown("open", id, () => folderOf(disk, id));
  if (folder === undefined) return undefined;
  for (const path of [`${folder}/${id}.json`, `${folder}/${id}.md`]) {
    const found = shown("read", path, () => readRegular(disk, path));
    if (found === undefined) continue;
    if (sha256(found.bytes) === id || (path.endsWith(".md") && disk.isRecord(found.bytes, id))) return found.bytes;
    throw damaged(disk, { id, path, ino: found.ino });
  }
  return undefined;
}

export interface FoundFile {
  readonly bytes: Uint8Array;
  readonly ino: bigint;
}

/** A regular file; `undefined` when it is absent. Errors: `not_a_file`; others as the system calls fail. */
export function readRegular({ fs }: ArtifactDisk, path: string): FoundFile | undefined {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  let fd: number;
  try {
    // O_NONBLOCK: opening a FIFO without a writer would wait for one.
    fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (causeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stat = fs.fstatSync(fd, { bigint: true });
    if (kindOf(stat) !== "file")
      throw new MemoryError("not_a_file", `${path} is no regular file; only those are read. Move it away.`, { path });
    const bytes = new Uint8Array(Number(stat.size));
    let filled = 0;
    while (filled < bytes.length) {
      const count = fs.readSync(fd, bytes, filled, bytes.length - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return { bytes: bytes.subarray(0, filled), ino: stat.ino };
  } finally {
    fs.closeSync(fd);
  }
}

interface Damaged {
  readonly id: string;
  readonly path: string;
  readonly ino: bigint;
}

/** Moves wrong bytes aside and returns the error that says so. */
export function damaged(disk: ArtifactDisk, { id, path, ino }: Damaged): MemoryError {
  const stem = path.replace(/\.(json|md)$/u, "");
  let count = 1;
  let advice: string;
  try {
    while (statAt(disk, `${stem}.damaged-${count}`) !== undefined) count += 1;
    // Somebody may have moved it and put the right bytes there since it was read.
    if (statAt(disk, path)?.ino === ino) disk.fs.renameSync(path, `${stem}.damaged-${count}`);
    advice = `It was moved aside to ${id.slice(0, 8)}….damaged-${count} in the same folder; restore the file from a backup, or let it be made anew.`;
  } catch (error) {
    advice = `It could not be moved aside (${causeOf(error) ?? "unknown cause"}); restore the file from a backup.`;
  }
  const sentence = `The bytes of the artifact ${id} are not those of its id. ${advice}`;
  return new MemoryError("artifact_damaged", sentence, { artifact_id: id, path });
}

function shown<T>(act: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw failureOf(act, path, error);
  }
}

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

interface FileArtifactsOptions {
  /** Absolute path of `<project>/.heartwood/artifacts`. Made with the first artifact. */
  readonly folder: string;
  /** Default `node:fs`. */
  readonly fs?: ArtifactFs;
  /** For the names of temporary files. Default `crypto.randomBytes`. */
  readonly random?: Random;
  /** Whether Markdown with another digest is what an id names: some records change without their id. Default: never. */
  readonly isRecord?: (bytes: Uint8Array, id: string) => boolean;
}

/**
 * Artifacts as files `<2>/<64>.json` with mode 0600, in folders with mode 0700. Those that the tree keeps there as `<2>/<64>.md` are read, too.
 *
 * - A link is refused with `link_outside`, in the place of a file and of a folder; a FIFO, a folder or a device is `not_a_file` and never waited for.
 * - After a crash the file of an id is absent or whole. Wrong bytes (a broken disk, an editor) are renamed to `<64>.damaged-<n>`.
 * - A failed call leaves no temporary file; artifacts of the same call that were in place before the failure stay.
 * - A read opens one file and looks at three folders: some ten microseconds. Nothing is cached.
 */
export function createFileArtifacts(options: FileArtifactsOptions): ArtifactStore {
  const above = dirname(options.folder);
  const disk: ArtifactDisk = {
    fs: options.fs ?? nodeFs,
    project: dirname(above),
    below: [basename(above), basename(options.folder)],
    isRecord: options.isRecord ?? (() => false),
    random: options.random ?? { bytes: (count) => randomBytes(count) },
    real: {},
    durable: new Map(),
    doubtful: new Set(),
  };
  return {
    id: "file-artifacts-1",
    put: async (bytes) => (await writeArtifacts(disk, [bytes]))[0] ?? "",
    putAll: (all) => writeArtifacts(disk, all),
    get: async (id) => {
      checkId(id);
      return readArtifact(disk, id);
    },
  };
}
