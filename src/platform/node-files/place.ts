import { MemoryError } from "../../base/errors.ts";
import { failureOf, kindOf, rememberDurable, codeOf, type Disk } from "./disk.ts";
import { dirname } from "node:path";
import { isInStateFolder } from "../../base/known-paths.ts";

/** Where a path is: the innermost folder on its way that exists, and the names of those that do not yet. */
export interface Place {
  /** The path as the caller gave it. */
  readonly shown: string;
  /** The real absolute path of the project folder. */
  readonly root: string;
  /** The real absolute path of the innermost folder that exists; it is inside the project folder. */
  readonly folder: string;
  readonly missing: readonly string[];
}

/** The place of a file: its folder and its name in it. */
export interface FilePlace extends Place {
  readonly name: string;
}

/** Finds the folder of a file. Errors: `invalid_path`, `link_outside`, `io`. */
export function filePlaceOf(disk: Disk, path: string): FilePlace {
  const parts = partsOf(path);
  const name = parts.pop() ?? "";
  return { ...placeOf(disk, path, parts), name };
}

/** Finds a folder; `""` is the project folder. Errors: `invalid_path`, `link_outside`, `io`. */
export function folderPlaceOf(disk: Disk, dir: string): Place {
  return placeOf(disk, dir, dir === "" ? [] : partsOf(dir));
}

/** The place of a file that is to be written, where git keeps nothing of its own: what it keeps can name programs to run. Errors: those of `filePlaceOf`. */
export function writablePlaceOf(disk: Disk, path: string): FilePlace {
  const place = filePlaceOf(disk, path);
  const parts = [...place.folder.slice(place.root.length).split("/"), ...place.missing, place.name];
  if (!parts.some((part) => part.toLowerCase() === ".git")) return place;
  throw new MemoryError("invalid_path", `${path} is in a .git folder, where nothing is ever written.`, { path });
}

/** The absolute path of a file whose folders exist. */
export function absoluteOf(place: FilePlace): string {
  return `${place.folder}/${place.name}`;
}

/** The parts of a relative path. Errors: `invalid_path`. */
export function partsOf(path: string): string[] {
  const parts = path.split("/");
  const isWrong =
    path.includes("\0") || path.startsWith("\\") || parts.some((part) => part === "" || part === "." || part === "..");
  if (!isWrong) return parts;
  throw new MemoryError(
    "invalid_path",
    `The path ${JSON.stringify(path)} is not a path inside the project: it must be relative, with "/" between its parts, and no part may be empty, "." or "..".`,
    { path },
  );
}

/** Refuses anything but a regular file. Errors: `link_outside`, `not_a_file`. */
export function refuseIrregular(path: string, kind: ReturnType<typeof kindOf>): void {
  if (kind === "file") return;
  if (kind === "link") {
    throw new MemoryError(
      "link_outside",
      `${path} is a link; links are not followed, since they can leave the project: put the file itself there.`,
      { path },
    );
  }
  const seen = kind === "folder" ? "a folder" : "a FIFO, a socket or a device";
  throw new MemoryError("not_a_file", `${path} is ${seen}; only regular files are read and written.`, { path });
}

function placeOf(disk: Disk, shown: string, parts: readonly string[]): Place {
  const root = rootOf(disk);
  let folder = root;
  for (const [index, part] of parts.entries()) {
    const next = folderIn(disk, { root, folder, part, shown });
    if (next === undefined) return { shown, root, folder, missing: parts.slice(index) };
    folder = next;
  }
  return { shown, root, folder, missing: [] };
}

/** The real path is looked up once: it costs more than all the rest of a small read. */
function rootOf(disk: Disk): string {
  const known = disk.realRoot.get(disk.root);
  if (known !== undefined) return known;
  try {
    const real = disk.fs.realpathSync(disk.root);
    disk.realRoot.set(disk.root, real);
    return real;
  } catch (error) {
    throw failureOf("open the project folder", disk.root, error);
  }
}

interface Step {
  readonly root: string;
  readonly folder: string;
  readonly part: string;
  readonly shown: string;
}

function folderIn(disk: Disk, step: Step): string | undefined {
  const path = `${step.folder}/${step.part}`;
  try {
    const stat = disk.fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const kind = kindOf(stat);
    if (kind === "folder") return path;
    if (kind === "link") return linkedFolder(disk, step, path);
  } catch (error) {
    throw failureOf("open", step.shown, error);
  }
  throw notAFolder(step);
}

/** A link is compared by its real path, component by component: `/p/ab` is not inside `/p/a`. */
function linkedFolder(disk: Disk, step: Step, path: string): string {
  const real = disk.fs.realpathSync(path);
  if (real !== step.root && !real.startsWith(`${step.root}/`)) {
    throw new MemoryError(
      "link_outside",
      `${step.shown} leaves the project: ${step.part} is a link to ${real}. Use a folder inside the project.`,
      { path: step.shown },
    );
  }
  const stat = disk.fs.lstatSync(real, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined || kindOf(stat) !== "folder") throw notAFolder(step);
  return real;
}

function notAFolder(step: Step): MemoryError {
  const sentence = `Could not open ${step.shown}: ${step.part} is not a folder (ENOTDIR). Move it away.`;
  return new MemoryError("io", sentence, { path: step.shown, cause: "ENOTDIR" });
}

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
