import { changedContent, changeNames, rootIno } from "./disk-model.ts";
import type { DataChange, DiskModel, FileNode, FolderNode } from "./disk-model.ts";
import type { SeededRandom } from "../seeded-random.ts";

/**
 * One legal state of a disk after the power went: all that was synced, and of the rest each change of a folder kept or
 * lost for itself, each write kept, lost, cut to a prefix, or torn into 512-byte sectors.
 */
export function crashOf(disk: DiskModel, random: SeededRandom): DiskModel {
  const crash: Crash = {
    before: disk,
    after: { nodes: new Map(), nextIno: disk.nextIno, tick: disk.tick + 1 },
    random,
    // Whole-disk luck, so that "nothing more reached the disk" and "all of it did" come up often, too.
    kept: keptShares[random.below(keptShares.length)] ?? 0.5,
  };
  settleFolder(crash, rootIno);
  return crash.after;
}

const keptShares = [0, 0.25, 0.5, 0.75, 1];
const sectorSize = 512;

interface Crash {
  readonly before: DiskModel;
  readonly after: DiskModel;
  readonly random: SeededRandom;
  readonly kept: number;
}

function settleFolder(crash: Crash, ino: number): void {
  const folder = crash.before.nodes.get(ino);
  if (folder?.kind !== "folder" || crash.after.nodes.has(ino)) return;
  const entries = settledNames(crash, folder);
  crash.after.nodes.set(ino, { ...folder, entries, durable: new Map(entries), pending: [] });
  for (const child of entries.values()) {
    const node = crash.before.nodes.get(child);
    if (node?.kind === "folder") settleFolder(crash, child);
    if (node?.kind === "file") settleFile(crash, node);
  }
}

function settledNames(crash: Crash, folder: FolderNode): Map<string, number> {
  const names = new Map(folder.durable);
  for (const change of folder.pending) {
    if (crash.random.chance(crash.kept)) changeNames(names, change);
  }
  return names;
}

function settleFile(crash: Crash, file: FileNode): void {
  if (crash.after.nodes.has(file.ino)) return;
  let content = file.durable;
  for (const change of file.pending) content = settledData(crash, content, change);
  const isAsSeen = content === file.durable && file.pending.length === 0;
  const times = isAsSeen ? {} : { mtime: crash.after.tick, ctime: crash.after.tick };
  crash.after.nodes.set(file.ino, { ...file, ...times, content, durable: content, pending: [] });
}

function settledData(crash: Crash, content: Uint8Array, change: DataChange): Uint8Array {
  if (crash.random.chance(crash.kept)) return changedContent(content, change);
  if (change.type === "cut") return content;
  switch (crash.random.below(3)) {
    case 0:
      return content;
    case 1: {
      const bytes = change.bytes.subarray(0, crash.random.below(change.bytes.length + 1));
      return changedContent(content, { ...change, bytes });
    }
    default:
      return tornIntoSectors(crash, content, change);
  }
}

/** The size reached the disk, of the sectors only some: the others hold what they held, or zeros. */
function tornIntoSectors(crash: Crash, content: Uint8Array, change: DataChange): Uint8Array {
  const { offset, bytes } = change;
  const end = offset + bytes.length;
  const torn = new Uint8Array(Math.max(content.length, end));
  torn.set(content);
  let from = offset;
  while (from < end) {
    const to = Math.min(end, (Math.floor(from / sectorSize) + 1) * sectorSize);
    if (crash.random.chance(0.5)) torn.set(bytes.subarray(from - offset, to - offset), from);
    from = to;
  }
  return torn;
}
