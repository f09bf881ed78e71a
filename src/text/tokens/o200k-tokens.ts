import { readFileSync } from "node:fs";
import { MemoryError } from "../../base/errors.ts";
import { once } from "../../base/lines.ts";
import { counterOver, type TokenCounter } from "./o200k.ts";

/**
 * Counts o200k_base tokens exactly. The table (`o200k.bin`, 2.6 MB, next to the built program) is read on the first count and kept in memory.
 * `count` throws `io` if it is missing, unreadable or damaged.
 */
export function createO200kTokens({ tableFile }: { readonly tableFile: string }): TokenCounter {
  const counter = once(() => counterOver(readTable(tableFile)));
  return { id: "o200k-base", count: (text) => counter()(text) };
}

function readTable(tableFile: string): Uint8Array {
  try {
    return readFileSync(tableFile);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    const message = `The token table ${tableFile} could not be read (${reason}). Rebuild or reinstall heartwood.`;
    throw new MemoryError("io", message, { path: tableFile }, error);
  }
}
