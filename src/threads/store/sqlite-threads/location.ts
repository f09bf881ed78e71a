import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { MemoryError } from "../../../base/errors.ts";

const FILE = "threads.sqlite";

/** The real path of the database when there is one; nothing is made. Errors: `link_outside`, `not_a_file`; others as the system calls fail. */
export function findDatabase(folder: string): string | undefined {
  const [heartwood, threads] = partsOf(folder);
  if (!exists(heartwood) || !exists(threads)) return undefined;
  const database = `${realInside(folder, dirname(heartwood))}/${FILE}`;
  return isRegular(database) ? database : undefined;
}

/**
 * The real path of the database; what is missing of its folders is made, and an empty file. Errors: `link_outside`, `not_a_file`; others as the
 * system calls fail.
 */
export function makeDatabase(folder: string): string {
  const [heartwood, threads] = partsOf(folder);
  // Each is looked at before anything is made in it.
  for (const path of [heartwood, threads]) {
    makeFolder(path);
    realInside(path, dirname(heartwood));
  }
  const real = realInside(folder, dirname(heartwood));
  const database = `${real}/${FILE}`;
  // An empty one may come from a process that was killed before it had synced the folders.
  if (isRegular(database) && fs.statSync(database).size > 0) return database;
  makeFile(database, "");
  for (const path of [real, dirname(heartwood), heartwood]) syncFolder(path);
  return database;
}

/** Device and inode of a file; `undefined` when there is none. */
export function fileIdOf(path: string): string | undefined {
  const stat = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}-${stat.ino}`;
}

function partsOf(folder: string): readonly [string, string] {
  const heartwood = dirname(folder);
  return [heartwood, `${heartwood}/${basename(folder)}`];
}

function exists(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function realInside(folder: string, above: string): string {
  const project = fs.realpathSync(above);
  const real = fs.realpathSync(folder);
  if (real.startsWith(project.endsWith("/") ? project : `${project}/`)) return real;
  const sentence = `${folder} is a link that leaves the project, to ${real}. Put a folder there.`;
  throw new MemoryError("link_outside", sentence, { path: folder });
}

/** A FIFO or a device would be waited for, and a link would be followed. What SQLite writes beside the file is looked at as well. */
function isRegular(database: string): boolean {
  const [found = false] = ["", "-wal", "-shm", "-journal"].map((ending) => {
    const path = `${database}${ending}`;
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isFile()) return stat !== undefined;
    const code = stat.isSymbolicLink() ? "link_outside" : "not_a_file";
    throw new MemoryError(code, `${path} is not a regular file. Move it away.`, { path });
  });
  return found;
}

function makeFolder(path: string): void {
  unlessThere(() => fs.mkdirSync(path, { mode: 0o700 }));
}

/** Never opens a file that is there: to close it would free the locks that this process holds on it. */
function makeFile(path: string, text: string): void {
  unlessThere(() => fs.writeFileSync(path, text, { flag: "wx", mode: 0o600 }));
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function syncFolder(path: string): void {
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
