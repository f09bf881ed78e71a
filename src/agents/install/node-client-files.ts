import { Buffer } from "node:buffer";
import { constants, readdirSync, readFileSync, realpathSync, type Stats } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rmdir, unlink, type FileHandle } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { openclawFolder } from "../../base/known-paths.ts";
import { shown } from "../../text/shown.ts";
import type { ClientFiles, ClientFolders, FileMode, FileReplacement, Shipped } from "./client-files.ts";

const modes: Readonly<Record<FileMode, number>> = { usual: 0o644, private: 0o600, program: 0o755 };

/** More than any configuration file has; a large log in its place must not fill the memory. */
const largestBytes = 64 * 1024 * 1024;

/** `roots`: the folders below which no step of a path may be a link; they themselves may be reached through one. */
export function createNodeClientFiles({ roots }: { readonly roots: readonly string[] }): ClientFiles {
  const look = (path: string): Promise<Stats | undefined> => lookAt(path, roots);
  return {
    read: (path) => coded(path, async () => read(path, await look(path))),
    replace: (path, change) => coded(path, () => replace(path, change, look)),
    remove: (path, expect) =>
      coded(path, async () => {
        if (!isSame(await read(path, await look(path)), expect)) return "changed";
        await unlink(path);
        await syncFolder(dirname(path));
        return "removed";
      }),
    sweep: (path) =>
      coded(path, async () => {
        const temporary = temporaryOf(path);
        if ((await look(temporary)) !== undefined) await removeLeft(temporary);
      }),
    makeFolder: (path) =>
      coded(path, async () => {
        const found = await look(path);
        if (found?.isDirectory() === true) return;
        if (found !== undefined) throw refused(path, found);
        await mkdir(path, { mode: 0o755 });
        await syncFolder(dirname(path));
      }),
    removeFolder: (path) =>
      coded(path, async () => {
        const found = await look(path);
        if (found === undefined) return "gone";
        if (!found.isDirectory()) return "kept";
        try {
          await rmdir(path);
          return "gone";
        } catch (error) {
          if (["ENOTEMPTY", "EEXIST", "EBUSY"].includes((error as NodeJS.ErrnoException).code ?? "")) return "kept";
          throw error;
        }
      }),
    list: (path) =>
      coded(path, async () => {
        const found = await look(path);
        return found?.isDirectory() === true ? (await readdir(path)).toSorted() : undefined;
      }),
  };
}

/** What is at the path. Errors: `not_a_file` when a folder above it is a link or a file. */
async function lookAt(path: string, roots: readonly string[]): Promise<Stats | undefined> {
  const root = roots.filter((folder) => isBelow(path, folder)).toSorted((a, b) => b.length - a.length)[0];
  const steps = root === undefined ? [] : relative(root, path).split(sep);
  let at = root ?? dirname(path);
  for (const step of steps.slice(0, -1)) {
    at = join(at, step);
    const found = await statOf(at);
    if (found === undefined) return undefined;
    if (!found.isDirectory()) throw refused(at, found);
  }
  return statOf(path);
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === resolve(path);
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code !== "ENOTDIR") throw error;
    throw new MemoryError(
      "not_a_file",
      `A file is above ${path}, where a folder must be; move it away and run the command again.`,
      { path },
    );
  }
}

async function read(path: string, found: Stats | undefined): Promise<Uint8Array | undefined> {
  if (found === undefined) return undefined;
  if (!found.isFile() || found.size > largestBytes) throw refused(path, found);
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function replace(
  path: string,
  { bytes, expect, mode }: FileReplacement,
  look: (path: string) => Promise<Stats | undefined>,
): Promise<"written" | "changed"> {
  const found = await look(path);
  if (!isSame(await read(path, found), expect)) return "changed";
  const temporary = temporaryOf(path);
  await removeLeft(temporary);
  const permissions = found === undefined ? modes[mode] : found.mode & 0o777;
  try {
    const file = await open(temporary, "wx", permissions);
    try {
      // Before the mode, some of whose bits a change of the owner takes away.
      if (found !== undefined) await keepOwner(file, found);
      if (found !== undefined || mode !== "usual") await file.chmod(permissions);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (!isSame(await read(path, await look(path)), expect)) {
      await unlink(temporary);
      return "changed";
    }
    await rename(temporary, path);
  } catch (error) {
    await removeLeft(temporary);
    throw error;
  }
  await syncFolder(dirname(path));
  return "written";
}

/** A file that root replaces keeps its owner, who could not read it otherwise; other users may not give files away. */
async function keepOwner(file: FileHandle, { uid, gid }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid === uid && own.gid === gid) return;
  try {
    await file.chown(uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}

/** Always the same, so that it is found when a run ends before the rename. */
function temporaryOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.heartwood-new`);
}

/** What a run that was cut off left. */
async function removeLeft(temporary: string): Promise<void> {
  const found = await statOf(temporary);
  if (found?.isFile() === true || found?.isSymbolicLink() === true) await unlink(temporary);
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isSame(found: Uint8Array | undefined, expect: Uint8Array | undefined): boolean {
  if (found === undefined || expect === undefined) return found === expect;
  return Buffer.compare(found, expect) === 0;
}

function refused(path: string, found: Stats): MemoryError {
  const what = found.isSymbolicLink() ? "a link, which is not followed" : "not what is expected there, or too large";
  const message = `${path} is ${what}, and is left as it is; put a regular file or folder in its place and run the command again.`;
  return new MemoryError("not_a_file", message, { path });
}

async function coded<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    const details = { path, cause: code };
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new MemoryError("disk_full", `Could not write ${path}: the disk is full.`, details, error);
    throw new MemoryError("io", `Could not read or write ${path}: the system says ${code}.`, details, error);
  }
}

/** Where the clients of this machine keep their files, by its environment. Without a project it is the current folder. */
export function findClientPlaces(project = process.cwd()): ClientFolders {
  const userHome = homedir();
  if (!isAbsolute(userHome))
    throw new MemoryError(
      "invalid_path",
      `HOME is "${shown(userHome)}"; it must be an absolute path, since the clients keep their files there.`,
      { path: shown(userHome) },
    );
  const home = real(userHome);
  const claude = named("CLAUDE_CONFIG_DIR", join(home, ".claude"));
  const openclawHome = join(named("OPENCLAW_HOME", home), openclawFolder(process.env["OPENCLAW_PROFILE"]));
  const openclawState = named("OPENCLAW_STATE_DIR", openclawHome);
  return {
    system: process.platform === "win32" ? "windows" : "posix",
    home,
    project: real(resolve(project)),
    claude,
    claudeState: claude === join(home, ".claude") ? join(home, ".claude.json") : join(claude, ".claude.json"),
    codex: named("CODEX_HOME", join(home, ".codex")),
    copilot: named("COPILOT_HOME", join(home, ".copilot")),
    gemini: named("GEMINI_CLI_HOME", home),
    opencode: join(named("XDG_CONFIG_HOME", join(home, ".config")), "opencode"),
    openclaw: named("OPENCLAW_WORKSPACE_DIR", join(openclawState, "workspace")),
    openclawConfig: named("OPENCLAW_CONFIG_PATH", join(openclawState, "openclaw.json")),
    node: process.execPath,
  };
}

/** The folder that the variable names, when its path is absolute. */
function named(variable: string, usual: string): string {
  const value = process.env[variable];
  return value !== undefined && isAbsolute(value) ? resolve(value) : usual;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new MemoryError("invalid_path", `${path} is not a folder that can be used (${code}); name another one.`, {
      path,
    });
  }
}

/** What the package ships for clients, from its folders. */
export function readShipped({ skills, plugins }: { readonly skills: string; readonly plugins: string }): Shipped {
  const text = (...path: readonly string[]): string => readFileSync(join(...path), "utf8");
  return {
    skills: readdirSync(skills)
      .toSorted()
      .map((name) => ({ name, text: text(skills, name, "SKILL.md") })),
    opencodePlugin: text(plugins, "opencode", "heartwood.js"),
    openclawPlugin: {
      index: text(plugins, "openclaw", "index.js"),
      manifest: text(plugins, "openclaw", "openclaw.plugin.json"),
      description: text(plugins, "openclaw", "package.json"),
    },
  };
}
