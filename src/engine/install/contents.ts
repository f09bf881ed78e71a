import { Buffer, isUtf8 } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import { JsonFault } from "../../base/json-tree.ts";
import { putEntry, readJsonFile } from "./json-put.ts";
import { keepsEntry, takeEntries } from "./json-take.ts";
import type { Recorded } from "./record-format.ts";
import { hasPart, putPart, takePart } from "./text-part.ts";
import { takeTrust } from "./toml-trust.ts";
import { hasTable, putTable, takeTable } from "./toml-table.ts";

/** Contents that share a file with somebody else's. */
export type Shared = Exclude<Recorded, { readonly kind: "own" }>;

/** The bytes with the contents in them. Errors: `invalid_config` for a file that is not what it should be. */
export function putContents(path: string, bytes: Uint8Array | undefined, contents: Shared): Uint8Array {
  const text = textOf(path, bytes) ?? "";
  return encoded(put(path, text, contents));
}

function put(path: string, text: string, contents: Shared): string {
  if (contents.kind === "part") return putPart(path, text, contents.text);
  if (contents.kind === "toml") return putTable(path, text, contents.table);
  readJsonFile(path, text);
  return contents.entries.reduce((all, entry) => putEntry(path, all, entry), text);
}

/** Whether the contents stand there; with more in our entries than we put there, too. */
export function hasContents(path: string, bytes: Uint8Array | undefined, contents: Shared): boolean {
  const text = textOf(path, bytes);
  if (text === undefined) return false;
  if (contents.kind === "part") return hasPart(text, contents.text);
  if (contents.kind === "toml") return hasTable(text, contents.table);
  const tree = readJsonFile(path, text);
  return contents.entries.every((entry) => keepsEntry(tree, entry));
}

/** The bytes without the contents; `undefined`: no file is left. `unreadable`: the file is not what it was, and is to stay as it is. */
export function takeContents(
  path: string,
  { bytes, contents, before, gone }: Taking,
): { readonly bytes: Uint8Array | undefined } | "unreadable" {
  try {
    const text = textOf(path, bytes) ?? "";
    const old = textOf(path, before);
    const rest = take(contents.kind === "toml" ? takeTrust(text, gone, old) : text, contents, old);
    if (rest === undefined) return { bytes: undefined };
    return { bytes: rest === old ? before : encoded(rest) };
  } catch (error) {
    if (error instanceof JsonFault || error instanceof MemoryError) return "unreadable";
    throw error;
  }
}

export interface Taking {
  readonly bytes: Uint8Array;
  readonly contents: Shared;
  readonly before: Uint8Array | undefined;
  /** Files that are removed with it: what a client remembers of them goes, too. */
  readonly gone: readonly string[];
}

function take(text: string, contents: Shared, before: string | undefined): string | undefined {
  if (contents.kind === "part") return takePart(text, before, contents.text);
  if (contents.kind === "toml") return takeTable(text, contents.table, before);
  return takeEntries(text, contents.entries, before);
}

/** The text with its byte order mark. Errors: `invalid_config` for bytes that are no UTF-8. */
function textOf(path: string, bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  if (!isUtf8(bytes))
    throw new MemoryError(
      "invalid_config",
      `${path} is not UTF-8; convert it (iconv -t utf-8) and run the command again.`,
      {
        path,
      },
    );
  return Buffer.from(bytes).toString("utf8");
}

function encoded(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}
