import { dirname } from "node:path";
import { isInStateFolder } from "../../base/known-paths.ts";
import { rememberDurable, type Disk } from "./disk.ts";
import { codeOf } from "./failures.ts";
import type { Place } from "./place.ts";

/** Makes the data of an open file durable. Fails as `fsync` fails. */
export function syncFile(disk: Disk, fd: number): Promise<void> {
  const { fs } = disk;
  return new Promise((resolve, reject) => {
    if (fs.fsync === undefined) {
      fs.fsyncSync(fd);
      resolve();
      return;
    }
    fs.fsync(fd, (error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}

/** Makes the entries of a folder durable. Fails as `fsync` fails. */
export async function syncFolder(disk: Disk, path: string): Promise<void> {
  const { O_RDONLY, O_DIRECTORY } = disk.fs.constants;
  const fd = disk.fs.openSync(path, O_RDONLY | O_DIRECTORY);
  try {
    await syncFile(disk, fd);
  } catch (error) {
    // EINVAL is the answer of file systems (FUSE, network) that have no sync of folders: there is nothing to wait for.
    if (codeOf(error) !== "EINVAL") throw error;
  } finally {
    disk.fs.closeSync(fd);
  }
}

/** Syncs a place's folder and, where this instance has not yet done so, the entries of the folders above it. */
export async function syncChain(disk: Disk, place: Place): Promise<void> {
  await syncFolder(disk, place.folder);
  let folder = place.folder;
  while (folder !== place.root) {
    const parent = dirname(folder);
    const ino = inodeOf(disk, folder);
    if (disk.durable.get(folder) !== ino) {
      await syncFolder(disk, parent);
      if (ino !== undefined) rememberDurable(disk, folder, ino);
    }
    folder = parent;
  }
}

/** Creates the folders of a place that do not exist. They are durable after `syncChain`. Fails as `mkdir` fails. */
export function createFolders<P extends Place>(disk: Disk, place: P): P {
  let folder = place.folder;
  const mode = isInStateFolder(place.shown) ? 0o700 : 0o777;
  for (const name of place.missing) {
    folder = `${folder}/${name}`;
    try {
      disk.fs.mkdirSync(folder, mode);
      // It may have the inode of one that stood here, was durable and was removed.
      disk.durable.delete(folder);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  return { ...place, folder, missing: [] };
}

function inodeOf(disk: Disk, path: string): bigint | undefined {
  return disk.fs.lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
