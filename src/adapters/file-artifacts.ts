import { MemoryError } from "../base/errors.ts";
import type { ArtifactStore } from "../ports/artifact-store.ts";

export interface FileArtifactsOptions {
  /** Absolute path of `<project>/.heartwood/artifacts`. Made with the first artifact. */
  readonly folder: string;
}

export function createFileArtifacts(_options: FileArtifactsOptions): ArtifactStore {
  const none = async (): Promise<never> => {
    throw new MemoryError("internal", "The store is not there yet.");
  };
  return { id: "file-artifacts-1", put: none, putAll: none, get: none };
}
