import { constants, realpathSync } from "node:fs";
import { open, readdir, stat, type FileHandle } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { type ErrorCode, MemoryError } from "../../base/errors.ts";
import { openclawFolder } from "../../base/known-paths.ts";
import { shown } from "../../text/shown.ts";
import type { TranscriptQuery } from "./transcripts.ts";

/** Where the user's clients keep their files. */
export interface Home {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The folder from an environment variable if its path is absolute, otherwise one below the home. */
export function folderOf(home: Home, variable: string, ...below: readonly string[]): string {
  const named = home.environment[variable];
  return named !== undefined && isAbsolute(named) ? resolve(named) : join(home.folder, ...below);
}

/** Where OpenClaw keeps its state. */
export function openclawStateIn(home: Home): string {
  const around = { ...home, folder: folderOf(home, "OPENCLAW_HOME") };
  return folderOf(around, "OPENCLAW_STATE_DIR", openclawFolder(home.environment["OPENCLAW_PROFILE"]));
}

export interface FoundFile {
  readonly path: string;
  readonly changed_at_ms: number;
}

/** No client nests folders deeper. */
const deepest = 8;

/** The regular files below a folder that are wanted, by relative path. Skips what cannot be read, since this is the user's home. */
export async function filesBelow(folder: string, isWanted: (path: string) => boolean): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const look = async (at: string, depth: number): Promise<void> => {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && depth < deepest) await look(path, depth + 1);
      else if (!entry.isDirectory() && isWanted(relative(folder, path).replaceAll("\\", "/"))) {
        const file = await fileAt(path);
        if (file !== undefined) found.push(file);
      }
    }
  };
  await look(folder, 1);
  return found;
}

/** The regular file at a path; follows links. */
export async function fileAt(path: string): Promise<FoundFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? { path, changed_at_ms: Math.trunc(found.mtimeMs) } : undefined;
}

/** Whether there is nothing at a path although its folder can be read. */
export async function isGone(path: string): Promise<boolean> {
  const isThere = await stat(path).catch((error: NodeJS.ErrnoException) => error.code !== "ENOENT");
  const folder = isThere === false ? await stat(dirname(path)).catch(() => undefined) : undefined;
  return folder?.isDirectory() === true;
}

/** What is at a path given by the user. Errors: `not_found`, `not_a_file`, `io`. */
export async function kindAt(path: string): Promise<"file" | "folder"> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error);
  });
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "folder";
  throw refused("not_a_file", path, `is neither a file nor a folder.`);
}

/** A file that is unreadable or already gone does not hide the others. */
export function passOver(error: unknown): undefined {
  if (error instanceof MemoryError || (error instanceof Error && "syscall" in error)) return undefined;
  throw error;
}

/** Opens a regular file for reading; refuses anything that could block. Errors: `not_found`, `not_a_file`, `io`. */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw refused("not_a_file", path, `is not a regular file, so it is not a transcript.`);
}

export function refused(code: ErrorCode, path: string, problem: string): MemoryError {
  return new MemoryError(code, `${shown(path, 400)} ${problem}`, { path: shown(path, 400) });
}

function unreadable(path: string, { code = "unknown cause" }: NodeJS.ErrnoException): MemoryError {
  const problem = `cannot be read (${code}); pass a transcript or a folder of transcripts.`;
  return refused(code === "ENOENT" ? "not_found" : "io", path, problem);
}

/** Whether a session in this folder is wanted, by path or through links. */
export function isWanted(folder: string | undefined, { folders, rejects }: TranscriptQuery): boolean {
  if (folders === undefined) return true;
  if (folder === undefined || !isAbsolute(folder)) return false;
  const isWithin = (wanted: string): boolean => {
    const way = relative(wanted, resolve(folder));
    return way === "" || (!way.startsWith("..") && !isAbsolute(way));
  };
  return folders.some((one) => isWithin(one) || isWithin(realPathOf(one))) && rejects?.(folder) !== true;
}

export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
