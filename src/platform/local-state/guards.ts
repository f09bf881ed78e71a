import { MemoryError } from "../../base/errors.ts";
import { ignoreFile, isDisposable, isInStateFolder, isRemembered } from "../../base/known-paths.ts";
import type { Files } from "../files.ts";
import type { LocalState, Standing } from "../local-state.ts";
import type { Locks } from "../locks.ts";

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
