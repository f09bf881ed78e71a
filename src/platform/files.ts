/**
 * The project folder as heartwood sees it. Paths are relative to the folder, with `/`, without `.` or `..`
 * parts; an implementation refuses everything else (`invalid_path`) and every path that leaves the folder
 * through a link (`link_outside`).
 */
export interface Files {
  /** Changes when what the implementation promises changes. */
  readonly id: string;

  /** The entries of one folder (`""`: the project folder), sorted by name (by code unit); an absent folder has none. Never follows links. */
  list(dir: string): Promise<readonly FileEntry[]>;

  /**
   * The bytes of a regular file, or of the part `[from, to)` of it; `undefined` when there is no such file.
   * Never blocks on anything else than a regular file: a folder, FIFO, socket or device is `not_a_file`.
   */
  read(path: string, range?: ByteRange): Promise<FileBytes | undefined>;

  /**
   * Adds bytes to the end of a file, which it creates when absent (with its folders): open(O_APPEND), one write, fsync,
   * close; folder fsync when created. When the path was renamed over meanwhile, the bytes are added to the file that is there now,
   * so that they are in the file that the path names. Durable when it returns.
   */
  append(path: string, bytes: Uint8Array): Promise<FileStamp>;

  /**
   * Replaces, creates or removes files as one batch: every temporary file written and synced, then for each file the
   * comparison with `expect`, then the rename, then one sync of each folder. A crash leaves each file whole old or whole
   * new. Where `expect` no longer holds, that file stays as it is and its outcome says `changed`; the others go on.
   */
  commit(changes: readonly FileChange[]): Promise<readonly CommitOutcome[]>;

  /**
   * Removes a folder when it is empty; returned means durable. One that is not, or something else at that path, stays. Absent: folders are never removed.
   * Errors: `invalid_path`, `link_outside`, `io`.
   */
  removeEmptyFolder?(dir: string): Promise<"removed" | "kept">;

  /** Waits until a change made from now on gets another time stamp than the last one made. Absent: stamps never repeat. */
  settle?(): Promise<void>;
}

/** What identifies the state of a file without reading it: size, mtime, ctime (ns) and inode in one opaque string. */
export type FileStamp = string;

export interface FileEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  /** Bytes. */
  readonly size: number;
  readonly stamp: FileStamp;
  /** Milliseconds since the epoch, for git's racy-clean rule only. */
  readonly changedAt: number;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface FileBytes {
  readonly bytes: Uint8Array;
  /** The whole file's size in bytes, also when a part was read. */
  readonly size: number;
  /** The stamp of what was read, taken on the open file. */
  readonly stamp: FileStamp;
}

export interface FileChange {
  readonly path: string;
  /** `undefined` removes the file. */
  readonly bytes: Uint8Array | undefined;
  /** What must hold just before the rename: the file is absent, has this stamp, or anything. */
  readonly expect: "absent" | "anything" | { readonly stamp: FileStamp };
  /** A file that is created gets the permissions of this one, when it is there: a copy is not easier to read than its original. */
  readonly like?: string;
  /** The permissions of a file that is created. */
  readonly mode?: number;
  /** `cache`: no fsync, for files whose loss costs nothing. Default `synced`. */
  readonly durability?: "synced" | "cache";
}

export interface CommitOutcome {
  readonly path: string;
  readonly outcome: "written" | "removed" | "changed";
  /** The new stamp when written. */
  readonly stamp?: FileStamp;
}
