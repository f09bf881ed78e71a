/**
 * Immutable bytes by the SHA-256 of themselves (64 digits `0-9a-f`). One store serves threads and tree.
 */
export interface ArtifactStore {
  readonly id: string;
  /** Stores the bytes and returns their id; returned means durable. Bytes that are there already are not written again. Errors: `disk_full`, `io`. */
  put(bytes: Uint8Array): Promise<string>;
  /** The same for several, with less waiting for the disk. */
  putAll(all: readonly Uint8Array[]): Promise<readonly string[]>;
  /**
   * The bytes, checked against their digest on every read; `undefined` when there are none. Errors: `invalid_artifact` (no id),
   * `artifact_damaged` (the bytes are not those of the id: they are moved aside, never deleted), `not_a_file`, `io`.
   */
  get(id: string): Promise<Uint8Array | undefined>;
}
