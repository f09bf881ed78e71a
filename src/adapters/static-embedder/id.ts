import { closeSync, openSync, readSync } from "node:fs";
import { MemoryError } from "../../base/errors.ts";
import { digestIn, headerBytes, staticId } from "../../recall/vectors/table-id.ts";

/** The id of the built-in embedder, from the first bytes of its table alone. `io` when they cannot be read. */
export function readStaticId(tableFile: string): string {
  const header = new Uint8Array(headerBytes);
  try {
    const file = openSync(tableFile, "r");
    try {
      readSync(file, header);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreadableTable(tableFile, error);
  }
  return staticId(digestIn(header));
}

export function unreadableTable(tableFile: string, error: unknown): MemoryError {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  const message = `The table of word vectors ${tableFile} could not be read (${reason}). Build or install heartwood again.`;
  return new MemoryError("io", message, { path: tableFile }, error);
}
