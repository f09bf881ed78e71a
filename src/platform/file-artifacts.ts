import { randomBytes } from "node:crypto";
import * as nodeFs from "node:fs";
import { basename, dirname } from "node:path";
import type { ArtifactStore } from "./artifact-store.ts";
import type { Random } from "./clock.ts";
import type { ArtifactDisk, ArtifactFs } from "./file-artifacts/artifact-disk.ts";
import { checkId } from "./file-artifacts/artifact-folders.ts";
import { readArtifact, writeArtifacts } from "./file-artifacts/artifact-files.ts";

interface FileArtifactsOptions {
  /** Absolute path of `<project>/.heartwood/artifacts`. Made with the first artifact. */
  readonly folder: string;
  /** Default `node:fs`. */
  readonly fs?: ArtifactFs;
  /** For the names of temporary files. Default `crypto.randomBytes`. */
  readonly random?: Random;
  /** Whether Markdown with another digest is what an id names: some records change without their id. Default: never. */
  readonly isRecord?: (bytes: Uint8Array, id: string) => boolean;
}

/**
 * Artifacts as files `<2>/<64>.json` with mode 0600, in folders with mode 0700. Those that the tree keeps there as `<2>/<64>.md` are read, too.
 *
 * - A link is refused with `link_outside`, in the place of a file and of a folder; a FIFO, a folder or a device is `not_a_file` and never waited for.
 * - After a crash the file of an id is absent or whole. Wrong bytes (a broken disk, an editor) are renamed to `<64>.damaged-<n>`.
 * - A failed call leaves no temporary file; artifacts of the same call that were in place before the failure stay.
 * - A read opens one file and looks at three folders: some ten microseconds. Nothing is cached.
 */
export function createFileArtifacts(options: FileArtifactsOptions): ArtifactStore {
  const above = dirname(options.folder);
  const disk: ArtifactDisk = {
    fs: options.fs ?? nodeFs,
    project: dirname(above),
    below: [basename(above), basename(options.folder)],
    isRecord: options.isRecord ?? (() => false),
    random: options.random ?? { bytes: (count) => randomBytes(count) },
    real: {},
    durable: new Map(),
    doubtful: new Set(),
  };
  return {
    id: "file-artifacts-1",
    put: async (bytes) => (await writeArtifacts(disk, [bytes]))[0] ?? "",
    putAll: (all) => writeArtifacts(disk, all),
    get: async (id) => {
      checkId(id);
      return readArtifact(disk, id);
    },
  };
}
