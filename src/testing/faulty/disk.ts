/**
 * A disk that can lose power, as a value: what programs see now (`content`, `entries`) beside what is durable, and the
 * changes between the two. Byte arrays are never changed once they stand here, so that copies of a disk share them.
 */
export interface DiskModel {
  readonly nodes: Map<number, DiskNode>;
  nextIno: number;
  /** Counts the changes; it stands for the time. */
  tick: number;
}

/** A file or a folder. */
export type DiskNode = FileNode | FolderNode;

/** A file: its data is made durable by its own fsync. */
export interface FileNode {
  readonly kind: "file";
  readonly ino: number;
  mode: number;
  mtime: number;
  ctime: number;
  content: Uint8Array;
  durable: Uint8Array;
  pending: readonly DataChange[];
}

/** A folder: its entries are made durable by its own fsync. */
export interface FolderNode {
  readonly kind: "folder";
  readonly ino: number;
  mode: number;
  mtime: number;
  ctime: number;
  readonly entries: Map<string, number>;
  durable: Map<string, number>;
  pending: readonly EntryChange[];
}

/** A write that may be lost or torn; `stuck` after a failed fsync, when no later fsync helps any more. */
export interface DataChange {
  /** `cut` gives the file the length `offset`: shorter, or longer with zeros. */
  readonly type: "write" | "cut";
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly state: "dirty" | "stuck";
}

/** One change of a folder. It is lost or kept as a whole: a rename takes one name away and sets the other. */
interface EntryChange {
  readonly removes?: string;
  readonly sets?: { readonly name: string; readonly ino: number };
}

/** One thing that happened to the disk. */
export type DiskChange =
  | { readonly type: "make"; readonly folder: number; readonly name: string; readonly node: NewNode }
  | { readonly type: "entry"; readonly folder: number; readonly change: EntryChange }
  | { readonly type: "data"; readonly file: number; readonly change: DataChange }
  | { readonly type: "mode"; readonly file: number; readonly mode: number }
  | { readonly type: "sync"; readonly node: number }
  | { readonly type: "failed_sync"; readonly node: number };

/** What `make` creates. */
interface NewNode {
  readonly kind: DiskNode["kind"];
  readonly ino: number;
  readonly mode: number;
}

/** The inode of the project folder. */
export const rootIno = 2;

/** A disk that holds one empty folder. */
export function createDiskModel(): DiskModel {
  const disk: DiskModel = { nodes: new Map(), nextIno: rootIno + 1, tick: 0 };
  disk.nodes.set(rootIno, emptyNode({ kind: "folder", ino: rootIno, mode: 0o755 }, 0));
  return disk;
}

/** Lets one change happen. */
export function applyChange(disk: DiskModel, change: DiskChange): void {
  disk.tick += 1;
  switch (change.type) {
    case "make":
      disk.nodes.set(change.node.ino, emptyNode(change.node, disk.tick));
      disk.nextIno = Math.max(disk.nextIno, change.node.ino + 1);
      changeEntry(disk, change.folder, { sets: { name: change.name, ino: change.node.ino } });
      return;
    case "entry":
      changeEntry(disk, change.folder, change.change);
      return;
    case "data":
      changeData(disk, fileOf(disk, change.file), change.change);
      return;
    case "mode":
      fileOf(disk, change.file).mode = change.mode;
      return;
    case "sync":
      syncNode(nodeOf(disk, change.node));
      return;
    case "failed_sync":
      stickNode(nodeOf(disk, change.node));
      return;
  }
}

/** An independent copy, with all that is not durable yet. */
export function copyOf(disk: DiskModel): DiskModel {
  const nodes = new Map<number, DiskNode>();
  for (const [ino, node] of disk.nodes) {
    nodes.set(
      ino,
      node.kind === "file" ? { ...node } : { ...node, entries: new Map(node.entries), durable: new Map(node.durable) },
    );
  }
  return { nodes, nextIno: disk.nextIno, tick: disk.tick };
}

/** A node without content, durable as such. */
function emptyNode(node: NewNode, tick: number): DiskNode {
  const times = { mtime: tick, ctime: tick };
  return node.kind === "file"
    ? { ...node, ...times, kind: "file", content: nothing, durable: nothing, pending: [] }
    : { ...node, ...times, kind: "folder", entries: new Map(), durable: new Map(), pending: [] };
}

/** The bytes of a file after one more change. */
export function changedContent(content: Uint8Array, change: DataChange): Uint8Array {
  if (change.type === "cut") {
    const cut = new Uint8Array(change.offset);
    cut.set(content.subarray(0, change.offset));
    return cut;
  }
  const end = change.offset + change.bytes.length;
  const changed = new Uint8Array(Math.max(content.length, end));
  changed.set(content);
  changed.set(change.bytes, change.offset);
  return changed;
}

/** Applies one change to the names of a folder. */
export function changeNames(names: Map<string, number>, change: EntryChange): void {
  if (change.removes !== undefined) names.delete(change.removes);
  if (change.sets !== undefined) names.set(change.sets.name, change.sets.ino);
}

const nothing = new Uint8Array(0);

function changeEntry(disk: DiskModel, ino: number, change: EntryChange): void {
  const folder = nodeOf(disk, ino);
  if (folder.kind !== "folder") throw new Error(`The node ${ino} is not a folder.`);
  touchNames(disk, folder, change);
  changeNames(folder.entries, change);
  folder.pending = [...folder.pending, change];
  folder.mtime = disk.tick;
  folder.ctime = disk.tick;
}

/** As on Linux: a rename or an unlink changes the ctime of the file, too. */
function touchNames(disk: DiskModel, folder: FolderNode, change: EntryChange): void {
  const names = [change.removes, change.sets?.name];
  const inos = names.map((name) => (name === undefined ? undefined : folder.entries.get(name)));
  for (const ino of [...inos, change.sets?.ino]) {
    const node = ino === undefined ? undefined : disk.nodes.get(ino);
    if (node !== undefined) node.ctime = disk.tick;
  }
}

function changeData(disk: DiskModel, file: FileNode, change: DataChange): void {
  file.content = changedContent(file.content, change);
  file.pending = [...file.pending, withWholePages(file, change)];
  file.mtime = disk.tick;
  file.ctime = disk.tick;
}

/**
 * After a failed fsync the page cache still holds what the disk may not. Memory goes to the disk by pages, so that a
 * later write takes along all that stands in its first and its last page.
 */
function withWholePages(file: FileNode, change: DataChange): DataChange {
  if (change.type === "cut" || !file.pending.some((earlier) => earlier.state === "stuck")) return change;
  const offset = change.offset - (change.offset % pageSize);
  const end = Math.ceil((change.offset + change.bytes.length) / pageSize) * pageSize;
  return { ...change, offset, bytes: file.content.slice(offset, end) };
}

const pageSize = 4096;

function syncNode(node: DiskNode): void {
  if (node.kind === "folder") {
    node.durable = new Map(node.entries);
    node.pending = [];
    return;
  }
  const stuck = node.pending.filter((change) => change.state === "stuck");
  node.durable =
    stuck.length === 0
      ? node.content
      : node.pending.filter((change) => change.state === "dirty").reduce(changedContent, node.durable);
  node.pending = stuck;
}

/** After a failed fsync Linux marks the pages clean: a later fsync that succeeds says nothing about them. */
function stickNode(node: DiskNode): void {
  if (node.kind === "file") node.pending = node.pending.map((change) => ({ ...change, state: "stuck" }));
}

function nodeOf(disk: DiskModel, ino: number): DiskNode {
  const node = disk.nodes.get(ino);
  if (node === undefined) throw new Error(`There is no node ${ino}.`);
  return node;
}

function fileOf(disk: DiskModel, ino: number): FileNode {
  const node = nodeOf(disk, ino);
  if (node.kind !== "file") throw new Error(`The node ${ino} is not a file.`);
  return node;
}

/** A disk and the way to change it, so that the change is journaled. */
export interface Changing {
  readonly disk: DiskModel;
  apply(change: DiskChange): void;
}

/** The node that a path relative to the root names. */
export function nodeAt(disk: DiskModel, parts: readonly string[]): DiskNode | undefined {
  let node = disk.nodes.get(rootIno);
  for (const part of parts) {
    const ino = node?.kind === "folder" ? node.entries.get(part) : undefined;
    if (ino === undefined) return undefined;
    node = disk.nodes.get(ino);
  }
  return node;
}

/** The bytes of all files below a folder, by path. */
export function bytesByPath(disk: DiskModel, ino: number, prefix = ""): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const folder = disk.nodes.get(ino);
  if (folder?.kind !== "folder") return found;
  for (const name of [...folder.entries.keys()].toSorted()) {
    const child = disk.nodes.get(folder.entries.get(name) ?? -1);
    if (child?.kind === "file") found.set(prefix + name, child.content);
    if (child?.kind !== "folder") continue;
    for (const [path, bytes] of bytesByPath(disk, child.ino, `${prefix}${name}/`)) found.set(path, bytes);
  }
  return found;
}

/** Saves a file in place, durable with all its folders. */
export function plantFile(on: Changing, path: string, bytes: string | Uint8Array): void {
  const parts = path.split("/");
  const sync: number[] = [rootIno];
  for (const [index, name] of parts.entries()) {
    const folder = sync.at(-1) ?? rootIno;
    const kind = index === parts.length - 1 ? "file" : "folder";
    const ino = nodeAt(on.disk, parts.slice(0, index + 1))?.ino ?? on.disk.nextIno;
    if (ino === on.disk.nextIno) {
      on.apply({ type: "make", folder, name, node: { kind, ino, mode: kind === "file" ? 0o644 : 0o755 } });
    }
    sync.push(ino);
  }
  const file = sync.at(-1) ?? rootIno;
  const data = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes.slice();
  on.apply({ type: "data", file, change: { type: "cut", offset: 0, bytes: new Uint8Array(0), state: "dirty" } });
  on.apply({ type: "data", file, change: { type: "write", offset: 0, bytes: data, state: "dirty" } });
  for (const node of sync) on.apply({ type: "sync", node });
}
