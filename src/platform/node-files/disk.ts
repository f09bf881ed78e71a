import type { Random } from "../clock.ts";
import type { FileEntry, FileStamp } from "../files.ts";
import { MemoryError, type ErrorCode } from "../../base/errors.ts";

/** What the parts of this adapter share: the file system, the project folder and what it knows to be durable. */
export interface Disk {
  readonly fs: NodeFs;
  readonly random: Random;
  /** The project folder as it was given, without a slash at its end. */
  readonly root: string;
  /** The real path of `root`, once it was looked up. */
  readonly realRoot: Map<string, string>;
  /**
   * Entries (absolute path → inode) whose name this instance has synced in their folder. An entry that another process
   * made may not be durable yet (it can have died before its own sync), so the first use here syncs it once more.
   */
  readonly durable: Map<string, bigint>;
}

const durableEntriesKept = 10_000;

/** Remembers that the name `path` → `ino` is durable. */
export function rememberDurable(disk: Disk, path: string, ino: bigint): void {
  if (disk.durable.size >= durableEntriesKept) disk.durable.clear();
  disk.durable.set(path, ino);
}

/**
 * The part of `node:fs` that this adapter uses, so that a faulty file system can stand in. Every function behaves
 * and fails as its namesake in Node does: a failure is an `Error` with a `code` such as `EIO`.
 */
export interface NodeFs {
  readonly constants: {
    readonly O_RDONLY: number;
    readonly O_WRONLY: number;
    readonly O_RDWR: number;
    readonly O_CREAT: number;
    readonly O_EXCL: number;
    readonly O_APPEND: number;
    readonly O_NOFOLLOW: number;
    readonly O_NONBLOCK: number;
    readonly O_DIRECTORY: number;
  };
  openSync(path: string, flags: number, mode?: number): number;
  /** Optional: with it the files of a batch are created in parallel. */
  open?(path: string, flags: number, mode: number, done: (error: Error | null, fd: number) => void): void;
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  readSync(fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  fsyncSync(fd: number): void;
  /** Optional: with it the files of a batch are synced in parallel. */
  fsync?(fd: number, done: (error: Error | null) => void): void;
  fstatSync(fd: number, options: { readonly bigint: true }): NodeStat;
  fchmodSync(fd: number, mode: number): void;
  /** Optional: with it a replaced file keeps its owner where the system allows that (for root). */
  fchownSync?(fd: number, uid: number, gid: number): void;
  /** `undefined` when there is no such entry. */
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
export interface NodeStat {
  readonly ino: bigint;
  /** Type and permission bits, as in `st_mode`. */
  readonly mode: bigint;
  readonly uid?: bigint;
  readonly gid?: bigint;
  /** Bytes. */
  readonly size: bigint;
  readonly mtimeMs: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** Size, mtime, ctime (ns) and inode as one opaque string. */
export function stampOf(stat: NodeStat): FileStamp {
  return `${Number(stat.size)}-${stat.mtimeNs}-${stat.ctimeNs}-${stat.ino}`;
}

/** What the type bits of a mode say. */
export function kindOf(stat: NodeStat): FileEntry["kind"] {
  switch (Number(stat.mode) & 0o170000) {
    case 0o100000:
      return "file";
    case 0o040000:
      return "folder";
    case 0o120000:
      return "link";
    default:
      return "other";
  }
}

/** The `code` of a failed system call, such as `EIO`; `undefined` for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * A failed system call as a `MemoryError`: `disk_full`, `not_a_file`, `link_outside`, `invalid_path` or `io`. The
 * sentence names what was tried, the path and the cause. An error that already is a `MemoryError` stays as it is.
 */
export function failureOf(act: string, path: string, error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  const cause = codeOf(error) ?? "unknown cause";
  const shown = path === "" ? "the project folder" : path;
  const meaning = meanings[cause];
  const sentence =
    meaning === undefined
      ? `Could not ${act} ${shown}: the system says ${cause}.`
      : `Could not ${act} ${shown}: ${meaning.says} (${cause}); ${meaning.advice}`;
  return new MemoryError(meaning?.code ?? "io", sentence, { path, cause }, error);
}

const meanings: Readonly<Record<string, { readonly code: ErrorCode; readonly says: string; readonly advice: string }>> =
  {
    ENOSPC: { code: "disk_full", says: "the disk is full", advice: "free some space, then run it again." },
    EDQUOT: { code: "disk_full", says: "the disk quota is used up", advice: "free some space, then run it again." },
    EACCES: { code: "io", says: "permission denied", advice: "check who owns it and its mode." },
    EPERM: { code: "io", says: "not permitted", advice: "check who owns it and its mode." },
    EROFS: { code: "io", says: "the file system is read-only", advice: "mount it writable, then run it again." },
    EIO: { code: "io", says: "the disk reports an error", advice: "check the disk, then run it again." },
    ENOTDIR: { code: "io", says: "a part of the path is not a folder", advice: "move that file away." },
    EISDIR: { code: "not_a_file", says: "it is a folder", advice: "only regular files are read and written." },
    ENXIO: { code: "not_a_file", says: "it is a FIFO or a socket", advice: "only regular files are read and written." },
    ELOOP: { code: "link_outside", says: "it is a link", advice: "links are not followed; put the file itself there." },
    ENAMETOOLONG: { code: "invalid_path", says: "a name is too long", advice: "a name has at most 255 bytes." },
  };

/** Writes all bytes at the file's position (or its end under O_APPEND); a short write is continued. */
export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    written += disk.fs.writeSync(fd, bytes, written, bytes.length - written);
  }
}
