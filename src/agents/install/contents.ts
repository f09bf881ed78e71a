import { Buffer, isUtf8 } from "node:buffer";
import { refusal } from "./refusal.ts";
import { hasPart, putPart, takePart } from "./appended-part.ts";
import { hasEntries, putEntries, takeEntries, type JsonEntry } from "./json-entries.ts";
import { hasTable, putTable, takeTable, type TomlTable } from "./toml-table.ts";

/** What we put into another program's file. */
export type Shared =
  | { readonly kind: "json"; readonly entries: readonly JsonEntry[] }
  | { readonly kind: "toml"; readonly table: TomlTable }
  | { readonly kind: "part"; readonly text: string };

/** Adds the contents to the bytes. Errors: `invalid_config` for a file of another format. */
export function putContents(path: string, bytes: Uint8Array | undefined, contents: Shared): Uint8Array {
  const text = textOf(path, bytes) ?? "";
  if (contents.kind === "part") return Buffer.from(putPart(path, text, contents.text));
  if (contents.kind === "toml") return Buffer.from(putTable(path, text, contents.table));
  return Buffer.from(putEntries(path, text, contents.entries));
}

/** Whether the contents are there, even if a user added to our entries. Errors: `invalid_config`. */
export function hasContents(path: string, bytes: Uint8Array | undefined, contents: Shared): boolean {
  const text = textOf(path, bytes);
  if (text === undefined) return false;
  if (contents.kind === "part") return hasPart(text, contents.text);
  return contents.kind === "toml" ? hasTable(text, contents.table) : hasEntries(path, text, contents.entries);
}

/** Removes our contents. `before` is the file before they were added. Returns `undefined` if the file should be removed. Errors: `invalid_config` if the file no longer has that format. */
export function takeContents(
  path: string,
  bytes: Uint8Array,
  contents: Shared,
  before: Uint8Array | undefined,
): Uint8Array | undefined {
  const text = textOf(path, bytes) ?? "";
  const old = textOf(path, before);
  const rest =
    contents.kind === "part"
      ? takePart(text, old, contents.text)
      : contents.kind === "toml"
        ? takeTable(path, text, contents.table, old)
        : takeEntries(path, text, contents.entries, old);
  return rest === undefined || rest === old ? before : Buffer.from(rest);
}

/** The text, including a byte order mark. Errors: `invalid_config` for bytes that are not UTF-8. */
function textOf(path: string, bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || isUtf8(bytes)) return bytes && Buffer.from(bytes).toString("utf8");
  throw refusal(path, `is not UTF-8; convert it (iconv -t utf-8) and run the command again.`);
}
