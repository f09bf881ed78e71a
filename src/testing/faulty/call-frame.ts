import type { NodeStat } from "../../platform/node-files/disk.ts";
import type { DiskNode, FolderNode } from "./disk-model.ts";
import { nodeAt, type Changing } from "./disk-tree.ts";
import type { Fault, FaultyFsOptions, FsCall } from "./options.ts";

/** The flags of `open` on Linux. */
export const flag = {
  O_RDONLY: 0,
  O_WRONLY: 0o1,
  O_RDWR: 0o2,
  O_CREAT: 0o100,
  O_EXCL: 0o200,
  O_TRUNC: 0o1000,
  O_APPEND: 0o2000,
  O_NONBLOCK: 0o4000,
  O_DIRECTORY: 0o200000,
  O_NOFOLLOW: 0o400000,
} as const;

/** What the calls work on, and what they do wrong on purpose. */
export interface Setting extends Changing {
  readonly root: string;
  readonly stamps: NonNullable<FaultyFsOptions["stamps"]>;
  readonly ignoreFsync: NonNullable<FaultyFsOptions["ignoreFsync"]>;
  readonly faults: ReadonlyMap<number, Fault>;
}

/** How often what was called. */
export interface CallState {
  operations: number;
  readonly counters: Record<FsCall, number>;
}

/** What a descriptor stands for. */
export interface OpenFile {
  readonly ino: number;
  readonly path: string;
  readonly flags: number;
  position: number;
}

/** All that a call needs. */
export interface Calls extends Setting {
  readonly state: CallState;
  readonly open: Map<number, OpenFile>;
}

/** Counts a call and lets it fail when its turn has come. */
export function count(on: Calls, call: FsCall, path: string): void {
  const fault = on.faults.get(on.state.operations);
  on.state.operations += 1;
  on.state.counters[call] += 1;
  if (fault !== undefined && fault !== "short_write") fail(fault, call.replace("Sync", ""), path);
}

/** Starts a call on a descriptor. */
export function begin(on: Calls, call: FsCall, fd: number): OpenFile {
  const file = openAt(on, fd);
  count(on, call, file.path);
  return file;
}

/** Starts a call on a path and finds what the path names. */
export function look(on: Calls, call: FsCall, path: string): DiskNode | undefined {
  count(on, call, path);
  const parts = partsOf(on, path);
  return parts === undefined ? undefined : nodeAt(on.disk, parts);
}

/** The names below the root; `undefined` for a path outside. */
export function partsOf(on: Calls, path: string): readonly string[] | undefined {
  if (path === on.root) return [];
  return path.startsWith(`${on.root}/`) ? path.slice(on.root.length + 1).split("/") : undefined;
}

/** The folder and the name of an entry that may not exist yet. */
export function entryAt(on: Calls, path: string, call: string): { readonly folder: FolderNode; readonly name: string } {
  const parts = partsOf(on, path) ?? [];
  const name = parts.at(-1);
  const folder = nodeAt(on.disk, parts.slice(0, -1));
  if (name === undefined || folder === undefined) fail("ENOENT", call, path);
  return folder.kind === "folder" ? { folder, name } : fail("ENOTDIR", call, path);
}

/** The open file of a descriptor. */
export function openAt(on: Calls, fd: number): OpenFile {
  return on.open.get(fd) ?? fail("EBADF", "use", `descriptor ${fd}`);
}

/** The node of an open file, which may have no name any more. */
export function openNode(on: Calls, file: OpenFile): DiskNode {
  return on.disk.nodes.get(file.ino) ?? fail("EBADF", "use", file.path);
}

/** What `lstat` and `fstat` tell. */
export function statOf(on: Calls, node: DiskNode): NodeStat {
  const isBlind = on.stamps === "blind" && node.kind === "file";
  const mtime = isBlind ? 1 : node.mtime;
  return {
    ino: BigInt(isBlind ? 1 : node.ino),
    mode: BigInt(node.mode | (node.kind === "file" ? 0o100000 : 0o040000)),
    size: BigInt(node.kind === "file" ? node.content.length : 4096),
    mtimeMs: BigInt(mtime),
    mtimeNs: BigInt(mtime) * 1_000_000n,
    ctimeNs: BigInt(isBlind ? 1 : node.ctime) * 1_000_000n,
  };
}

/** Fails as a system call does. */
export function fail(code: string, call: string, path: string): never {
  throw Object.assign(new Error(`${code}: ${call} '${path}'`), { code });
}
