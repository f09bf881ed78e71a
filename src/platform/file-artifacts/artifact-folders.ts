import { dirname } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { kindOf, rememberDurable, statAt, type ArtifactDisk, causeOf, failureOf } from "./artifact-disk.ts";

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
