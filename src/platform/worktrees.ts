import { lstatSync, readFileSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { attempt } from "../base/errors.ts";
import { readIfThere } from "./local-state/disk.ts";

/** How the linked worktrees of a repository refer to each other (gitrepository-layout(5)). Only reads files: git could run programs that the repository's configuration names. */

/**
 * The main checkout of a linked worktree, given the worktree's top folder. `undefined` for anything else: a main checkout, a submodule, a worktree of a
 * bare repository, or a folder whose `.git` file names a repository that does not list the folder. A `.git` file alone proves nothing:
 * with one, any folder could claim to belong to another project.
 */
export function mainCheckoutOf(top: string): string | undefined {
  const link = join(top, ".git");
  const gitDir = pathNamedIn(link, "gitdir: ");
  if (gitDir === undefined) return undefined;
  const common = dirname(dirname(gitDir));
  const isWorktree = basename(dirname(gitDir)) === "worktrees" && basename(common) === ".git";
  const isListed = isWorktree && pathNamedIn(join(gitDir, "gitdir")) === realPathOf(link);
  if (!isListed || pathNamedIn(join(gitDir, "commondir")) !== common) return undefined;
  return hasOwnFolder(common) && ownerOf(link) === ownerOf(common) ? dirname(common) : undefined;
}

/** The top folders of the worktrees that a main checkout lists and that refer back to it. `main`: a real path. */
export function worktreesOf(main: string): readonly string[] {
  const listed = join(main, ".git", "worktrees");
  return (attempt(() => readdirSync(listed)) ?? []).flatMap((id) => {
    const link = pathNamedIn(join(listed, id, "gitdir"));
    const top = link === undefined ? undefined : dirname(link);
    return top !== undefined && mainCheckoutOf(top) === main ? [top] : [];
  });
}

/** Whether the `.git` file in a folder names a worktree's place in a main checkout, but the folder is not that worktree: one of them was moved, or the file is forged. */
export function isRefusedWorktree(top: string): boolean {
  const text = attempt(() => readShort(join(top, ".git"))) ?? "";
  return /^gitdir: (?:.*[\\/])?\.git[\\/]worktrees[\\/]/u.test(text) && mainCheckoutOf(top) === undefined;
}

/** Longer than any path. */
const longestPath = 8192;

/** The real path that a one-line file of git's names after `before`; `undefined` if it is not such a file or nothing exists there. */
function pathNamedIn(file: string, before = ""): string | undefined {
  return attempt(() => {
    const text = readShort(file)?.replace(/[\r\n]+$/u, "") ?? "";
    const named = text.startsWith(before) ? text.slice(before.length) : "";
    return named === "" || named.includes("\0") ? undefined : realpathSync(resolve(dirname(file), named));
  });
}

/** A link counts as missing: git makes none. */
function readShort(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= longestPath ? readFileSync(file, "utf8") : undefined;
}

/** Whether the repository's checkout is the folder that contains its `.git`: it is neither bare nor checked out elsewhere. */
function hasOwnFolder(common: string): boolean {
  // With `extensions.worktreeConfig`, git keeps these keys in the second file.
  const texts = ["config", "config.worktree"].map((name) => readIfThere(join(common, name))?.toString("utf8") ?? "");
  const core = texts.flatMap((text) => text.split(/^(?=[ \t]*\[)/mu)).filter((part) => /^\s*\[core\]/iu.test(part));
  return !core.some((part) => elsewhere.test(part));
}

/** `bare` without a value means true. */
const elsewhere = /^\s*(?:\[core\]\s*)?(?:bare[ \t]*(?:$|=(?![ \t]*(?:false|no|off|0)\b))|worktree\s*=)/imu;

function realPathOf(path: string): string | undefined {
  return attempt(() => realpathSync(path));
}

function ownerOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.uid;
}
