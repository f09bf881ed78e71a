import type { Random } from "../clock.ts";
import type { NodeFs } from "./node-fs.ts";

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
