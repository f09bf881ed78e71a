import { randomBytes } from "node:crypto";
import * as nodeFs from "node:fs";
import type { Random } from "../clock.ts";
import type { Files } from "../files.ts";
import { appendTo } from "./append.ts";
import { commitBatch } from "./commit.ts";
import { codeOf, failureOf, type Disk, type NodeFs } from "./disk.ts";
import { listFolder, readFileAt } from "./read.ts";
import { absoluteOf, writablePlaceOf, syncFolder } from "./place.ts";

/** How to open a project folder on a disk. */
interface NodeFilesOptions {
  /** Absolute path of the project folder. It may be a link itself. */
  readonly root: string;
  /** Default `node:fs`. */
  readonly fs?: NodeFs;
  /** For the names of temporary files. Default `crypto.randomBytes`. */
  readonly random?: Random;
}

/**
 * The project folder on a real disk (or on anything with the functions of `NodeFs`).
 *
 * - A path is relative with `/` between its parts; `list("")` lists the project folder itself. All else is `invalid_path`.
 * - A link as the last part is refused with `link_outside`, wherever it points, for reading and for writing. A folder
 *   on the way may be a link as long as its real path lies inside the project.
 * - Nothing is written in a folder `.git`, in either case and also by a link to it: `invalid_path`.
 * - A folder, FIFO, socket or device is `not_a_file`, and never waited for.
 * - ENOSPC and EDQUOT are `disk_full`; other failed system calls are `io`. The sentence names the path and the cause.
 * - A failed `commit` leaves no temporary file, unless removing it fails too: `details.leftovers` then names it. Files
 *   that were renamed before the failure stay replaced, each whole.
 * - A failed `append` may leave a part of the bytes at the end of the file: never acknowledged, never cut off by us,
 *   since another process may have appended after it. A new file without a byte is removed.
 * - Between the comparison with `expect` and the rename lie some microseconds in which another program's save is
 *   overwritten: POSIX has no rename that compares.
 * - New files have mode 0644 less the umask; a replaced file keeps its mode, and where root replaces it its owner. Files in `.heartwood/` have mode 0600, folders 0700.
 */
export function createNodeFiles(options: NodeFilesOptions): Files {
  const disk: Disk = {
    fs: options.fs ?? nodeFs,
    random: options.random ?? { bytes: (count) => randomBytes(count) },
    root: options.root,
    realRoot: new Map(),
    durable: new Map(),
  };
  const files: Files = {
    id: "node-files-1",
    list: async (dir) => listFolder(disk, dir),
    read: async (path, range) => readFileAt(disk, path, range),
    append: async (path, bytes) => appendTo(disk, path, bytes),
    commit: async (changes) => commitBatch(disk, changes),
    removeEmptyFolder: async (dir) => removeEmptyFolder(disk, dir),
  };
  if (options.fs !== undefined) return files;
  return { ...files, settle: () => new Promise((resolve) => setTimeout(resolve, tick)) };
}

/** Time stamps of a file system are as coarse as the kernel's tick: 10 ms at most, here with room. */
const tick = 25;

/** Removes a folder when it is empty. A link to one stays. */
export async function removeEmptyFolder(disk: Disk, dir: string): Promise<"removed" | "kept"> {
  const place = writablePlaceOf(disk, dir);
  if (place.missing.length > 0) return "kept";
  try {
    disk.fs.rmdirSync(absoluteOf(place));
    disk.durable.delete(absoluteOf(place));
    await syncFolder(disk, place.folder);
    return "removed";
  } catch (error) {
    if (staying.includes(String(codeOf(error)))) return "kept";
    throw failureOf("remove", dir, error);
  }
}

/** What systems say of a folder with something in it, of no folder, and of nothing. */
const staying = ["ENOTEMPTY", "EEXIST", "ENOTDIR", "ENOENT"];
