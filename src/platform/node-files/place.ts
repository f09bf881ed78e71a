import { constants, type BigIntStats } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { MemoryError, systemCodeOf, type ErrorCode } from "../../base/errors.ts";
import { isInStateFolder } from "../../base/known-paths.ts";
import type { Random } from "../clock.ts";
import type { FileEntry, FileStamp } from "../files.ts";
import { unless } from "../local-state/disk.ts";

/** Where a path is: its innermost existing folder, and the names of the missing ones below it. */
interface Place {
  /** The path as given by the caller. */
  readonly shown: string;
  /** The real absolute path of the innermost existing folder, which is inside the project folder. */
  readonly folder: string;
  readonly missing: readonly string[];
}

/** The place of a file: its folder and its name. */
export interface FilePlace extends Place {
  readonly name: string;
}

/** Finds the folder of a file. Errors: `invalid_path`, `link_outside`, `io`. */
export function filePlaceOf(disk: Disk, path: string): FilePlace {
  const parts = partsOf(path);
  const name = parts.pop() ?? "";
  return { ...placeOf(disk, path, parts), name };
}

/** Finds a folder; `""` is the project folder. Errors: `invalid_path`, `link_outside`, `io`. */
export function folderPlaceOf(disk: Disk, dir: string): Place {
  return placeOf(disk, dir, dir === "" ? [] : partsOf(dir));
}

/** The place of a file to write. Refuses `.git` folders, whose files can name programs to run. Errors: same as `filePlaceOf`. */
export function writablePlaceOf(disk: Disk, path: string): FilePlace {
  const place = filePlaceOf(disk, path);
  const parts = [...place.folder.slice(rootOf(disk).length).split("/"), ...place.missing, place.name];
  if (!parts.some((part) => part.toLowerCase() === ".git")) return place;
  throw new MemoryError("invalid_path", `${path} is in a .git folder; heartwood never writes there.`, { path });
}

/** The absolute path of a file whose folders exist. */
export function absoluteOf(place: FilePlace): string {
  return `${place.folder}/${place.name}`;
}

/** The parts of a relative path. Errors: `invalid_path`. */
function partsOf(path: string): string[] {
  const parts = path.split("/");
  if (!/[\0]|^\\/u.test(path) && !parts.some((part) => ["", ".", ".."].includes(part))) return parts;
  const sentence = `The path ${JSON.stringify(path)} is not a path inside the project: it must be relative, with "/" between its parts, and no part may be empty, "." or "..".`;
  throw new MemoryError("invalid_path", sentence, { path });
}

/** Refuses anything but a regular file. Errors: `link_outside`, `not_a_file`. */
export function refuseIrregular(path: string, stat: NodeStat): void {
  const kind = kindOf(stat);
  if (kind === "file") return;
  if (kind === "link") {
    const sentence = `${path} is a link; links are not followed, since they can point outside the project: replace it with the file itself.`;
    throw new MemoryError("link_outside", sentence, { path });
  }
  const seen = kind === "folder" ? "a folder" : "a FIFO, a socket or a device";
  throw new MemoryError("not_a_file", `${path} is ${seen}; only regular files are read and written.`, { path });
}

function placeOf(disk: Disk, shown: string, parts: readonly string[]): Place {
  const root = rootOf(disk);
  let folder = root;
  try {
    for (const [index, part] of parts.entries()) {
      const path = `${folder}/${part}`;
      const stat = statAt(disk, path);
      if (stat === undefined) return { shown, folder, missing: parts.slice(index) };
      folder = kindOf(stat) === "link" ? disk.fs.realpathSync(path) : path;
      // Component by component: `/p/ab` is not inside `/p/a`.
      if (folder !== root && !folder.startsWith(`${root}/`)) {
        const sentence = `${shown} is outside the project: ${part} is a link to ${folder}. Use a folder inside the project.`;
        throw new MemoryError("link_outside", sentence, { path: shown });
      }
      const there = folder === path ? stat : statAt(disk, folder);
      if (there !== undefined && kindOf(there) === "folder") continue;
      const sentence = `Could not open ${shown}: ${part} is not a folder (ENOTDIR). Move it away.`;
      throw new MemoryError("io", sentence, { path: shown, cause: "ENOTDIR" });
    }
  } catch (error) {
    throw failureOf("open", shown, error);
  }
  return { shown, folder, missing: [] };
}

/** Looks up the real path only once, because that takes longer than the rest of a small read. */
function rootOf(disk: Disk): string {
  try {
    return (disk.realRoot ??= disk.fs.realpathSync(disk.root));
  } catch (error) {
    throw failureOf("open the project folder", disk.root, error);
  }
}

/** The state of an absolute path; `undefined` if it does not exist. */
export function statAt(disk: Disk, path: string): NodeStat | undefined {
  return disk.fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** Makes the entries of a folder durable. Errors: same as `fsync`. */
export async function syncFolder(disk: Disk, path: string): Promise<void> {
  const fd = disk.fs.openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await promisify(disk.fs.fsync)(fd);
  } catch (error) {
    // File systems that cannot sync folders (FUSE, network) return EINVAL, so there is nothing to wait for.
    if (systemCodeOf(error) !== "EINVAL") throw error;
  } finally {
    disk.fs.closeSync(fd);
  }
}

/** Syncs a place's folder and, if this instance has not done so yet, the entries of the folders above it. */
export async function syncChain(disk: Disk, place: Place): Promise<void> {
  await syncFolder(disk, place.folder);
  for (let { folder } = place; folder !== rootOf(disk); folder = dirname(folder)) {
    const ino = statAt(disk, folder)?.ino;
    if (disk.durable.get(folder) === ino) continue;
    await syncFolder(disk, dirname(folder));
    if (ino !== undefined) disk.durable.set(folder, ino);
  }
}

/** Creates the missing folders of a place. They are durable after `syncChain`. Errors: same as `mkdir`. */
export function createFolders(disk: Disk, place: FilePlace): FilePlace {
  let folder = place.folder;
  const mode = isInStateFolder(place.shown) ? 0o700 : 0o777;
  for (const name of place.missing) {
    folder = `${folder}/${name}`;
    unless("EEXIST", () => {
      disk.fs.mkdirSync(folder, mode);
      // The new folder may reuse the inode of a removed one that was durable.
      disk.durable.delete(folder);
    });
  }
  return { ...place, folder, missing: [] };
}

/** State shared by the parts of this adapter: the file system, the project folder and what is known to be durable. */
export interface Disk {
  readonly fs: NodeFs;
  readonly random: Random;
  /** The project folder as given, without a trailing slash. */
  readonly root: string;
  /** The real path of `root`, once looked up. */
  realRoot?: string;
  /**
   * Entries (absolute path → inode) whose name this instance has synced in their folder. An entry created by another process
   * may not be durable yet (that process may have died before its sync), so the first use here syncs it again.
   */
  readonly durable: Map<string, bigint>;
}

/**
 * The part of `node:fs` that this adapter uses; tests can replace it with a faulty file system. Every function behaves and fails like its namesake in
 * Node: a failure is an `Error` with a `code` such as `EIO`.
 */
export interface NodeFs {
  openSync(path: string, flags: number, mode?: number): number;
  open(path: string, flags: number, mode: number, done: (error: Error | null, fd: number) => void): void;
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  readSync(fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  fsync(fd: number, done: (error: Error | null) => void): void;
  fstatSync(fd: number, options: { readonly bigint: true }): NodeStat;
  fchmodSync(fd: number, mode: number): void;
  /** Optional; lets a replaced file keep its owner where the system allows that (as root). */
  fchownSync?(fd: number, uid: number, gid: number): void;
  /** Returns `undefined` if there is no such entry. */
  lstatSync(path: string, options: { readonly bigint: true; readonly throwIfNoEntry: false }): NodeStat | undefined;
  closeSync(fd: number): void;
  renameSync(from: string, to: string): void;
  unlinkSync(path: string): void;
  mkdirSync(path: string, mode: number): void;
  rmdirSync(path: string): void;
  readdirSync(path: string): string[];
  realpathSync(path: string): string;
}

/** The part of `BigIntStats` that this adapter reads. */
export type NodeStat = Pick<BigIntStats, "ino" | "mode" | "size" | "mtimeMs" | "mtimeNs" | "ctimeNs"> &
  Partial<Pick<BigIntStats, "uid" | "gid">>;

/** Size, mtime, ctime (ns) and inode as one opaque string. */
export function stampOf(stat: NodeStat): FileStamp {
  // Joined, because V8 keeps the parts of a template, and a run has thousands of stamps.
  return [Number(stat.size), stat.mtimeNs, stat.ctimeNs, stat.ino].join("-");
}

const kinds: Readonly<Record<number, FileEntry["kind"]>> = { 0o100000: "file", 0o040000: "folder", 0o120000: "link" };

/** The kind of entry from the type bits of its mode. */
export function kindOf(stat: NodeStat): FileEntry["kind"] {
  return kinds[Number(stat.mode) & 0o170000] ?? "other";
}

/**
 * Translates a failed system call into a `MemoryError`: `disk_full`, `not_a_file`, `link_outside`, `invalid_path` or `io`. The message contains what
 * was tried, the path and the cause. A `MemoryError` is returned unchanged.
 */
export function failureOf(act: string, path: string, error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  const cause = systemCodeOf(error) ?? "unknown cause";
  const shown = path === "" ? "the project folder" : path;
  const [code, says, advice] = meanings[cause] ?? ["io"];
  const why = says === undefined ? `the system reports ${cause}.` : `${says} (${cause}); ${advice}`;
  return new MemoryError(code, `Could not ${act} ${shown}: ${why}`, { path, cause }, error);
}

const meanings: Readonly<Record<string, readonly [code: ErrorCode, says: string, advice: string]>> = {
  ENOSPC: ["disk_full", "the disk is full", "free some space, then try again."],
  EDQUOT: ["disk_full", "the disk quota is exceeded", "free some space, then try again."],
  EACCES: ["io", "permission denied", "check its owner and mode."],
  EPERM: ["io", "not permitted", "check its owner and mode."],
  EROFS: ["io", "the file system is read-only", "mount it writable, then try again."],
  EIO: ["io", "the disk reports an error", "check the disk, then try again."],
  ENOTDIR: ["io", "part of the path is not a folder", "move that file away."],
  EISDIR: ["not_a_file", "it is a folder", "only regular files are read and written."],
  ENXIO: ["not_a_file", "it is a FIFO or a socket", "only regular files are read and written."],
  ELOOP: ["link_outside", "it is a link", "links are not followed; replace it with the file itself."],
  ENAMETOOLONG: ["invalid_path", "a name is too long", "names are limited to 255 bytes."],
};

/** Writes all bytes at the file's position (with O_APPEND, at its end); continues after a short write. */
export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += disk.fs.writeSync(fd, bytes, written, bytes.length - written);
}
