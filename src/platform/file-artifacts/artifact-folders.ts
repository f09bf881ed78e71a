import { dirname } from "node:path";
import { MemoryError, type ErrorCode } from "../../base/errors.ts";

/** Refuses what is no id before it touches a path. Errors: `invalid_artifact`. */
export function checkId(id: string): void {
  if (/^[0-9a-f]{64}$/u.test(id)) return;
  throw new MemoryError(
    "invalid_artifact",
    `${JSON.stringify(id.slice(0, 80))} is no artifact id: it must have 64 digits 0-9a-f, as a checkpoint names them.`,
  );
}

/** The real folder in which the artifact of an id stands; `undefined` when there is none yet. Errors: `link_outside`, `io`. */
export function folderOf(disk: ArtifactDisk, id: string): string | undefined {
  let folder = projectOf(disk);
  for (const name of [...disk.below, id.slice(0, 2)]) {
    folder = `${folder}/${name}`;
    const stat = statAt(disk, folder);
    if (stat === undefined) return undefined;
    refuseOther(folder, kindOf(stat));
  }
  return folder;
}

/** The same, made when it is absent; its name is durable after `syncFolders`. */
export function madeFolderOf(disk: ArtifactDisk, id: string): string {
  let folder = projectOf(disk);
  for (const name of [...disk.below, id.slice(0, 2)]) {
    folder = `${folder}/${name}`;
    const stat = statAt(disk, folder);
    if (stat === undefined) makeFolder(disk, folder);
    else refuseOther(folder, kindOf(stat));
  }
  return folder;
}

/** Makes the names in these folders durable, and the names of the folders themselves up to the project folder. Fails as `fsync` fails. */
export async function syncFolders(disk: ArtifactDisk, folders: readonly string[]): Promise<void> {
  const project = projectOf(disk);
  const wanted = new Set(folders);
  const fresh: string[] = [];
  for (const start of folders) {
    for (let folder = start; folder !== project && isFresh(disk, folder); folder = dirname(folder)) {
      fresh.push(folder);
      wanted.add(dirname(folder));
    }
  }
  await Promise.all([...wanted].map((folder) => syncFolder(disk, folder)));
  for (const folder of fresh) {
    const ino = statAt(disk, folder)?.ino;
    if (ino !== undefined) rememberDurable(disk, folder, ino);
  }
}

/** Makes the data of an open file durable. Fails as `fsync` fails. */
export function syncFile({ fs }: ArtifactDisk, fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (fs.fsync === undefined) {
      fs.fsyncSync(fd);
      resolve();
    } else fs.fsync(fd, (error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
}

async function syncFolder(disk: ArtifactDisk, path: string): Promise<void> {
  const { fs } = disk;
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  try {
    await syncFile(disk, fd);
  } catch (error) {
    // EINVAL is the answer of file systems (FUSE, network) that have no sync of folders: there is nothing to wait for.
    if (causeOf(error) !== "EINVAL") throw error;
  } finally {
    fs.closeSync(fd);
  }
}

function isFresh(disk: ArtifactDisk, folder: string): boolean {
  return disk.durable.get(folder) !== statAt(disk, folder)?.ino;
}

function projectOf(disk: ArtifactDisk): string {
  if (disk.real.project !== undefined) return disk.real.project;
  try {
    return (disk.real.project = disk.fs.realpathSync(disk.project));
  } catch (error) {
    throw failureOf("open the project folder", disk.project, error);
  }
}

function makeFolder({ fs }: ArtifactDisk, folder: string): void {
  try {
    fs.mkdirSync(folder, 0o700);
  } catch (error) {
    if (causeOf(error) !== "EEXIST") throw error;
  }
}

/** A link is refused wherever it points: nobody but heartwood makes these folders. */
function refuseOther(folder: string, kind: ReturnType<typeof kindOf>): void {
  if (kind === "folder") return;
  if (kind === "link")
    throw new MemoryError("link_outside", `${folder} is a link, which is not followed: put the folder itself there.`, {
      path: folder,
    });
  const sentence = `Could not open ${folder}: it is not a folder (ENOTDIR). Move it away.`;
  throw new MemoryError("io", sentence, { path: folder, cause: "ENOTDIR" });
}

/**
 * The part of `node:fs` that this adapter uses, so that a faulty file system can stand in. Every function behaves and fails as its namesake in Node does.
 */
export interface ArtifactFs {
  readonly constants: {
    readonly O_RDONLY: number;
    readonly O_WRONLY: number;
    readonly O_CREAT: number;
    readonly O_EXCL: number;
    readonly O_NOFOLLOW: number;
    readonly O_NONBLOCK: number;
    readonly O_DIRECTORY: number;
  };
  openSync(path: string, flags: number, mode?: number): number;
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  readSync(fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  fsyncSync(fd: number): void;
  /** Optional: with it the files of a batch are synced in parallel. */
  fsync?(fd: number, done: (error: Error | null) => void): void;
  fstatSync(fd: number, options: { readonly bigint: true }): ArtifactStat;
  /** `undefined` when there is no such entry. */
  lstatSync(path: string, options: { readonly bigint: true; readonly throwIfNoEntry: false }): ArtifactStat | undefined;
  closeSync(fd: number): void;
  renameSync(from: string, to: string): void;
  unlinkSync(path: string): void;
  mkdirSync(path: string, mode: number): void;
  realpathSync(path: string): string;
}

/** The part of `BigIntStats` that this adapter reads. */
interface ArtifactStat {
  readonly ino: bigint;
  /** Type and permission bits, as in `st_mode`. */
  readonly mode: bigint;
  /** Bytes. */
  readonly size: bigint;
}

/** What the parts of this adapter share. */
export interface ArtifactDisk {
  readonly fs: ArtifactFs;
  /** Absolute path of the project folder as it was given. */
  readonly project: string;
  /** The names of the folders from the project to the artifacts, as `.heartwood`, `artifacts`. */
  readonly below: readonly string[];
  readonly isRecord: (bytes: Uint8Array, id: string) => boolean;
  readonly random: { bytes(count: number): Uint8Array };
  /** The real path of the project folder, once it was looked up. */
  readonly real: { project?: string };
  /**
   * Entries (absolute path → inode) that this instance has made durable. What another process put there may not be durable yet, since it can have died
   * before its own sync, so the first use here syncs it once more.
   */
  readonly durable: Map<string, bigint>;
  /** Ids whose sync failed: what stands there may be lost although a later sync succeeds, so it is written anew. */
  readonly doubtful: Set<string>;
}

/** What the type bits of a mode say. */
export function kindOf(stat: ArtifactStat): "file" | "folder" | "link" | "other" {
  switch (Number(stat.mode) & 0o170000) {
    case 0o100000:
      return "file";
    case 0o040000:
      return "folder";
    case 0o120000:
      return "link";
    default:
      return "other";
  }
}

/** The state of a path; `undefined` when there is nothing. Fails as `lstat` fails. */
export function statAt({ fs }: ArtifactDisk, path: string): ArtifactStat | undefined {
  return fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

const entriesKept = 20_000;

export function rememberDurable({ durable }: ArtifactDisk, path: string, ino: bigint): void {
  if (durable.size >= entriesKept) durable.clear();
  durable.set(path, ino);
}

/** The `code` of a failed system call, such as `EIO`; `undefined` for any other error. */
export function causeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** A failed system call as a `MemoryError`. An error that already is one stays as it is. */
export function failureOf(act: string, path: string, error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  const cause = causeOf(error) ?? "unknown cause";
  const { code, advice } = meanings[cause] ?? { code: "io", advice: "check the disk, then run it again." };
  return new MemoryError(code, `Could not ${act} ${path} (${cause}): ${advice}`, { path, cause }, error);
}

const freeSpace = { code: "disk_full", advice: "the disk is full; free some space, then run it again." } as const;
const noAccess = { code: "io", advice: "permission denied; check who owns it and its mode." } as const;
const meanings: Readonly<Record<string, { readonly code: ErrorCode; readonly advice: string }>> = {
  ENOSPC: freeSpace,
  EDQUOT: freeSpace,
  EACCES: noAccess,
  EPERM: noAccess,
  EROFS: { code: "io", advice: "the file system is read-only; mount it writable, then run it again." },
  ENOTDIR: { code: "io", advice: "a part of the path is not a folder; move that file away." },
  EISDIR: { code: "not_a_file", advice: "it is a folder; only regular files are read and written." },
  ENXIO: { code: "not_a_file", advice: "it is a FIFO or a socket; only regular files are read and written." },
  ELOOP: { code: "link_outside", advice: "it is a link; links are not followed, put the file itself there." },
};
