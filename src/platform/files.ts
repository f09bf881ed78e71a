/**
 * The project folder as heartwood sees it. Paths are relative to the folder, with `/`, without `.` or `..` parts; implementations refuse anything
 * else (`invalid_path`) and any path that leaves the folder through a link (`link_outside`).
 */
export interface Files {
  /** Changes when the guarantees of the implementation change. */
  readonly id: string;

  /** Returns the entries of one folder (`""`: the project folder), sorted by name (by code unit); none if it does not exist. Never follows links. */
  list(dir: string): Promise<readonly FileEntry[]>;

  /** Returns the names of everything in one folder, sorted; none if it does not exist. Much faster than `list` in a large folder. */
  names(dir: string): Promise<readonly string[]>;

  /**
   * Returns the bytes of a regular file, or the part `[from, to)` of it; `undefined` if there is no such file. Never blocks: folders, FIFOs, sockets
   * and devices are `not_a_file`.
   */
  read(path: string, range?: ByteRange): Promise<FileBytes | undefined>;

  /**
   * Appends bytes to a file, creating it and its folders if missing: open(O_APPEND), one write, fsync, close; folder fsync if created. If another
   * file was renamed to the path meanwhile, the bytes are appended to that file too. Durable on return, except with
   * `durability: "cache"`, which skips the fsyncs.
   */
  append(path: string, bytes: Uint8Array, options?: Pick<FileChange, "durability">): Promise<FileStamp>;

  /**
   * Replaces, creates or removes files as one batch: writes and syncs all temporary files, then compares each file with `expect` and renames, then
   * syncs each folder once. A crash leaves each file entirely old or entirely new. A file whose `expect` no longer holds stays as it is, with outcome
   * `changed`; the others are still written.
   */
  commit(changes: readonly FileChange[]): Promise<readonly CommitOutcome[]>;

  /**
   * Removes a folder if it is empty; durable on return. Keeps a non-empty folder or anything else at that path. Without this method, folders are
   * never removed. Errors: `invalid_path`, `link_outside`, `io`.
   */
  removeEmptyFolder?(dir: string): Promise<"removed" | "kept">;

  /** Waits until the next change is sure to get a new time stamp. Not needed if stamps never repeat. */
  settle?(): Promise<void>;
}

/** Identifies the state of a file without reading it: size, mtime, ctime (ns) and inode in one opaque string. */
export type FileStamp = string;

export interface FileEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  /** Bytes. */
  readonly size: number;
  readonly stamp: FileStamp;
  /** Milliseconds since the epoch; only for git's racy-clean rule. */
  readonly changedAt: number;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface FileBytes {
  readonly bytes: Uint8Array;
  /** The size of the whole file in bytes, even if only a part was read. */
  readonly size: number;
  /** The stamp of the open file that was read. */
  readonly stamp: FileStamp;
}

export interface FileChange {
  readonly path: string;
  /** `undefined` removes the file. */
  readonly bytes: Uint8Array | undefined;
  /** Checked just before the rename: the file must be absent, must have this stamp, or may be anything. */
  readonly expect: "absent" | "anything" | { readonly stamp: FileStamp };
  /** A new file gets the permissions of this one, if it exists, so a copy is never more readable than the original. */
  readonly like?: string;
  /** Permissions of a new file. */
  readonly mode?: number;
  /** `cache`: no fsync, for files whose loss costs nothing. Default `synced`. */
  readonly durability?: "synced" | "cache";
}

export interface CommitOutcome {
  readonly path: string;
  readonly outcome: "written" | "removed" | "changed";
  /** The new stamp of a written file. */
  readonly stamp?: FileStamp;
}
