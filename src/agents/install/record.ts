import { Buffer } from "node:buffer";
import * as z from "zod/mini";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import {
  pathIn,
  type ClientFiles,
  type ClientPlaces,
  type Edit,
  type Installing,
  takeContents,
  type Shared,
} from "./client-files.ts";
import { refusal } from "./appended-part.ts";

/** What `install` records about a file it wrote. */
export interface FileRecord {
  readonly path: string;
  /** The clients that need it. */
  readonly clients: readonly string[];
  /** The original bytes; `undefined` if there was no file. */
  readonly before: Uint8Array | undefined;
  /** SHA-256 of the bytes that install wrote; several if an install was interrupted. */
  readonly left: readonly string[];
  /** What was added to the file. The text of our own files is not recorded. */
  readonly contents: Shared | { readonly kind: "own" };
}

/** Whether the bytes are those that install wrote. */
export function isLeft({ left }: FileRecord, bytes: Uint8Array): boolean {
  return left.includes(sha256(bytes));
}

/** Removes our entries from a file: returns the original bytes if the file is unchanged since, otherwise an edited version. Errors: `invalid_config` if the file no longer has that format. */
export function withoutOurs(file: FileRecord, bytes: Uint8Array): Uint8Array | undefined {
  const { path, contents, before } = file;
  if (isLeft(file, bytes)) return before;
  if (contents.kind === "own" || (before !== undefined && Buffer.from(before).equals(bytes))) return bytes;
  return takeContents(path, bytes, contents, before);
}

/** The recorded owner of the script, which stays while any client may call it. */
export const scriptOwner = "heartwood";

export interface InstallRecord {
  /** In the order of writing. */
  readonly files: readonly FileRecord[];
  /** Folders that install created, parents before children. */
  readonly folders: readonly string[];
}

const format = 1;

const texts = z.array(z.string());
const entry = z.object({ as: z.enum(["member", "item", "frame"]), at: texts, value: z.json() });
const stored = z.object({
  format: z.literal(format),
  files: z.array(
    z.object({
      path: z.string(),
      clients: texts,
      before: z.nullable(z.string()),
      left: texts,
      contents: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("json"), entries: z.array(entry) }),
        z.object({ kind: z.literal("toml"), table: z.object({ name: texts, lines: texts }) }),
        z.object({ kind: z.literal("part"), text: z.string() }),
        z.object({ kind: z.literal("own") }),
      ]),
    }),
  ),
  folders: texts,
});

export function printInstallRecord({ files, folders }: InstallRecord, version: string): string {
  const written = files.map(({ path, clients, before, left, contents }) => {
    const original = before === undefined ? null : Buffer.from(before).toString("base64");
    return { path, clients, before: original, left, contents };
  });
  return `${JSON.stringify({ format, version, files: written, folders }, null, 2)}\n`;
}

/** Errors: `newer_store` for the record of a newer program, `damaged_store` for anything else that is not a record. */
export function parseInstallRecord(path: string, text: string): InstallRecord {
  const document = parseJson(text);
  const { data } = stored.safeParse(document);
  if (data !== undefined) {
    const original = (before: string | null) => (before === null ? undefined : Buffer.from(before, "base64"));
    return {
      files: data.files.map((file) => ({ ...file, before: original(file.before) })),
      folders: data.folders,
    };
  }
  const stated = z.object({ format: z.number() }).safeParse(document).data?.format ?? 0;
  if (stated > format)
    throw refusal(
      path,
      `was written by a newer heartwood (format ${stated}; this one supports ${format}); use that version.`,
      "newer_store",
    );
  throw refusal(
    path,
    `was not written by heartwood install, so nothing was changed; restore the file, or move it aside and remove heartwood's entries by hand.`,
    "damaged_store",
  );
}

/** The record is read as one file, so its contents must stay well below the 64 MiB limit for files. */
const largestOriginals = 32 * 1024 * 1024;

/** Errors: `invalid_config` if the originals together are too large for the record. */
export function refuseLargeOriginals({ files }: InstallRecord): void {
  const sizes = files.map(({ path, before }) => ({ path, size: before?.byteLength ?? 0 }));
  const [largest] = sizes.toSorted((a, b) => b.size - a.size);
  if (largest === undefined || sizes.reduce((sum, { size }) => sum + size, 0) <= largestOriginals) return;
  throw new MemoryError(
    "invalid_config",
    `${largest.path} is ${Math.ceil(largest.size / 1024 / 1024)} MiB; install stores the original bytes of the files it edits, at most 32 MiB in total. Nothing was changed. Make the file smaller and run the command again.`,
    { path: largest.path },
  );
}

export function recordPath(places: ClientPlaces): string {
  return pathIn(places, places.state, "installed.json");
}

export async function readRecord({ files, places }: Installing) {
  const path = recordPath(places);
  const bytes = await files.read(path);
  const none: InstallRecord = { files: [], folders: [] };
  return { record: bytes ? parseInstallRecord(path, Buffer.from(bytes).toString("utf8")) : none, bytes };
}

/** Writes the record; `undefined` removes it. Returns the bytes now on disk. Errors: `changed_by_other`. */
export async function writeRecord(
  { files, places }: Installing,
  record: InstallRecord | undefined,
  before: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  const after = record && Buffer.from(printInstallRecord(record, places.version));
  if (before !== undefined && after?.equals(before) === true) return before;
  await writeEdit(files, { path: recordPath(places), before, after, mode: "private" });
  return after;
}

/** Errors: `changed_by_other` if the file changed in the meantime. */
export async function writeEdit(files: ClientFiles, edit: Edit): Promise<void> {
  if (edit.before === undefined && edit.after === undefined) return;
  if ((await files.commit(edit)) === "done") return;
  throw refusal(
    edit.path,
    `was changed by another program in the meantime and was not overwritten; run the command again to continue.`,
    "changed_by_other",
  );
}
