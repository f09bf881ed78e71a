/**
 * The project folder as heartwood sees it. Paths are relative to the folder, with `/`, without `.` or `..`
 * parts; an implementation refuses everything else (`invalid_path`) and every path that leaves the folder
 * through a link (`link_outside`).
 */
export interface Files {
  /** Changes when the guarantees of the implementation change. */
  readonly id: string;

  /** Returns the entries of one folder (`""`: the project folder), sorted by name (by code unit); none if it does not exist. Never follows links. */
  list(dir: string): Promise<readonly FileEntry[]>;

  /**
   * Returns the bytes of a regular file, or the part `[from, to)` of it; `undefined` if there is no such file.
   * Never blocks: a folder, FIFO, socket or device is `not_a_file`.
   */
  read(path: string, range?: ByteRange): Promise<FileBytes | undefined>;

  /**
   * Appends bytes to a file, which is created with its folders if missing: open(O_APPEND), one write, fsync,
   * close; folder fsync if created. If another file was renamed to the path in the meantime, the bytes are also appended to that one.
   * Durable when it returns.
   */
  append(path: string, bytes: Uint8Array): Promise<FileStamp>;

  /**
   * Replaces, creates or removes files as one batch: writes and syncs all temporary files, then compares each file
   * with `expect` and renames, then syncs each folder once. A crash leaves each file entirely old or entirely
   * new. A file for which `expect` no longer holds stays unchanged with outcome `changed`; the others are still written.
   */
  commit(changes: readonly FileChange[]): Promise<readonly CommitOutcome[]>;

  /**
   * Removes a folder if it is empty; durable when it returns. Keeps a non-empty folder or anything else at that path. Without this method, folders are never removed.
   * Errors: `invalid_path`, `link_outside`, `io`.
   */
  removeEmptyFolder?(dir: string): Promise<"removed" | "kept">;

  /** Waits until a new change will get a different time stamp than the last one. Not needed if stamps never repeat. */
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
  /** Checked just before the rename: the file must be absent, have this stamp, or be anything. */
  readonly expect: "absent" | "anything" | { readonly stamp: FileStamp };
  /** A created file gets the permissions of this one, if it exists, so a copy is not more readable than its original. */
  readonly like?: string;
  /** The permissions of a created file. */
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
