import * as fs from "node:fs";
import { join, sep, dirname } from "node:path";
import { MemoryError } from "../base/errors.ts";
import { disposableParts, ignoreFile, proofName, stateFolder } from "../base/known-paths.ts";
import { systemRandom } from "./clock.ts";
import { codeOf, makePrivate, makePrivateFolder, placePrivateFile, readOwnFile, stampAt } from "./local-state/disk.ts";
import { gitTracking } from "./local-state/git-tracking.ts";
import { keyedDigest } from "../base/digest.ts";
import { userStateFolder } from "./folders.ts";

/** Whether `.heartwood/` of a memory was made in this folder, by this user, on this machine. */
export interface LocalState {
  /** Writes nothing. */
  look(): Standing;

  /**
   * Called before anything in `.heartwood/` is written: makes the folder with its proof, adopts an older one, and restores our `.gitignore` and the mode. Never fails: what
   * cannot be written is in the result.
   */
  prepare(): Standing;

  /**
   * Makes the folder ours: writes a new proof and discards what can be made again; threads stay. Errors: `foreign_state` while git tracks it, `io` where the proof cannot be
   * written.
   */
  adopt(): void;
}

export type Standing =
  | { readonly is: "absent" }
  | { readonly is: "ours" }
  /** Without a proof, as versions before 0.2 left it, and in a repository without threads. `problem`: why it could not be adopted. */
  | { readonly is: "older"; readonly problem?: string }
  /** Came from elsewhere. `message` says how that was seen and what to do. */
  | { readonly is: "foreign"; readonly message: string };

/**
 * `.heartwood/` with a proof in it: a digest of the real path of the memory under a key in the user's state folder. A repository cannot make one, and after a copy to another
 * folder or machine it does not fit.
 */
export function openLocalState(dir: string): LocalState {
  const userState = userStateFolder();
  const key = userState === undefined ? undefined : localKeyIn(userState);
  let opened: LocalState | undefined;
  const state = (): LocalState | undefined => {
    const real = opened === undefined ? realOf(dir) : undefined;
    return (opened ??= real === undefined ? undefined : openState(real, key));
  };
  return {
    look: () => state()?.look() ?? { is: "absent" },
    prepare: () => state()?.prepare() ?? { is: "absent" },
    adopt: () => state()?.adopt(),
  };
}

/** `undefined` for a folder that is gone: the first call that opens it says so. */
function realOf(dir: string): string | undefined {
  try {
    return fs.realpathSync(dir);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function openState(dir: string, key: LocalKey | undefined): LocalState {
  const folder = join(dir, stateFolder);
  const proof = join(folder, proofName);
  const git = gitTracking(dir);
  let known: { readonly stamps: string; readonly standing: Standing } | undefined;
  let isTidy = false;
  let problem: string | undefined;

  const look = (): Standing => {
    try {
      return standingNow();
    } catch (error) {
      // What cannot be looked at is refused by the call that opens it.
      if (codeOf(error) === undefined) throw error;
      return { is: "absent" };
    }
  };

  const standingNow = (): Standing => {
    if (!isFolderInside(dir, folder)) return { is: "absent" };
    const stamps = `${stampAt(proof)} ${git.stamp()} ${hasThreads()}`;
    if (known?.stamps !== stamps) known = { stamps, standing: judge() };
    return known.standing;
  };

  const hasThreads = (): boolean => fs.lstatSync(join(folder, "threads"), { throwIfNoEntry: false }) !== undefined;

  const judge = (): Standing => {
    if (git.isTracked()) return { is: "foreign", message: trackedBy(dir) };
    const text = readOwnFile(proof)?.toString("latin1") ?? "";
    if (!isProof(text)) return older();
    const own = key?.read();
    return own !== undefined && printProof(own, dir) === text
      ? { is: "ours" }
      : { is: "foreign", message: madeElsewhere(dir) };
  };

  const older = (): Standing => {
    const noKey = key === undefined ? noUserState : key.problem();
    // They may have come with the repository: that git no longer tracks them proves nothing.
    if (noKey === undefined && git.isRepository && hasThreads()) return { is: "foreign", message: madeByUnknown(dir) };
    const found = problem ?? noKey;
    return { is: "older", ...(found === undefined ? {} : { problem: found }) };
  };

  const claim = (): void => {
    if (key === undefined) throw new MemoryError("io", noUserState);
    const text = printProof(key.make(), dir);
    // Another process may have been faster, and what is there is its own.
    if (look().is === "ours") return;
    for (const part of disposableParts)
      fs.rmSync(join(folder, part), { recursive: true, force: true, maxRetries: 3, retryDelay: 10 });
    makePrivate(folder);
    placePrivateFile(proof, text, "replacing");
    known = undefined;
  };

  const tidy = (): void => {
    if (isTidy) return;
    isTidy = true;
    if ((fs.statSync(folder).mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
    const ignore = join(dir, ignoreFile.path);
    if (readOwnFile(ignore)?.toString("utf8") !== ignoreFile.text)
      placePrivateFile(ignore, ignoreFile.text, "replacing");
  };

  const prepare = (): Standing => {
    try {
      if (fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) makePrivateFolder(folder);
      const standing = look();
      if (standing.is !== "absent") tidy();
      if (standing.is === "older") claim();
    } catch (error) {
      problem = reasonOf(error);
      known = undefined;
    }
    return look();
  };

  const adopt = (): void => {
    const standing = look();
    if (git.isTracked()) throw foreign(trackedBy(dir));
    try {
      if (standing.is === "absent") makePrivateFolder(folder);
      tidy();
      claim();
    } catch (error) {
      throw new MemoryError("io", `${folder} could not be claimed: ${reasonOf(error)}.`, { path: folder }, error);
    }
  };

  return { look, prepare, adopt };
}

function isFolderInside(dir: string, folder: string): boolean {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() !== true) return stat?.isDirectory() === true;
  const target = fs.statSync(folder, { throwIfNoEntry: false });
  return target?.isDirectory() === true && fs.realpathSync(folder).startsWith(dir.endsWith(sep) ? dir : dir + sep);
}

function foreign(message: string): MemoryError {
  return new MemoryError("foreign_state", message);
}

function trackedBy(dir: string): string {
  return `git tracks files of ${join(dir, stateFolder)} that belong to one machine, so they may come from someone else and are not used; if they are yours, run \`git rm -r --cached ${stateFolder}\` in ${dir}, otherwise delete ${stateFolder} there; then commit.`;
}

function madeByUnknown(dir: string): string {
  return `${join(dir, stateFolder)} has threads and no proof of who made them, so its caches, index and threads are not used; if they are yours, run \`heartwood trust\` in ${dir}, otherwise delete ${stateFolder} there.`;
}

function madeElsewhere(dir: string): string {
  return `${join(dir, stateFolder)} was made for another folder, user or machine, so its caches, index and threads are not used; if they are yours, run \`heartwood trust\` in ${dir}.`;
}

const noUserState =
  "there is no home folder for the key that proves who made them; set XDG_STATE_HOME to a folder that can be written";

function reasonOf(error: unknown): string {
  if (error instanceof MemoryError) return error.message;
  const code = codeOf(error);
  if (code === undefined) throw error;
  const { path } = error as NodeJS.ErrnoException;
  return `the system says ${code}${path === undefined ? "" : ` for ${path}`}`;
}

/** 32 random bytes of this user on this machine, which no repository knows. */
interface LocalKey {
  /** `undefined` when there is none yet, or one that may be known to others. */
  read(): Uint8Array | undefined;
  /** Makes it when there is none. Errors: `io` where another file is in its place; others as the system calls fail. */
  make(): Uint8Array;
  /** Why there is none and none can be made. */
  problem(): string | undefined;
}

/** `folder`: heartwood's in the user's state folder. */
function localKeyIn(folder: string): LocalKey {
  const path = join(folder, "local.key");
  const read = (): Uint8Array | undefined => {
    const digits = /^([0-9a-f]{64})\n?$/u.exec(readSecret(path))?.[1];
    return digits === undefined ? undefined : Buffer.from(digits, "hex");
  };
  const make = (): Uint8Array => {
    const there = read();
    if (there !== undefined) return there;
    makeFolders(folder);
    placePrivateFile(path, `${Buffer.from(systemRandom.bytes(32)).toString("hex")}\n`, "first");
    const made = read();
    if (made === undefined) throw new MemoryError("io", notAKey(path), { path });
    return made;
  };
  const problem = (): string | undefined => {
    if (read() !== undefined) return undefined;
    if (statOf(path) !== undefined) return notAKey(path);
    return canBeMade(folder)
      ? undefined
      : `the key that proves who made them cannot be written to ${folder}; set XDG_STATE_HOME to a folder that can be`;
  };
  return { read, make, problem };
}

/** Empty when it is not a file of this user that others can neither read nor write. */
function readSecret(path: string): string {
  const stat = statOf(path);
  const isSecret = stat !== undefined && (stat.mode & 0o077) === 0 && stat.uid === (process.getuid?.() ?? stat.uid);
  return isSecret ? (readOwnFile(path)?.toString("latin1") ?? "") : "";
}

function statOf(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function notAKey(path: string): string {
  return `${path} must be a regular file of yours that others cannot read (mode 0600), with the key that heartwood wrote; make it one, or delete it and run \`heartwood trust\` in each of your folders`;
}

function canBeMade(folder: string): boolean {
  if (!fs.existsSync(folder) && dirname(folder) !== folder) return canBeMade(dirname(folder));
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return fs.statSync(folder).isDirectory();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

/** One by one from above: Node's own recursive way never ends in `/proc`. */
function makeFolders(folder: string): void {
  if (fs.existsSync(folder)) return;
  makeFolders(dirname(folder));
  makePrivateFolder(folder);
}

/** The text of the proof that the folder `dir` (a real path) was given here. */
function printProof(key: Uint8Array, dir: string): string {
  return `${JSON.stringify({ made_for: keyedDigest(key, Buffer.from(`heartwood state folder\0${dir}`)) })}\n`;
}

/** Whether a text is a proof at all: a crash may have torn it. */
function isProof(text: string): boolean {
  return /^\{"made_for":"[0-9a-f]{64}"\}\n$/u.test(text);
}
