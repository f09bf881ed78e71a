import type { Files } from "../../platform/files.ts";

/** An empty project folder behind a `Files`, and hands that reach into it past the adapter. */
export interface FilesHarness {
  readonly files: Files;
  /** Another program saves a file in place, with its folders. */
  plant(path: string, text: string): Promise<void>;
  /** Another program saves a file by writing a new one and renaming it over the path. */
  replant(path: string, text: string): Promise<void>;
  /** The paths of all files, by code unit. */
  paths(): Promise<readonly string[]>;
  /** Makes a link at `path` to a path in the project, or to a folder outside with one file `secret.md` in it. */
  link(path: string, target: { readonly inside: string } | "folder_outside" | "file_outside"): Promise<void>;
  fifo(path: string): Promise<void>;
  close(): Promise<void>;
}

/** The bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text that a path holds now; `undefined` when absent. */
export async function textAt(harness: FilesHarness, path: string): Promise<string | undefined> {
  const read = await harness.files.read(path);
  return read === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.bytes);
}

/** The stamp that a path has now. */
export async function stampAt(harness: FilesHarness, path: string): Promise<string> {
  return (await harness.files.read(path))?.stamp ?? "absent";
}
