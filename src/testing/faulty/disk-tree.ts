import { rootIno } from "./disk-model.ts";
import type { DiskChange, DiskModel, DiskNode } from "./disk-model.ts";

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
