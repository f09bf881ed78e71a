import type { ByteRange, FileBytes, FileEntry } from "../files.ts";
import { codeOf, failureOf, kindOf, stampOf, type Disk } from "./disk.ts";
import { absoluteOf, filePlaceOf, folderPlaceOf, refuseIrregular } from "./place.ts";

/** Reads a regular file or a part of it; `undefined` when it is absent. */
export function readFileAt(disk: Disk, path: string, range?: ByteRange): FileBytes | undefined {
  const place = filePlaceOf(disk, path);
  if (place.missing.length > 0) return undefined;
  try {
    const fd = openForReading(disk, absoluteOf(place));
    if (fd === undefined) return undefined;
    try {
      return readOpenFile(disk, fd, { path, range });
    } finally {
      disk.fs.closeSync(fd);
    }
  } catch (error) {
    throw failureOf("read", path, error);
  }
}

/** The bytes of an open file from the start to the size it has now, or a part of them. */
export function readOpenFile(
  disk: Disk,
  fd: number,
  asked: { readonly path: string; readonly range?: ByteRange | undefined },
): FileBytes {
  const stat = disk.fs.fstatSync(fd, { bigint: true });
  refuseIrregular(asked.path, kindOf(stat));
  const size = Number(stat.size);
  const from = Math.min(Math.max(asked.range?.from ?? 0, 0), size);
  const to = Math.max(Math.min(asked.range?.to ?? size, size), from);
  return { bytes: readBetween(disk, fd, { from, to }), size, stamp: stampOf(stat) };
}

/** The entries of a folder, sorted by code unit; none when it is absent. */
export function listFolder(disk: Disk, dir: string): readonly FileEntry[] {
  const place = folderPlaceOf(disk, dir);
  if (place.missing.length > 0) return [];
  try {
    const entries: FileEntry[] = [];
    for (const name of disk.fs.readdirSync(place.folder).toSorted()) {
      const entry = entryOf(disk, place.folder, name);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw failureOf("list", dir, error);
  }
}

/** O_NONBLOCK: opening a FIFO without a writer would wait for one. */
function openForReading(disk: Disk, path: string): number | undefined {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = disk.fs.constants;
  try {
    return disk.fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Reads until the end of the range, or the end of a file that shrank meanwhile. */
function readBetween(disk: Disk, fd: number, range: ByteRange): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(range.to - range.from);
  let filled = 0;
  while (filled < bytes.length) {
    const count = disk.fs.readSync(fd, bytes, filled, bytes.length - filled, range.from + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled === bytes.length ? bytes : bytes.subarray(0, filled);
}

/** A name that vanished between the listing and its `lstat` is not an entry. */
function entryOf(disk: Disk, folder: string, name: string): FileEntry | undefined {
  const stat = disk.fs.lstatSync(`${folder}/${name}`, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  return {
    name,
    kind: kindOf(stat),
    size: Number(stat.size),
    stamp: stampOf(stat),
    changedAt: Number(stat.mtimeMs),
  };
}
