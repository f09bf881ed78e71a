import { MemoryError } from "../../base/errors.ts";
import { isInStateFolder } from "../../base/known-paths.ts";
import type { FileStamp } from "../files.ts";
import { rememberDurable, codeOf, failureOf, kindOf, stampOf, writeAll, type Disk } from "./disk.ts";
import {
  absoluteOf,
  refuseIrregular,
  writablePlaceOf,
  createFolders,
  syncChain,
  syncFile,
  type FilePlace,
} from "./place.ts";
import { readOpenFile } from "./read.ts";

const triesAllowed = 10;

/** Adds bytes to the file that the path names in the end; returned means durable. */
export async function appendTo(disk: Disk, path: string, bytes: Uint8Array): Promise<FileStamp> {
  const place = writablePlaceOf(disk, path);
  try {
    let copies: number | undefined;
    for (let tries = 0; tries < triesAllowed; tries += 1) {
      const attempt = await appendOnce(disk, createFolders(disk, place), { bytes, copies });
      if (attempt.state === "kept") return attempt.stamp;
      copies = attempt.copies;
    }
  } catch (error) {
    throw failureOf("append to", path, error);
  }
  throw new MemoryError(
    "changed_by_other",
    `Could not append to ${path}: another program replaced it ${triesAllowed} times meanwhile. Stop that program, then run it again.`,
    { path },
  );
}

interface Entry {
  readonly bytes: Uint8Array;
  /** Set after the file was renamed over: how often the bytes stood in the file that was lost. */
  readonly copies: number | undefined;
}

type Attempt =
  | { readonly state: "kept"; readonly stamp: FileStamp }
  | { readonly state: "renamed_over"; readonly copies: number };

async function appendOnce(disk: Disk, place: FilePlace, entry: Entry): Promise<Attempt> {
  const path = absoluteOf(place);
  const { fd, made } = openForAppending(disk, place);
  try {
    const opened = disk.fs.fstatSync(fd, { bigint: true });
    const { ino } = opened;
    refuseIrregular(place.shown, kindOf(opened));
    const isThere = entry.copies !== undefined && copiesIn(disk, fd, entry.bytes) >= entry.copies;
    if (!isThere) writeAll(disk, fd, entry.bytes);
    await syncFile(disk, fd);
    if (entry.copies !== undefined || disk.durable.get(path) !== ino) await syncChain(disk, place);
    const named = disk.fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (named?.ino !== ino) return { state: "renamed_over", copies: copiesIn(disk, fd, entry.bytes) };
    rememberDurable(disk, path, ino);
    return { state: "kept", stamp: stampOf(disk.fs.fstatSync(fd, { bigint: true })) };
  } catch (error) {
    if (made === "new") removeEmpty(disk, fd, path);
    throw error;
  } finally {
    disk.fs.closeSync(fd);
  }
}

interface Opened {
  readonly fd: number;
  readonly made: "new" | "there";
}

/** O_RDWR, since the bytes are looked for in both files when the path was renamed over. */
function openForAppending(disk: Disk, place: FilePlace): Opened {
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = disk.fs.constants;
  const flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
  const path = absoluteOf(place);
  for (;;) {
    try {
      return { fd: disk.fs.openSync(path, flags), made: "there" };
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    try {
      const mode = isInStateFolder(place.shown) ? 0o600 : 0o644;
      return { fd: disk.fs.openSync(path, flags | O_CREAT | O_EXCL, mode), made: "new" };
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** A full disk takes a name and no byte. A process that opened the file meanwhile finds that it lost its name, and appends to a new one. */
function removeEmpty(disk: Disk, fd: number, path: string): void {
  const { ino, size } = disk.fs.fstatSync(fd, { bigint: true });
  const named = disk.fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (size === 0n && named?.ino === ino) disk.fs.unlinkSync(path);
}

function copiesIn(disk: Disk, fd: number, bytes: Uint8Array): number {
  if (bytes.length === 0) return 0;
  const read = readOpenFile(disk, fd, { path: "" }).bytes;
  const file = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
  let copies = 0;
  for (let at = file.indexOf(bytes); at !== -1; at = file.indexOf(bytes, at + bytes.length)) copies += 1;
  return copies;
}
