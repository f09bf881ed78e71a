import * as fs from "node:fs";
import { dirname } from "node:path";
import { MemoryError } from "../../../base/errors.ts";

const fileName = "index.sqlite";

/** The real path of the index when there is one; nothing is made. Errors: `link_outside`, `not_a_file`; others as the system calls fail. */
export function findIndex(folder: string): string | undefined {
  if (!exists(dirname(folder)) || !exists(folder)) return undefined;
  const path = `${realInside(folder, dirname(dirname(folder)))}/${fileName}`;
  return isRegular(path) ? path : undefined;
}

/** The real path where the index is or will be; what is missing of its folders is made. Errors: as of `findIndex`. */
export function makePlace(folder: string): string {
  const project = dirname(dirname(folder));
  // Each is looked at before anything is made in it.
  for (const path of [dirname(folder), folder]) {
    makeFolder(path);
    realInside(path, project);
  }
  const real = realInside(folder, project);
  const path = `${real}/${fileName}`;
  isRegular(path);
  return path;
}

/** Makes an empty file that only its owner can read, unless it is there. */
export function makeFile(path: string, text: string): void {
  unlessThere(() => fs.writeFileSync(path, text, { flag: "wx", mode: 0o600 }));
}

/** Where this process makes an index before it is put in its place. */
export function unfinishedName(path: string): string {
  return `${path}.${process.pid}.new`;
}

/** Removes what processes that were killed had begun to make. */
export function removeUnfinished(path: string): void {
  for (const name of fs.readdirSync(dirname(path)))
    if (/^index\.sqlite\.\d+\.new(?:-journal)?$/u.test(name)) fs.rmSync(`${dirname(path)}/${name}`, { force: true });
}

export interface FileFacts {
  /** Device and inode. */
  readonly id: string;
  /** Size and times as well: what changes with every write. */
  readonly stamp: string;
  readonly size: number;
}

/** `undefined` when there is none. */
export function factsOf(path: string): FileFacts | undefined {
  const stat = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const id = `${stat.dev}-${stat.ino}`;
  return { id, stamp: `${id}-${stat.size}-${stat.mtimeNs}-${stat.ctimeNs}`, size: Number(stat.size) };
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
function isRegular(path: string): boolean {
  const [found = false] = ["", "-journal", "-wal", "-shm"].map((ending) => {
    const stat = fs.lstatSync(`${path}${ending}`, { throwIfNoEntry: false });
    if (stat === undefined || stat.isFile()) return stat !== undefined;
    const code = stat.isSymbolicLink() ? "link_outside" : "not_a_file";
    throw new MemoryError(code, `${path}${ending} is not a regular file. Move it away; the index is made anew.`, {
      path,
    });
  });
  return found;
}

function makeFolder(path: string): void {
  unlessThere(() => fs.mkdirSync(path, { mode: 0o700 }));
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
