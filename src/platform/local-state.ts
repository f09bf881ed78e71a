import * as fs from "node:fs";
import { join, sep } from "node:path";
import { MemoryError } from "../base/errors.ts";
import { disposableParts, ignoreFile, proofName, stateFolder } from "../base/known-paths.ts";
import type { Random } from "./clock.ts";
import type { LocalState, Standing } from "./local-state/port.ts";
import { codeOf, makePrivate, makePrivateFolder, placePrivateFile, readOwnFile, stampAt } from "./local-state/disk.ts";
import { gitTracking } from "./local-state/git-tracking.ts";
import { isProof, localKeyIn, printProof, type LocalKey } from "./local-state/proof.ts";

export interface LocalStateOptions {
  /** Absolute path of the memory. */
  readonly dir: string;
  /** Where heartwood keeps what is of this user and machine; `undefined` when there is no such place. */
  readonly userState: string | undefined;
  /** For the key. */
  readonly random: Random;
}

/**
 * `.heartwood/` with a proof in it: a digest of the real path of the memory under a key in the user's state folder. A repository cannot make one, and after a copy to another
 * folder or machine it does not fit.
 */
export function createLocalState({ dir, userState, random }: LocalStateOptions): LocalState {
  const key = userState === undefined ? undefined : localKeyIn(userState, random);
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
