import { isInTheWay } from "../../base/errors.ts";
import type { Files } from "../../platform/files.ts";

/** Writes a file that nothing depends on, without waiting for the disk; where something else than a file stands in its place, it is left out. */
export async function writeCacheFile(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  await files.commit([{ path, bytes, expect: "anything", durability: "cache" }]).catch((error: unknown) => {
    if (!isInTheWay(error)) throw error;
  });
}
