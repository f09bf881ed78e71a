import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { kindOf, statAt, type ArtifactDisk } from "./artifact-fs.ts";
import { causeOf, failureOf } from "./failures.ts";
import { isRecordedNode } from "./recorded-node.ts";
import { folderOf } from "./place.ts";

/** The bytes of an artifact, checked; `undefined` when there are none. Wrong bytes are moved aside. */
export function readArtifact(disk: ArtifactDisk, id: string): Uint8Array | undefined {
  const folder = shown("open", id, () => folderOf(disk, id));
  if (folder === undefined) return undefined;
  for (const path of [`${folder}/${id}.json`, `${folder}/${id}.md`]) {
    const found = shown("read", path, () => readRegular(disk, path));
    if (found === undefined) continue;
    if (sha256(found.bytes) === id || (path.endsWith(".md") && isRecordedNode(found.bytes, id))) return found.bytes;
    throw damaged(disk, { id, path, ino: found.ino });
  }
  return undefined;
}

export interface FoundFile {
  readonly bytes: Uint8Array;
  readonly ino: bigint;
}

/** A regular file; `undefined` when it is absent. Errors: `not_a_file`; others as the system calls fail. */
export function readRegular({ fs }: ArtifactDisk, path: string): FoundFile | undefined {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  let fd: number;
  try {
    // O_NONBLOCK: opening a FIFO without a writer would wait for one.
    fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (causeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stat = fs.fstatSync(fd, { bigint: true });
    if (kindOf(stat) !== "file")
      throw new MemoryError("not_a_file", `${path} is no regular file; only those are read. Move it away.`, { path });
    const bytes = new Uint8Array(Number(stat.size));
    let filled = 0;
    while (filled < bytes.length) {
      const count = fs.readSync(fd, bytes, filled, bytes.length - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return { bytes: bytes.subarray(0, filled), ino: stat.ino };
  } finally {
    fs.closeSync(fd);
  }
}

interface Damaged {
  readonly id: string;
  readonly path: string;
  readonly ino: bigint;
}

/** Moves wrong bytes aside and returns the error that says so. */
export function damaged(disk: ArtifactDisk, { id, path, ino }: Damaged): MemoryError {
  const stem = path.replace(/\.(json|md)$/u, "");
  let count = 1;
  let advice: string;
  try {
    while (statAt(disk, `${stem}.damaged-${count}`) !== undefined) count += 1;
    // Somebody may have moved it and put the right bytes there since it was read.
    if (statAt(disk, path)?.ino === ino) disk.fs.renameSync(path, `${stem}.damaged-${count}`);
    advice = `It was moved aside to ${id.slice(0, 8)}….damaged-${count} in the same folder; restore the file from a backup, or let it be made anew.`;
  } catch (error) {
    advice = `It could not be moved aside (${causeOf(error) ?? "unknown cause"}); restore the file from a backup.`;
  }
  const sentence = `The bytes of the artifact ${id} are not those of its id. ${advice}`;
  return new MemoryError("artifact_damaged", sentence, { artifact_id: id, path });
}

function shown<T>(act: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw failureOf(act, path, error);
  }
}
