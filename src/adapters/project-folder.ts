import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { MemoryError } from "../base/errors.ts";

export const CONFIG_FILES = ["heartwood.config.json", "hipocampus.config.json"] as const;

const DATED_LOG = /^\d{4}-\d{2}-\d{2}.*\.md$/;

/**
 * The absolute path of the folder to work in: the named one, or else the nearest one upwards from the current folder
 * that has a configuration, a `memory/` with dated logs, or threads. A named one may also have a MEMORY.md alone. `no_memory` when there is none.
 */
export function findProjectFolder(named: string | undefined): string {
  return named === undefined ? nearestUpwards(process.cwd()) : checked(resolve(notEmpty(named)));
}

/**
 * The nearest folder from here upwards that has a memory, when a person let heartwood work in it: it has a `heartwood.config.json`, which `init` writes. Logs alone may have come
 * with a clone, and then nothing is to be written into them unasked; a `.heartwood/` comes with the first recall of an agent. `undefined` otherwise, and where a folder cannot be looked at.
 */
export function nearestChosenFolder(from: string): string | undefined {
  try {
    const dir = nearestUpwards(resolve(from));
    return existsSync(join(dir, CONFIG_FILES[0])) ? dir : undefined;
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

/** The folder in which a memory is to be made: the named one, which is created when absent, or the current one. */
export function prepareProjectFolder(named: string | undefined): string {
  const dir = named === undefined ? process.cwd() : resolve(notEmpty(named));
  if (existsSync(dir) && !isFolder(dir))
    throw new MemoryError("invalid_path", `${dir} is no folder; give --dir a folder, or a name that is free.`, { dir });
  try {
    createFolder(dir);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new MemoryError("io", `The folder ${dir} cannot be created (${code}); name another one with --dir.`, { dir });
  }
  return dir;
}

/** One by one from above: Node's own recursive way never ends where a folder is there and nothing can be made in it (/proc). */
function createFolder(dir: string): void {
  if (isFolder(dir)) return;
  if (dirname(dir) !== dir) createFolder(dirname(dir));
  try {
    mkdirSync(dir);
  } catch (error) {
    if (!isFolder(dir)) throw error;
  }
}

function notEmpty(named: string): string {
  if (named.trim() !== "") return named;
  throw new MemoryError(
    "invalid_path",
    "--dir is empty; name the project folder, or leave --dir out for the current one.",
  );
}

function nearestUpwards(from: string): string {
  for (let dir = from; ; dir = dirname(dir)) {
    if (hasConfig(dir) || hasDatedLogs(dir) || hasThreads(dir)) return dir;
    if (dir === dirname(dir)) break;
  }
  const message =
    `Neither ${from} nor a folder above it has a heartwood.config.json or a memory/ with dated logs (YYYY-MM-DD.md); ` +
    "run `heartwood init` to begin one here, or name the project folder with --dir.";
  throw new MemoryError("no_memory", message, { dir: from });
}

function checked(dir: string): string {
  // A MEMORY.md alone can be audited. It is no reason to stop on the way up, where another program's may stand.
  const isOne =
    hasConfig(dir) || isFolder(join(dir, "memory")) || hasThreads(dir) || existsSync(join(dir, "MEMORY.md"));
  if (isOne) return dir;
  throw new MemoryError("no_memory", whyNot(dir), { dir });
}

function whyNot(dir: string): string {
  if (!existsSync(dir))
    return `There is no folder ${dir}; give --dir an existing project folder, or run \`heartwood init --dir ${dir}\`.`;
  if (!isFolder(dir)) return `${dir} is no folder; give --dir the project folder that holds memory/.`;
  if (hasDatedLogs(dirname(dir)) && dir.endsWith("memory")) {
    return `${dir} is the memory/ folder itself; give --dir the folder that holds it: ${dirname(dir)}.`;
  }
  return `${dir} has no heartwood.config.json, no memory/ folder and no MEMORY.md; run \`heartwood init --dir ${dir}\` to begin one there.`;
}

function hasConfig(dir: string): boolean {
  return CONFIG_FILES.some((name) => existsSync(join(dir, name)));
}

/** What a program makes that keeps threads alone. */
function hasThreads(dir: string): boolean {
  return existsSync(join(dir, ".heartwood", "threads", "threads.sqlite"));
}

function hasDatedLogs(dir: string): boolean {
  const memory = join(dir, "memory");
  if (!isFolder(memory)) return false;
  try {
    return readdirSync(memory).some((name) => DATED_LOG.test(name));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new MemoryError(
      "io",
      `The folder ${memory} cannot be listed (${code}); make it readable or name another one with --dir.`,
      { dir },
    );
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
