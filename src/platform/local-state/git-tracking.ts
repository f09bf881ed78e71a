import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isLocal, stateFolder } from "../../base/known-paths.ts";
import { readIfThere, stampAt } from "./disk.ts";

/** Finds out which files of a memory git tracks by reading the index; running git could execute programs from the repository's configuration. `dir`: a real path. */
export function gitTracking(dir: string) {
  for (let root = dir; ; root = dirname(root)) {
    const gitDir = gitDirOf(join(root, ".git"));
    if (gitDir !== undefined) {
      const below = relative(root, dir).replaceAll(sep, "/");
      return {
        isRepository: true,
        /** Changes when the answer may change. */
        stamp: () => stampAt(join(gitDir, "index")),
        /** Whether git tracks the state folder itself, or machine-specific files in it. */
        isTracked: () => isTrackedBy(gitDir, below === "" ? "" : `${below}/`),
      };
    }
    if (root === dirname(root)) return { isRepository: false, stamp: () => "", isTracked: () => false };
  }
}

/** In a worktree or submodule, `.git` is a file that contains the folder's path. */
function gitDirOf(path: string): string | undefined {
  if (existsSync(join(path, "HEAD"))) return path;
  const named = /^gitdir: (.+)$/mu.exec(readIfThere(path)?.toString("utf8") ?? "")?.[1];
  const gitDir = named === undefined ? undefined : resolve(dirname(path), named.trim());
  return gitDir !== undefined && existsSync(join(gitDir, "HEAD")) ? gitDir : undefined;
}

function isTrackedBy(gitDir: string, folder: string): boolean {
  const bytes = readIfThere(join(gitDir, "index"));
  if (bytes === undefined) return false;
  const index = parseGitIndex(bytes);
  // A broken index counts as tracking if it mentions the folder.
  if (index === undefined) return mark.test(bytes.toString("latin1"));
  // In a split index, removed names still count until git rewrites the whole index.
  const shared = index.shared === undefined ? undefined : readIfThere(join(gitDir, `sharedindex.${index.shared}`));
  const others = shared === undefined ? undefined : parseGitIndex(shared);
  return [...index.names, ...(others?.names ?? [])].some((name) => isStateBelow(folder, name));
}

/** Ignores case and Unicode normalization, since some file systems do too. */
function isStateBelow(folder: string, name: string): boolean {
  const path = folded(Buffer.from(name, "latin1").toString("utf8"));
  const above = folded(folder);
  if (!path.startsWith(above)) return false;
  const inside = path.slice(above.length).replace(/\/$/u, "");
  return inside === stateFolder || isLocal(inside);
}

function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** Matches the name of the state folder in an index. */
const mark = /\.heartwood/iu;

/** A git index file, version 2 to 4 (gitformat-index(5)). */
interface GitIndex {
  /** Names that contain `.heartwood` in any case, with one character per byte. */
  readonly names: readonly string[];
  /** In a split index: the digest in the name of the shared index file. */
  readonly shared: string | undefined;
}

/** Returns `undefined` for anything but an index of these versions. */
function parseGitIndex(bytes: Buffer): GitIndex | undefined {
  if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  try {
    // Only the configuration says whether digests are SHA-1 or SHA-256. With the wrong length, parsing fails.
    return parseWith(bytes, version, 20) ?? parseWith(bytes, version, 32);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const statLength = 40;
const extendedFlag = 0x4000;
const longName = 0xfff;

function parseWith(bytes: Buffer, version: number, digestLength: number): GitIndex | undefined {
  const text = bytes.toString("latin1");
  // Offsets of the mark, in order. In a large repository, checking each name separately would exceed a hook's time limit.
  const places = version === 4 ? [] : [...text.matchAll(new RegExp(mark, "giu"))].map(({ index }) => index);
  const names: string[] = [];
  const count = bytes.readUInt32BE(8);
  let at = 12;
  let next = 0;
  let before = "";
  for (let place = 0; place < count; place += 1) {
    const start = at;
    const flags = bytes.readUInt16BE(at + statLength + digestLength);
    at += statLength + digestLength + ((flags & extendedFlag) === 0 ? 2 : 4);
    if (version === 4) {
      const dropped = readOffset(bytes, at);
      const end = bytes.indexOf(0, dropped.next);
      if (end === -1 || dropped.value > before.length) return undefined;
      before = before.slice(0, before.length - dropped.value) + text.slice(dropped.next, end);
      if (Math.min(before.length, longName) !== (flags & longName)) return undefined;
      if (mark.test(before)) names.push(before);
      at = end + 1;
    } else {
      const length = flags & longName;
      const end = length === longName ? bytes.indexOf(0, at + longName) : at + length;
      if (bytes[end] !== 0) return undefined;
      while ((places[next] ?? Infinity) < at) next += 1;
      if ((places[next] ?? Infinity) < end) names.push(text.slice(at, end));
      at = start + Math.ceil((end + 1 - start) / 8) * 8;
    }
  }
  // The extensions; one of them names the shared index.
  const end = bytes.length - digestLength;
  let shared: GitIndex["shared"];
  while (at < end) {
    const length = bytes.readUInt32BE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "link") shared = bytes.toString("hex", at + 8, at + 8 + digestLength);
    at += 8 + length;
  }
  return at === end ? { names, shared } : undefined;
}

/** Reads the number of bytes to drop from the previous name, encoded like offsets in a pack. */
function readOffset(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let at = from;
  let byte = bytes.readUInt8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}
