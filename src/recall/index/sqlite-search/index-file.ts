import * as fs from "node:fs";
import { dirname } from "node:path";
import { MemoryError } from "../../../base/errors.ts";
import { isAlive } from "../../../platform/locks.ts";
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";

const fileName = "index.sqlite";

/** The real path of the index when there is one; nothing is made. Errors: `link_outside`, `not_a_file`; others as the system calls fail. */
export function findIndex(folder: string): string | undefined {
  if (fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined;
  const path = `${realInside(folder, dirname(dirname(folder)))}/${fileName}`;
  return isRegular(path) ? path : undefined;
}

/** The real path where the index is or will be; what is missing of its folders is made. Errors: as of `findIndex`. */
export function makePlace(folder: string): string {
  const project = dirname(dirname(folder));
  // Each is looked at before anything is made in it.
  for (const path of [dirname(folder), folder]) {
    unlessThere(() => fs.mkdirSync(path, { mode: 0o700 }));
    realInside(path, project);
  }
  const path = `${realInside(folder, project)}/${fileName}`;
  isRegular(path);
  return path;
}

/** Makes an empty file that only its owner can read, unless it is there. */
export function makeFile(path: string): void {
  unlessThere(() => fs.writeFileSync(path, "", { flag: "wx", mode: 0o600 }));
}

/** Removes what processes that were killed had begun to make. */
export function removeUnfinished(path: string): void {
  for (const name of fs.readdirSync(dirname(path)))
    if (/^index\.sqlite\.\d+\.new(?:-journal)?$/u.test(name)) fs.rmSync(`${dirname(path)}/${name}`, { force: true });
}

interface FileFacts {
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

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/**
 * What the file was when it was last written, in `index.check` beside it. SQLite trusts the bytes of a file; with this a damaged one is known whatever was
 * changed: another stamp means that the bytes are compared, and the same stamp that no other program has written. Of a large file the bytes are looked at when all of it was
 * written, and not after each change: then another stamp alone means that it is not what was written.
 */
interface Check {
  readonly stamp: string;
  readonly size: number;
  /** -1 when it is not known. */
  readonly crc: number;
  /** The process that is writing; SQLite sees to it that others read what was there before or comes after. */
  readonly writer?: number;
}

const unwritten: Check = { stamp: "", size: 0, crc: -1 };

/** Whether the file is what was written, or is being written by a process that is alive. */
export function isWhole(path: string, facts: FileFacts): boolean {
  const check = readCheck(path);
  if (check === undefined) return false;
  if (check.stamp === facts.stamp || isWriting(check.writer)) return true;
  if (check.size !== facts.size || check.crc === unwritten.crc || crcOf(path) !== check.crc) return false;
  // A copy of the folder, or a transaction that was taken back after its process had ended: no need to compare again.
  tolerated(() => writeCheck(path, { stamp: facts.stamp, size: check.size, crc: check.crc }));
  return true;
}

/** To be called before a transaction is committed. */
export function announceWrite(path: string): void {
  writeCheck(path, { ...(readCheck(path) ?? unwritten), writer: process.pid });
}

/** Bytes up to which looking at a whole file takes a few milliseconds. */
const small = 4 * 1024 * 1024;

/** To be called when it is; the stamp of the file now. */
export function noteWritten(path: string, what: "whole" | "part"): string {
  const { stamp, size } = factsOf(path) ?? { stamp: "", size: 0 };
  writeCheck(path, { stamp, size, crc: what === "whole" || size <= small ? crcOf(path) : unwritten.crc });
  return stamp;
}

/** To be called when it was taken back. */
export function takeBackAnnouncement(path: string): void {
  const { writer: _writer, ...check } = readCheck(path) ?? unwritten;
  tolerated(() => writeCheck(path, check));
}

/** Changes with each step of a write: what was seen between two looks at the same mark was not between two writes. */
export function markOf(path: string): string {
  return `${factsOf(path)?.stamp} ${JSON.stringify(readCheck(path))}`;
}

const checkOf = (path: string): string => path.replace(/\.sqlite$/u, ".check");

function readCheck(path: string): Check | undefined {
  try {
    const { stamp, size, crc, writer } = JSON.parse(fs.readFileSync(checkOf(path), "utf8")) as Partial<Check>;
    if (typeof stamp !== "string" || typeof size !== "number" || typeof crc !== "number") return undefined;
    return { stamp, size, crc, ...(typeof writer === "number" ? { writer } : {}) };
  } catch {
    return undefined;
  }
}

function writeCheck(path: string, check: Check): void {
  const temporary = `${checkOf(path)}.${process.pid}`;
  fs.rmSync(temporary, { force: true });
  fs.writeFileSync(temporary, JSON.stringify(check), { flag: "wx", mode: 0o600 });
  fs.renameSync(temporary, checkOf(path));
}

function tolerated(act: () => void): void {
  try {
    act();
  } catch {
    // In a folder that cannot be written the bytes are compared again the next time.
  }
}

const pieceBytes = 1024 * 1024;

/** Never called within a transaction: closing the file frees the locks that this process has on it. */
function crcOf(path: string): number {
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    const piece = Buffer.allocUnsafe(pieceBytes);
    let crc = 0;
    for (;;) {
      const read = fs.readSync(fd, piece, 0, pieceBytes, null);
      if (read === 0) return crc;
      crc = crc32(piece.subarray(0, read), crc);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** This process writes without a pause, so it never looks while it does. */
function isWriting(pid: number | undefined): boolean {
  return pid !== undefined && pid !== process.pid && isAlive(pid);
}
