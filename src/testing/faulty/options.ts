import type { NodeFs } from "../../platform/node-files/disk.ts";

/** How to make a faulty file system. */
export interface FaultyFsOptions {
  /** The absolute path of its only folder tree. Default `/project`. */
  readonly root?: string;
  /** Files that stand there from the start, durable. By path relative to the root. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** A negative control: these fsyncs succeed and do nothing. Default `none`. */
  readonly ignoreFsync?: "none" | "files" | "folders" | "all";
  /**
   * A negative control: `blind` tells the same mtime, ctime and inode of every file, so that a comparison sees a change
   * of size only. Default `real`.
   */
  readonly stamps?: "real" | "blind";
}

/** What a call can be made to answer; `short_write` writes half of the bytes and says so. */
export type Fault = "EIO" | "ENOSPC" | "EDQUOT" | "EACCES" | "EROFS" | "short_write";

/** Names of the calls of `NodeFs`, for `counters`. */
export type FsCall = Exclude<keyof NodeFs, "constants" | "fsync" | "fchownSync" | "open">;
