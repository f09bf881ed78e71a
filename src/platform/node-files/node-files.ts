import { constants } from "node:fs";
import { promisify } from "node:util";
import { systemRandom, type Random } from "../clock.ts";
import { unless } from "../local-state/disk.ts";
import type { Files, ByteRange, FileBytes, FileChange, FileEntry, FileStamp } from "../files.ts";
import { commitBatch } from "./commit.ts";
import {
  failureOf,
  type Disk,
  type NodeFs,
  absoluteOf,
  writablePlaceOf,
  syncFolder,
  kindOf,
  stampOf,
  filePlaceOf,
  folderPlaceOf,
  refuseIrregular,
  statAt,
  writeAll,
  createFolders,
  syncChain,
  type FilePlace,
} from "./place.ts";
import { MemoryError, systemCodeOf } from "../../base/errors.ts";
import { isInStateFolder } from "../../base/known-paths.ts";

const nodeFs = process.getBuiltinModule("node:fs");

interface NodeFilesOptions {
  /** Absolute path of the project folder, which may be a link. */
  readonly root: string;
  /** Default `node:fs`. */
  readonly fs?: NodeFs;
  /** For the names of temporary files. Default: the system's random bytes. */
  readonly random?: Random;
}

/**
 * The project folder on a real disk (or on anything with the functions of `NodeFs`).
 *
 * - A path whose last part is a link is refused with `link_outside`, wherever it points, for reading and writing. Folders above it may be links if
 *   their real path is inside the project.
 * - Writing to a `.git` folder is refused with `invalid_path`, in upper or lower case and through links.
 * - ENOSPC and EDQUOT are `disk_full`; other failed system calls are `io`. The message contains the path and the cause.
 * - A failed `commit` leaves no temporary files, unless removing them also fails; `details.leftovers` lists those. Files renamed before the failure
 *   stay replaced, each complete.
 * - A failed `append` may leave part of the bytes at the end of the file. They are not removed, since another process may have appended after them. A
 *   new empty file is removed.
 * - Between the comparison with `expect` and the rename (a few microseconds), another program's save can be overwritten: POSIX has no
 *   compare-and-rename.
 * - New files have mode 0644 minus the umask; a replaced file keeps its mode and, if root replaces it, its owner. Files in `.heartwood/` have mode
 *   0600, folders 0700.
 */
export function createNodeFiles({ root, fs = nodeFs, random = systemRandom }: NodeFilesOptions): Files {
  const disk: Disk = { fs, random, root, durable: new Map() };
  const files: Files = {
    id: "node-files-1",
    list: async (dir) => listFolder(disk, dir),
    names: async (dir) => namesIn(disk, folderPlaceOf(disk, dir), dir),
    read: async (path, range) => readFileAt(disk, path, range),
    append: async (path, bytes, options) => appendTo(disk, path, bytes, options?.durability),
    commit: async (changes) => commitBatch(disk, changes),
    removeEmptyFolder: async (dir) => removeEmptyFolder(disk, dir),
  };
  return fs === nodeFs ? { ...files, settle: () => new Promise((resolve) => setTimeout(resolve, tick)) } : files;
}

/** File time stamps have the resolution of the kernel's tick, at most 10 ms; this adds a margin. */
const tick = 25;

/** Removes a folder if it is empty, but not a link to one. */
async function removeEmptyFolder(disk: Disk, dir: string): Promise<"removed" | "kept"> {
  const place = writablePlaceOf(disk, dir);
  if (place.missing.length > 0) return "kept";
  try {
    disk.fs.rmdirSync(absoluteOf(place));
    disk.durable.delete(absoluteOf(place));
    await syncFolder(disk, place.folder);
    return "removed";
  } catch (error) {
    if (staying.includes(String(systemCodeOf(error)))) return "kept";
    throw failureOf("remove", dir, error);
  }
}

/** Error codes for a folder that is not empty, something that is not a folder, and a missing folder. */
const staying = ["ENOTEMPTY", "EEXIST", "ENOTDIR", "ENOENT"];

/** Reads a regular file or a part of it; `undefined` if it does not exist. */
function readFileAt(disk: Disk, path: string, range?: ByteRange): FileBytes | undefined {
  const place = filePlaceOf(disk, path);
  if (place.missing.length > 0) return undefined;
  try {
    // O_NONBLOCK: otherwise opening a FIFO without a writer would block.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    const fd = unless("ENOENT", () => disk.fs.openSync(absoluteOf(place), flags));
    if (fd === undefined) return undefined;
    try {
      return readOpenFile(disk, fd, path, range);
    } finally {
      disk.fs.closeSync(fd);
    }
  } catch (error) {
    throw failureOf("read", path, error);
  }
}

/** Reads an open file up to its current size, or a part of it. */
function readOpenFile(disk: Disk, fd: number, path: string, range?: ByteRange): FileBytes {
  const stat = disk.fs.fstatSync(fd, { bigint: true });
  refuseIrregular(path, stat);
  const size = Number(stat.size);
  const from = Math.min(Math.max(range?.from ?? 0, 0), size);
  const to = Math.max(Math.min(range?.to ?? size, size), from);
  return { bytes: readBetween(disk, fd, { from, to }), size, stamp: stampOf(stat) };
}

function namesIn(disk: Disk, place: ReturnType<typeof folderPlaceOf>, dir: string): readonly string[] {
  if (place.missing.length > 0) return [];
  try {
    return (unless("ENOENT", () => disk.fs.readdirSync(place.folder)) ?? []).toSorted();
  } catch (error) {
    throw failureOf("list", dir, error);
  }
}

/** The entries of a folder, sorted by code unit; none if it does not exist. */
function listFolder(disk: Disk, dir: string): readonly FileEntry[] {
  const place = folderPlaceOf(disk, dir);
  const names = namesIn(disk, place, dir);
  try {
    return names.flatMap((name): readonly FileEntry[] => {
      const stat = statAt(disk, `${place.folder}/${name}`);
      // The entry vanished after the listing.
      if (stat === undefined) return [];
      const { size, mtimeMs } = stat;
      return [{ name, kind: kindOf(stat), size: Number(size), stamp: stampOf(stat), changedAt: Number(mtimeMs) }];
    });
  } catch (error) {
    throw failureOf("list", dir, error);
  }
}

/** Reads to the end of the range, or to the end of the file if it has shrunk. */
function readBetween(disk: Disk, fd: number, range: ByteRange): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(range.to - range.from);
  let filled = 0;
  while (filled < bytes.length) {
    const count = disk.fs.readSync(fd, bytes, filled, bytes.length - filled, range.from + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled === bytes.length ? bytes : bytes.subarray(0, filled);
}

const triesAllowed = 10;

/** Appends bytes to the file that ends up at the path, even if it is replaced meanwhile; durable on return. */
async function appendTo(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  durability: FileChange["durability"] = "synced",
): Promise<FileStamp> {
  const place = writablePlaceOf(disk, path);
  try {
    let copies: number | undefined;
    for (let tries = 0; tries < triesAllowed; tries += 1) {
      const outcome = await appendOnce(disk, createFolders(disk, place), { bytes, copies, durability });
      if (typeof outcome === "string") return outcome;
      copies = outcome;
    }
  } catch (error) {
    throw failureOf("append to", path, error);
  }
  const sentence = `Could not append to ${path}: another program replaced it ${triesAllowed} times in the meantime. Stop that program, then try again.`;
  throw new MemoryError("changed_by_other", sentence, { path });
}

/**
 * Returns the file's stamp; or, if another file was renamed to the path meanwhile, how often the bytes occur in the lost file. `copies`: that count
 * from the previous attempt.
 */
async function appendOnce(
  disk: Disk,
  place: FilePlace,
  {
    bytes,
    copies,
    durability,
  }: Required<Pick<FileChange, "durability">> & {
    readonly bytes: Uint8Array;
    readonly copies: number | undefined;
  },
): Promise<FileStamp | number> {
  const path = absoluteOf(place);
  const { fd, made } = openForAppending(disk, place);
  try {
    const opened = disk.fs.fstatSync(fd, { bigint: true });
    const { ino } = opened;
    refuseIrregular(place.shown, opened);
    const isThere = copies !== undefined && copiesIn(disk, fd, bytes) >= copies;
    if (!isThere) writeAll(disk, fd, bytes);
    if (durability === "synced") await promisify(disk.fs.fsync)(fd);
    if (durability === "synced" && (copies !== undefined || disk.durable.get(path) !== ino))
      await syncChain(disk, place);
    const named = statAt(disk, path);
    if (named?.ino !== ino) return copiesIn(disk, fd, bytes);
    if (durability === "synced") disk.durable.set(path, ino);
    return stampOf(disk.fs.fstatSync(fd, { bigint: true }));
  } catch (error) {
    if (made === "new") removeEmpty(disk, fd, path);
    throw error;
  } finally {
    disk.fs.closeSync(fd);
  }
}

/** Opens with O_RDWR: if another file is renamed to the path, both files are searched for the bytes. */
function openForAppending(disk: Disk, place: FilePlace): { readonly fd: number; readonly made: "new" | "there" } {
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
  const flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
  const path = absoluteOf(place);
  const mode = isInStateFolder(place.shown) ? 0o600 : 0o644;
  for (;;) {
    const there = unless("ENOENT", () => disk.fs.openSync(path, flags));
    if (there !== undefined) return { fd: there, made: "there" };
    const made = unless("EEXIST", () => disk.fs.openSync(path, flags | O_CREAT | O_EXCL, mode));
    if (made !== undefined) return { fd: made, made: "new" };
  }
}

/** Removes a new file that stayed empty because the disk is full. A process that has opened it meanwhile notices that the name is gone and appends to a new file. */
function removeEmpty(disk: Disk, fd: number, path: string): void {
  const { ino, size } = disk.fs.fstatSync(fd, { bigint: true });
  const named = statAt(disk, path);
  if (size === 0n && named?.ino === ino) disk.fs.unlinkSync(path);
}

function copiesIn(disk: Disk, fd: number, bytes: Uint8Array): number {
  if (bytes.length === 0) return 0;
  const read = readOpenFile(disk, fd, "").bytes;
  const file = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  let copies = 0;
  for (let at = file.indexOf(bytes); at !== -1; at = file.indexOf(bytes, at + bytes.length)) copies += 1;
  return copies;
}
