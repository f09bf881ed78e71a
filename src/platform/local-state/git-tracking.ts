import * as fs from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isLocal, stateFolder } from "../../base/known-paths.ts";
import { mentionsState, parseGitIndex } from "./git-index.ts";
import { readIfThere, stampAt } from "./disk.ts";

/** What git says of a memory, from its files alone: to start git would run what a repository's configuration names. */
export interface GitTracking {
  /** Whether the memory is in a repository. */
  readonly isRepository: boolean;
  /** Another one when the answer may be another. */
  stamp(): string;
  /** Whether git tracks the state folder itself, or what belongs to one machine in it. */
  isTracked(): boolean;
}

/** `dir` is a real path. */
export function gitTracking(dir: string): GitTracking {
  const found = findRepository(dir);
  if (found === undefined) return { isRepository: false, stamp: () => "", isTracked: () => false };
  const index = join(found.gitDir, "index");
  return {
    isRepository: true,
    stamp: () => stampAt(index),
    isTracked: () => isTrackedBy(found, relativeTo(found.root, dir)),
  };
}

interface Repository {
  readonly root: string;
  readonly gitDir: string;
}

function findRepository(dir: string): Repository | undefined {
  for (let root = dir; ; root = dirname(root)) {
    const gitDir = gitDirOf(join(root, ".git"));
    if (gitDir !== undefined) return { root, gitDir };
    if (root === dirname(root)) return undefined;
  }
}

/** A worktree and a submodule have a file that says where the folder is. */
function gitDirOf(path: string): string | undefined {
  if (fs.existsSync(join(path, "HEAD"))) return path;
  const named = /^gitdir: (.+)$/mu.exec(readIfThere(path)?.toString("utf8") ?? "")?.[1];
  const gitDir = named === undefined ? undefined : resolve(dirname(path), named.trim());
  return gitDir !== undefined && fs.existsSync(join(gitDir, "HEAD")) ? gitDir : undefined;
}

function relativeTo(root: string, dir: string): string {
  const path = relative(root, dir).replaceAll(sep, "/");
  return path === "" ? "" : `${path}/`;
}

function isTrackedBy({ gitDir }: Repository, folder: string): boolean {
  const bytes = readIfThere(join(gitDir, "index"));
  if (bytes === undefined) return false;
  const index = parseGitIndex(bytes);
  // An index that cannot be read may track anything that it mentions.
  if (index === undefined) return mentionsState(bytes);
  if (index.entries.some(({ name }) => isStateBelow(folder, name))) return true;
  if (index.shared === undefined) return false;
  const { digest, deleted } = index.shared;
  const shared = readIfThere(join(gitDir, `sharedindex.${digest}`));
  return (
    shared !== undefined &&
    (parseGitIndex(shared)?.entries.some(({ place, name }) => !deleted.has(place) && isStateBelow(folder, name)) ??
      false)
  );
}

/** File systems may take names that differ in case, or in how accents are composed, for the same. */
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
