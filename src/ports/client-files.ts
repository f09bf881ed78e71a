/**
 * Files of other programs, by absolute path. Links are never followed: what is one, below the folders that the adapter was given, is refused, and so is what is no regular file (`not_a_file`). Other errors: `io`, `disk_full`.
 */
export interface ClientFiles {
  /** The bytes; `undefined` when nothing stands there. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * Replaces the file as a whole, or makes it, when it still has the bytes of `expect` (absent: nothing is there). At any time it is the old one or the new one. `changed`: somebody else
   * was faster, and nothing was done. The folder is there already. A file that is there keeps its permissions.
   */
  replace(path: string, change: FileReplacement): Promise<"written" | "changed">;
  /** Removes the file when it still has these bytes. */
  remove(path: string, expect: Uint8Array): Promise<"removed" | "changed">;
  /** Removes what a `replace` of this file left that was ended in the middle. */
  sweep(path: string): Promise<void>;
  /** Makes one folder; one that is there is left as it is. */
  makeFolder(path: string): Promise<void>;
  /** Removes the folder when it is there and empty. */
  removeFolder(path: string): Promise<"gone" | "kept">;
  /** The names in a folder, sorted; `undefined` when there is none. */
  list(path: string): Promise<readonly string[] | undefined>;
}

export interface FileReplacement {
  readonly bytes: Uint8Array;
  readonly expect: Uint8Array | undefined;
  /** Permissions of a new file. `private`: for this user alone. `program`: may be run. */
  readonly mode: FileMode;
}

export type FileMode = "usual" | "private" | "program";
