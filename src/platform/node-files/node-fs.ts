import type { FileEntry, FileStamp } from "../files.ts";

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
