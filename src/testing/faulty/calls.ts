import type { NodeFs, NodeStat } from "../../platform/node-files/place.ts";
import { type DiskNode, type FileNode, type FolderNode, type Changing, nodeAt, plantFile } from "./disk.ts";

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
interface CallState {
  operations: number;
  readonly counters: Record<FsCall, number>;
}

/** What a descriptor stands for. */
interface OpenFile {
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
function entryAt(on: Calls, path: string, call: string): { readonly folder: FolderNode; readonly name: string } {
  const parts = partsOf(on, path) ?? [];
  const name = parts.at(-1);
  const folder = nodeAt(on.disk, parts.slice(0, -1));
  if (name === undefined || folder === undefined) fail("ENOENT", call, path);
  return folder.kind === "folder" ? { folder, name } : fail("ENOTDIR", call, path);
}

/** The open file of a descriptor. */
function openAt(on: Calls, fd: number): OpenFile {
  return on.open.get(fd) ?? fail("EBADF", "use", `descriptor ${fd}`);
}

/** The node of an open file, which may have no name any more. */
function openNode(on: Calls, file: OpenFile): DiskNode {
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

type FileCalls = Pick<
  NodeFs,
  "openSync" | "writeSync" | "readSync" | "fsyncSync" | "fstatSync" | "fchmodSync" | "closeSync"
>;

/** The calls on files. */
function fileCalls(on: Calls): FileCalls {
  return {
    openSync: (path, flags, mode) => openFile(on, path, { flags, mode: mode ?? 0o666 }),
    writeSync: (fd, bytes, offset, length) => writeFile(on, fd, bytes.slice(offset, offset + length)),
    readSync: (fd, bytes, offset, length, position) => {
      const file = begin(on, "readSync", fd);
      const part = contentOf(on, file).subarray(position, position + length);
      bytes.set(part, offset);
      return part.length;
    },
    fsyncSync: (fd) => syncNode(on, fd),
    fstatSync: (fd) => statOf(on, openNode(on, begin(on, "fstatSync", fd))),
    fchmodSync: (fd, mode) => on.apply({ type: "mode", file: begin(on, "fchmodSync", fd).ino, mode }),
    closeSync: (fd) => {
      begin(on, "closeSync", fd);
      on.open.delete(fd);
    },
  };
}

function openFile(on: Calls, path: string, how: { readonly flags: number; readonly mode: number }): number {
  const { flags, mode } = how;
  let node = look(on, "openSync", path);
  if (node === undefined && (flags & flag.O_CREAT) === 0) fail("ENOENT", "open", path);
  if (node !== undefined && (flags & flag.O_EXCL) !== 0) fail("EEXIST", "open", path);
  if (node?.kind === "folder" && (flags & (flag.O_WRONLY | flag.O_RDWR)) !== 0) fail("EISDIR", "open", path);
  if (node?.kind === "file" && (flags & flag.O_DIRECTORY) !== 0) fail("ENOTDIR", "open", path);
  if (node === undefined) {
    const { folder, name } = entryAt(on, path, "open");
    const made = { kind: "file", ino: on.disk.nextIno, mode: mode & ~0o022 } as const;
    on.apply({ type: "make", folder: folder.ino, name, node: made });
    node = on.disk.nodes.get(made.ino);
  }
  const ino = node?.ino ?? fail("ENOENT", "open", path);
  if ((flags & flag.O_TRUNC) !== 0) {
    on.apply({ type: "data", file: ino, change: { type: "cut", offset: 0, bytes: new Uint8Array(0), state: "dirty" } });
  }
  const fd = 1000 + on.state.operations;
  on.open.set(fd, { ino, path, flags, position: 0 });
  return fd;
}

function writeFile(on: Calls, fd: number, bytes: Uint8Array): number {
  const fault = on.faults.get(on.state.operations);
  const file = begin(on, "writeSync", fd);
  const part = fault === "short_write" ? bytes.slice(0, Math.ceil(bytes.length / 2)) : bytes;
  const offset = (file.flags & flag.O_APPEND) !== 0 ? contentOf(on, file).length : file.position;
  on.apply({ type: "data", file: file.ino, change: { type: "write", offset, bytes: part, state: "dirty" } });
  file.position = offset + part.length;
  return part.length;
}

function syncNode(on: Calls, fd: number): void {
  const file = openAt(on, fd);
  const node = openNode(on, file);
  try {
    begin(on, "fsyncSync", fd);
  } catch (error) {
    on.apply({ type: "failed_sync", node: file.ino });
    throw error;
  }
  const ignored = on.ignoreFsync === "all" || on.ignoreFsync === (node.kind === "file" ? "files" : "folders");
  if (!ignored) on.apply({ type: "sync", node: file.ino });
}

function contentOf(on: Calls, file: OpenFile): FileNode["content"] {
  const node = openNode(on, file);
  return node.kind === "file" ? node.content : fail("EISDIR", "read", file.path);
}

type FolderCalls = Pick<
  NodeFs,
  "lstatSync" | "renameSync" | "unlinkSync" | "mkdirSync" | "rmdirSync" | "readdirSync" | "realpathSync"
>;

/** The calls on folders and names. */
function folderCalls(on: Calls): FolderCalls {
  return {
    lstatSync: (path) => {
      const node = look(on, "lstatSync", path);
      return node === undefined ? undefined : statOf(on, node);
    },
    renameSync: (from, to) => renameEntry(on, from, to),
    unlinkSync: (path) => {
      const node = look(on, "unlinkSync", path) ?? fail("ENOENT", "unlink", path);
      if (node.kind === "folder") fail("EISDIR", "unlink", path);
      const { folder, name } = entryAt(on, path, "unlink");
      on.apply({ type: "entry", folder: folder.ino, change: { removes: name } });
    },
    mkdirSync: (path, mode) => {
      if (look(on, "mkdirSync", path) !== undefined) fail("EEXIST", "mkdir", path);
      const { folder, name } = entryAt(on, path, "mkdir");
      const node = { kind: "folder", ino: on.disk.nextIno, mode: mode & ~0o022 } as const;
      on.apply({ type: "make", folder: folder.ino, name, node });
    },
    rmdirSync: (path) => {
      const node = look(on, "rmdirSync", path) ?? fail("ENOENT", "rmdir", path);
      if (node.kind !== "folder") fail("ENOTDIR", "rmdir", path);
      else if (node.entries.size > 0) fail("ENOTEMPTY", "rmdir", path);
      const { folder, name } = entryAt(on, path, "rmdir");
      on.apply({ type: "entry", folder: folder.ino, change: { removes: name } });
    },
    readdirSync: (path) => {
      const node = look(on, "readdirSync", path) ?? fail("ENOENT", "scandir", path);
      return node.kind === "folder" ? [...node.entries.keys()] : fail("ENOTDIR", "scandir", path);
    },
    realpathSync: (path) => {
      if (look(on, "realpathSync", path) === undefined) fail("ENOENT", "realpath", path);
      return path;
    },
  };
}

function renameEntry(on: Calls, from: string, to: string): void {
  const node = look(on, "renameSync", from) ?? fail("ENOENT", "rename", from);
  const source = entryAt(on, from, "rename");
  const target = entryAt(on, to, "rename");
  if (source.folder !== target.folder) fail("EXDEV", "rename", to);
  if (nodeAt(on.disk, partsOf(on, to) ?? [])?.kind === "folder") fail("EISDIR", "rename", to);
  const change = { removes: source.name, sets: { name: target.name, ino: node.ino } };
  on.apply({ type: "entry", folder: source.folder.ino, change });
}

/** What is made of one setting: the calls themselves, their count, and a way to save a file from outside. */
export interface FaultyCalls {
  readonly fs: NodeFs;
  readonly state: CallState;
  plant(path: string, bytes: string | Uint8Array): void;
}

/** The calls of `NodeFs` on a disk model. */
export function createFaultyCalls(setting: Setting): FaultyCalls {
  const state: CallState = { operations: 0, counters: zeroCounters() };
  const on: Calls = { ...setting, state, open: new Map() };
  return {
    state,
    fs: { constants: flag, ...fileCalls(on), ...folderCalls(on) },
    plant: (path, bytes) => plantFile(setting, path, bytes),
  };
}

function zeroCounters(): Record<FsCall, number> {
  return {
    openSync: 0,
    writeSync: 0,
    readSync: 0,
    fsyncSync: 0,
    fstatSync: 0,
    fchmodSync: 0,
    lstatSync: 0,
    closeSync: 0,
    renameSync: 0,
    unlinkSync: 0,
    mkdirSync: 0,
    rmdirSync: 0,
    readdirSync: 0,
    realpathSync: 0,
  };
}
