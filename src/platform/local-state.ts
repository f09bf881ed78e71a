import { accessSync, chmodSync, constants, existsSync, lstatSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { keyedDigest } from "../base/digest.ts";
import { MemoryError, attempt, systemCodeOf } from "../base/errors.ts";
import {
  disposableParts,
  ignoreFile,
  proofName,
  stateFolder,
  isDisposable,
  isInStateFolder,
  isRemembered,
} from "../base/known-paths.ts";
import { systemRandom } from "./clock.ts";
import { userStateFolder } from "./program.ts";
import {
  makeFolders,
  makePrivate,
  makePrivateFolder,
  placePrivateFile,
  readOwnFile,
  stampAt,
} from "./local-state/disk.ts";
import { gitTracking } from "./local-state/git-tracking.ts";
import type { Files } from "./files.ts";
import type { Locks } from "./locks.ts";

/** Checks whether a memory's `.heartwood/` was made in this folder, by this user, on this machine. */
export interface LocalState {
  /** Writes nothing. */
  look(): Standing;

  /**
   * Call before writing anything in `.heartwood/`: creates the folder with its proof, adopts an older one, and restores our `.gitignore` and the
   * folder mode. Never fails; a write error is part of the result.
   */
  prepare(): Standing;

  /**
   * Makes the folder ours: writes a new proof and discards what can be rebuilt, but keeps threads. Errors: `foreign_state` while git tracks it, `io`
   * if the proof cannot be written.
   */
  adopt(): void;

  /** A digest of the text with the key of this user on this machine, as 64 hexadecimal digits; `undefined` without a key. No repository can compute it. */
  keyedDigest(text: string): string | undefined;
}

export type Standing =
  | { readonly is: "absent" }
  | { readonly is: "ours" }
  /** Has no proof, like folders from before version 0.2; in a repository, it has no threads either. `problem`: why it could not be adopted. */
  | { readonly is: "older"; readonly problem?: string }
  /** Came from elsewhere; `message` explains why we think so and what to do. */
  | { readonly is: "foreign"; readonly message: string };

/**
 * `.heartwood/` with a proof: a keyed digest of the memory's real path, with the key in the user's state folder. A repository cannot forge it, and it
 * no longer matches after a copy to another folder or machine.
 */
export function openLocalState(dir: string): LocalState {
  const state = userStateFolder();
  const keyFile = state === undefined ? undefined : join(state, "local.key");
  let opened: ReturnType<typeof openState> | undefined;
  /** `undefined` if the folder is gone; the first call that opens it reports that. */
  const open = (): typeof opened => {
    const real = opened === undefined ? attempt(() => realpathSync(dir)) : undefined;
    return (opened ??= real === undefined ? undefined : openState(real, keyFile));
  };
  return {
    look: () => open()?.look() ?? { is: "absent" },
    prepare: () => open()?.prepare() ?? { is: "absent" },
    adopt: () => open()?.adopt(),
    keyedDigest: (text) => {
      const key = keyFile === undefined ? undefined : readKey(keyFile);
      return key && keyedDigest(key, Buffer.from(`heartwood text\0${text}`));
    },
  };
}

function openState(dir: string, keyFile: string | undefined): Omit<LocalState, "keyedDigest"> {
  const folder = join(dir, stateFolder);
  const proof = join(folder, proofName);
  const git = gitTracking(dir);
  let known: { readonly stamps: string; readonly standing: Standing } | undefined;
  let isTidy = false;
  let problem: string | undefined;

  // If the folder is inaccessible, the call that opens it fails.
  const look = (): Standing => attempt(standingNow) ?? { is: "absent" };

  const standingNow = (): Standing => {
    if (!isFolderInside(dir, folder)) return { is: "absent" };
    const stamps = `${stampAt(proof)} ${git.stamp()} ${hasThreads()}`;
    if (known?.stamps !== stamps) known = { stamps, standing: judge() };
    return known.standing;
  };

  const hasThreads = (): boolean => lstatSync(join(folder, "threads"), { throwIfNoEntry: false }) !== undefined;

  const foreign = (what: string, otherwise: string): Standing => {
    const message = `${folder} ${what}, so its caches, index and threads are not used; if they are yours, run \`heartwood trust\` in ${dir}${otherwise}.`;
    return { is: "foreign", message };
  };

  const judge = (): Standing => {
    if (git.isTracked()) return { is: "foreign", message: trackedBy(dir) };
    const text = readOwnFile(proof)?.toString("latin1") ?? "";
    // A crash may have left a partial proof.
    if (!/^\{"made_for":"[0-9a-f]{64}"\}\n$/u.test(text)) return older();
    const key = keyFile === undefined ? undefined : readKey(keyFile);
    if (key !== undefined && printProof(key, dir) === text) return { is: "ours" };
    return foreign("was made for another folder, user or machine", "");
  };

  const older = (): Standing => {
    const noKey = keyFile === undefined ? noUserState : keyProblem(keyFile);
    // The threads may have come with the repository, even if git no longer tracks them.
    if (noKey === undefined && git.isRepository && hasThreads())
      return foreign("has threads and no proof of who made them", `, otherwise delete ${stateFolder} there`);
    const found = problem ?? noKey;
    return { is: "older", ...(found === undefined ? {} : { problem: found }) };
  };

  const claim = (): void => {
    if (keyFile === undefined) throw new MemoryError("io", noUserState);
    const text = printProof(makeKey(keyFile), dir);
    // Another process may have claimed the folder first; keep its files.
    if (look().is === "ours") return;
    for (const part of disposableParts)
      rmSync(join(folder, part), { recursive: true, force: true, maxRetries: 3, retryDelay: 10 });
    makePrivate(folder);
    placePrivateFile(proof, text, "replacing");
    known = undefined;
  };

  const tidy = (): void => {
    if (isTidy) return;
    isTidy = true;
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    const ignore = join(dir, ignoreFile.path);
    if (readOwnFile(ignore)?.toString("utf8") !== ignoreFile.text)
      placePrivateFile(ignore, ignoreFile.text, "replacing");
  };

  const prepare = (): Standing => {
    try {
      let standing = look();
      if (standing.is === "absent" && lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
        makePrivateFolder(folder);
        standing = look();
      }
      if (standing.is !== "absent") tidy();
      if (standing.is !== "older") return standing;
      claim();
    } catch (error) {
      problem = reasonOf(error);
      known = undefined;
    }
    return look();
  };

  const adopt = (): void => {
    const standing = look();
    if (git.isTracked()) throw new MemoryError("foreign_state", trackedBy(dir));
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
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() !== true) return stat?.isDirectory() === true;
  const target = statSync(folder, { throwIfNoEntry: false });
  return target?.isDirectory() === true && realpathSync(folder).startsWith(dir.endsWith(sep) ? dir : dir + sep);
}

function trackedBy(dir: string): string {
  return `git tracks machine-specific files in ${join(dir, stateFolder)}, so they may come from another user and are not used; if they are yours, run \`git rm -r --cached ${stateFolder}\` in ${dir}, otherwise delete ${stateFolder} there; then commit.`;
}

const noUserState =
  "there is no home folder for the key that proves who created them; set XDG_STATE_HOME to a writable folder";

function reasonOf(error: unknown): string {
  if (error instanceof MemoryError) return error.message;
  const code = systemCodeOf(error);
  if (code === undefined) throw error;
  const { path } = error as NodeJS.ErrnoException;
  return `the system reports ${code}${path === undefined ? "" : ` for ${path}`}`;
}

/**
 * The key: 32 random bytes per user and machine, in heartwood's part of the user's state folder, so no repository can know it. `undefined` if there
 * is none yet, or if other users can read or write it.
 */
function readKey(path: string): Uint8Array | undefined {
  const stat = attempt(() => lstatSync(path));
  if (stat === undefined || (stat.mode & 0o077) !== 0 || stat.uid !== (process.getuid?.() ?? stat.uid))
    return undefined;
  const digits = /^([0-9a-f]{64})\n?$/u.exec(readOwnFile(path)?.toString("latin1") ?? "")?.[1];
  return digits === undefined ? undefined : Buffer.from(digits, "hex");
}

/** The key, created if there is none. Errors: `io` if something else is in its place; system errors. */
function makeKey(path: string): Uint8Array {
  const known = readKey(path);
  if (known !== undefined) return known;
  makeFolders(dirname(path), 0o700);
  placePrivateFile(path, `${Buffer.from(systemRandom.bytes(32)).toString("hex")}\n`, "first");
  const made = readKey(path);
  if (made === undefined) throw new MemoryError("io", notAKey(path), { path });
  return made;
}

/** Why there is no key and none can be created; `undefined` if there is no problem. */
function keyProblem(path: string): string | undefined {
  if (readKey(path) !== undefined) return undefined;
  if (attempt(() => lstatSync(path)) !== undefined) return notAKey(path);
  return canBeMade(dirname(path))
    ? undefined
    : `the key that proves who created them cannot be written to ${dirname(path)}; set XDG_STATE_HOME to a writable folder`;
}

function notAKey(path: string): string {
  return `${path} must be a regular file that you own and others cannot read (mode 0600), with the key that heartwood wrote; fix it, or delete it and run \`heartwood trust\` in each of your folders`;
}

function canBeMade(folder: string): boolean {
  if (!existsSync(folder) && dirname(folder) !== folder) return canBeMade(dirname(folder));
  const isWritable = attempt(() => {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  });
  return isWritable ?? false;
}

/** The text of the proof for the folder `dir` (a real path). */
function printProof(key: Uint8Array, dir: string): string {
  return `${JSON.stringify({ made_for: keyedDigest(key, Buffer.from(`heartwood state folder\0${dir}`)) })}\n`;
}

/** A memory's files, except those that may come from another user: these count as missing and are never written. */
export function guardFiles(files: Files, state: LocalState): Files {
  const isUsed = (path: string): boolean => {
    const standing = isInStateFolder(path) ? state.look().is : "ours";
    return standing === "foreign" ? !isRemembered(path) : standing !== "older" || !isDisposable(path);
  };
  return {
    ...files,
    list: async (dir) => (isUsed(dir) ? files.list(dir) : []),
    names: async (dir) => (isUsed(dir) ? files.names(dir) : []),
    read: async (path, range) => (isUsed(path) ? files.read(path, range) : undefined),
    append: async (path, bytes, options) => {
      if (isInStateFolder(path)) state.prepare();
      return isUsed(path) || !isDisposable(path) ? files.append(path, bytes, options) : "";
    },
    commit: async (changes) => {
      const paths = new Set(changes.map(({ path }) => path).filter(isInStateFolder));
      if (paths.size === 0) return files.commit(changes);
      // Not if the commit includes the ignore file: its caller expects it to be missing.
      if (!paths.has(ignoreFile.path)) state.prepare();
      const outcomes = await files.commit(changes.filter(({ path }) => isUsed(path)));
      if (paths.has(ignoreFile.path)) state.prepare();
      const byPath = new Map(outcomes.map((outcome) => [outcome.path, outcome]));
      return changes.map(({ path }) => byPath.get(path) ?? { path, outcome: "changed" });
    },
  };
}

/** Locks on files in the state folder. Foreign lock files are fine, since their contents do not matter. */
export function guardLocks(locks: Locks, state: LocalState): Locks {
  return {
    ...locks,
    acquire: async (name, options) => {
      state.prepare();
      return locks.acquire(name, options);
    },
  };
}

/** A check that a store runs before each call. Errors: `foreign_state`. */
export interface Gate {
  read(): void;
  write(): void;
}

/** Threads from a version without proofs stay usable; in a repository, the user has to claim them. */
export function gateOfThreads(state: LocalState): Gate {
  return { read: () => refuseForeign(state.look()), write: () => refuseForeign(state.prepare()) };
}

/** An index of unknown origin is discarded before it is read. */
export function gateOfSearch(state: LocalState): Gate {
  const write = (): void => {
    const standing = state.prepare();
    refuseForeign(standing);
    if (standing.is !== "older") return;
    const why = standing.problem ?? "the reason is unknown";
    const message = `The index in .heartwood/ is of unknown origin and could not be rebuilt: ${why}.`;
    throw new MemoryError("foreign_state", message);
  };
  return { read: () => (state.look().is === "older" ? write() : refuseForeign(state.look())), write };
}

function refuseForeign(standing: Standing): void {
  if (standing.is === "foreign") throw new MemoryError("foreign_state", standing.message);
}
