import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { attempt, systemCodeOf } from "../../base/errors.ts";

/** A stamp that changes whenever the file does; empty if there is no file. */
export function stampAt(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.size}-${stat.mtimeMs}-${stat.ctimeMs}-${stat.ino}`;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The bytes of a file; `undefined` if it is missing or unreadable. Never blocks on a FIFO. */
export function readIfThere(path: string): Buffer | undefined {
  return attempt(() => (statSync(path).isFile() ? readFileSync(path) : undefined));
}

/** Same, but a link counts as missing: git does not follow a linked ignore file either. */
export function readOwnFile(path: string): Buffer | undefined {
  return attempt(() => (lstatSync(path).isFile() ? readFileSync(path) : undefined));
}

/** Creates a folder and its parents, one at a time: Node's recursive mode never returns in a folder where nothing can be created, such as /proc. */
export function makeFolders(path: string, mode: number): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
}

/** Creates a folder only its owner can open, unless it already exists. */
export function makePrivateFolder(path: string): void {
  unless("EEXIST", () => mkdirSync(path, { mode: 0o700 }));
}

/** The result of `act`; `undefined` if it fails with this system code. */
export function unless<T>(code: string, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (systemCodeOf(error) !== code) throw error;
    return undefined;
  }
}

/**
 * Writes a whole file atomically and durably, accessible only to its owner. `first`: keeps an existing file. A function: decides just before the
 * rename whether the file may be replaced.
 */
export function placePrivateFile(path: string, text: string, how: "first" | "replacing" | (() => boolean)): void {
  const name = `${process.pid}`.padStart(8, "0") + `${process.hrtime.bigint()}`.padStart(16, "0");
  const temporary = join(dirname(path), `.hw-${name}.tmp`);
  const fd = openSync(temporary, "wx", 0o600);
  try {
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (how === "first") unless("EEXIST", () => linkOrRename(temporary, path));
    else if (how === "replacing" || how()) {
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(path, { recursive: true });
      renameSync(temporary, path);
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Links, or renames on file systems without hard links. */
function linkOrRename(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") throw error;
    renameSync(from, to);
  }
}

/** Removes other users' permissions from everything below a folder. Does not follow links; skips files that vanish meanwhile. */
export function makePrivate(folder: string): void {
  unless("ENOENT", () => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) makePrivate(path);
      if (entry.isDirectory() || entry.isFile())
        unless("ENOENT", () => chmodSync(path, entry.isDirectory() ? 0o700 : 0o600));
    }
  });
}
