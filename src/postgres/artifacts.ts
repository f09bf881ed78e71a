import { sha256 } from "../base/digest.ts";
import { MemoryError } from "../base/errors.ts";
import type { ArtifactStore } from "../platform/file-artifacts.ts";
import { checkArtifactId } from "../platform/file-artifacts.ts";
import type { PostgresDatabase } from "./database.ts";

/** Artifacts in PostgreSQL. Bytes that do not match their id are moved to the table `damaged_artifact`, never deleted. */
export function createPostgresArtifacts({ database }: { readonly database: PostgresDatabase }): ArtifactStore {
  const putAll = async (all: readonly Uint8Array[]): Promise<readonly string[]> => {
    const ids = all.map((bytes) => sha256(bytes));
    const distinct = new Map(ids.map((id, at) => [id, all[at] ?? new Uint8Array(0)]));
    for (const part of partsOf(distinct)) await database.call("put_artifacts", {}, part);
    return ids;
  };
  return {
    id: "postgres-artifacts-1",
    put: async (bytes) => (await putAll([bytes]))[0] ?? "",
    putAll,
    get: async (id) => {
      checkArtifactId(id);
      const bytes = await database.call<Uint8Array | null>("get_artifact", { id });
      if (bytes === null) return undefined;
      if (sha256(bytes) === id) return new Uint8Array(bytes);
      throw damaged(id, await database.call<boolean>("move_damaged", { id }));
    },
    remove: async (ids) => {
      for (const id of ids) checkArtifactId(id);
      if (ids.length > 0) await database.call("remove_artifacts", {}, ids);
    },
  };
}

const BYTES_AT_ONCE = 16 * 1024 * 1024;

interface Sent {
  readonly id: string;
  readonly bytes: string;
}

/** Parts that are small enough for one call, unless they are one artifact. */
function partsOf(artifacts: ReadonlyMap<string, Uint8Array>): readonly (readonly Sent[])[] {
  const parts: Sent[][] = [];
  let size = Infinity;
  for (const [id, bytes] of artifacts) {
    if (size + bytes.length > BYTES_AT_ONCE) {
      parts.push([]);
      size = 0;
    }
    size += bytes.length;
    parts.at(-1)?.push({ id, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64") });
  }
  return parts;
}

function damaged(id: string, isMoved: boolean): MemoryError {
  const advice = isMoved
    ? "They were moved to the table heartwood.damaged_artifact; restore them from a backup, or let heartwood recreate them."
    : "The database has the right ones, so they were damaged on the way; try again.";
  return new MemoryError("artifact_damaged", `The bytes of artifact ${id} do not match its id. ${advice}`, {
    artifact_id: id,
  });
}
