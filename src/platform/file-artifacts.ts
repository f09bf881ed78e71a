import { sha256 } from "../base/digest.ts";
import { MemoryError } from "../base/errors.ts";
import { artifactPath } from "../base/known-paths.ts";
import type { FileBytes, FileChange, Files, FileStamp } from "./files.ts";

/** Stores immutable bytes by SHA-256 (64 digits `0-9a-f`). Threads and the tree share one store. */
export interface ArtifactStore {
  readonly id: string;
  /** Stores the bytes and returns their id; durable on return. Existing bytes are not rewritten. Errors: `disk_full`, `io`. */
  put(bytes: Uint8Array): Promise<string>;
  /** `put` for several at once, with less waiting on the disk. */
  putAll(all: readonly Uint8Array[]): Promise<readonly string[]>;
  /**
   * Returns the bytes, verified on every read; `undefined` if there are none. Errors: `invalid_artifact` (not an id), `artifact_damaged` (the bytes
   * do not match the id and were moved aside, never deleted), `not_a_file`, `io`.
   */
  get(id: string): Promise<Uint8Array | undefined>;
  /** For what must be forgotten: removes artifacts that nothing names any more, and records that. Absent if they are files, which are swept. */
  remove?(ids: readonly string[]): Promise<void>;
}

const stampsKept = 20_000;

/**
 * Artifacts as files `.heartwood/artifacts/<2>/<64>.json`. Also reads those that the tree stores as `<64>.md`; `isRecord` accepts Markdown whose
 * digest differs, since some records change but keep their id.
 *
 * - After a crash, each artifact is either absent or complete. Wrong bytes (a broken disk, an editor) are moved to `<64>.damaged-<n>`.
 * - A failed call leaves no temporary file; artifacts it had already written stay.
 */
export function createFileArtifacts(
  files: Files,
  isRecord: (bytes: Uint8Array, id: string) => boolean = () => false,
): ArtifactStore {
  /** Stamps of files this instance has synced. A file from another process may not be durable: it may have died before its sync. */
  const durable = new Map<string, FileStamp>();
  /** Ids whose write failed. The file may be lost even if a later sync succeeds, so it is rewritten. */
  const doubtful = new Set<string>();

  const remember = (id: string, stamp: FileStamp): void => {
    if (durable.size >= stampsKept) durable.clear();
    durable.set(id, stamp);
  };

  /** The file change that stores an artifact; `undefined` if the right bytes are already there. */
  const changeFor = async (id: string, bytes: Uint8Array): Promise<FileChange | undefined> => {
    const path = artifactPath(id, "json");
    const there = await files.read(path);
    const isRight = there !== undefined && sha256(there.bytes) === id;
    if (isRight && !doubtful.has(id)) {
      if (durable.get(id) !== there.stamp) remember(id, await files.append(path, new Uint8Array(0)));
      return undefined;
    }
    // Damaged bytes fail this call only if they cannot be moved aside.
    if (there !== undefined && !isRight && (await moveAside(files, id, path, there)) === undefined)
      throw damaged(id, path, undefined);
    return { path, bytes, expect: "anything" };
  };

  const putAll = async (all: readonly Uint8Array[]): Promise<readonly string[]> => {
    const ids = all.map((bytes) => sha256(bytes));
    const changes = new Map<string, FileChange>();
    for (const [index, id] of ids.entries()) {
      const change = changes.has(id) ? undefined : await changeFor(id, all[index] ?? new Uint8Array(0));
      if (change !== undefined) changes.set(id, change);
    }
    const written = [...changes.keys()];
    for (const id of written) doubtful.add(id);
    const outcomes = await files.commit([...changes.values()]);
    for (const [index, id] of written.entries()) {
      doubtful.delete(id);
      remember(id, outcomes[index]?.stamp ?? "");
    }
    return ids;
  };

  const get = async (id: string): Promise<Uint8Array | undefined> => {
    checkArtifactId(id);
    for (const ending of ["json", "md"] as const) {
      const path = artifactPath(id, ending);
      const found = await files.read(path);
      if (found === undefined) continue;
      if (sha256(found.bytes) === id || (ending === "md" && isRecord(found.bytes, id))) return found.bytes;
      throw damaged(id, path, await moveAside(files, id, path, found));
    }
    return undefined;
  };

  return { id: "file-artifacts-1", put: async (bytes) => (await putAll([bytes]))[0] ?? "", putAll, get };
}

/** Durably moves wrong bytes aside, unless the file changed since it was read. Returns the new file name; `undefined` on failure. */
async function moveAside(files: Files, id: string, path: string, read: FileBytes): Promise<string | undefined> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  try {
    const taken = new Set((await files.list(folder)).map(({ name }) => name));
    let count = 1;
    while (taken.has(`${id}.damaged-${count}`)) count += 1;
    const name = `${id}.damaged-${count}`;
    await files.commit([
      { path: `${folder}/${name}`, bytes: read.bytes, expect: "absent" },
      { path, bytes: undefined, expect: { stamp: read.stamp } },
    ]);
    return name;
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

function damaged(id: string, path: string, aside: string | undefined): MemoryError {
  const advice =
    aside === undefined
      ? "They could not be moved aside; restore the file from a backup."
      : `They were moved to ${aside.slice(0, 8)}…${aside.slice(id.length)} in the same folder; restore the file from a backup, or let heartwood recreate it.`;
  const message = `The bytes of artifact ${id} do not match its id. ${advice}`;
  return new MemoryError("artifact_damaged", message, { artifact_id: id, path });
}

/** Rejects anything but an id, before it becomes part of a path. Errors: `invalid_artifact`. */
export function checkArtifactId(id: string): void {
  if (/^[0-9a-f]{64}$/u.test(id)) return;
  const message = `${JSON.stringify(id.slice(0, 80))} is not an artifact id; pass 64 hex digits (0-9a-f), as shown in a checkpoint.`;
  throw new MemoryError("invalid_artifact", message);
}
