import { Buffer } from "node:buffer";
import * as z from "zod/mini";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { ClientFiles, ClientPlaces, FileMode } from "./client-files.ts";
import type { Shared } from "./contents.ts";
import { pathIn } from "./clients/client.ts";

/** What `install` remembers of a file that it wrote. */
export interface FileRecord {
  readonly path: string;
  /** The clients that need it. */
  readonly clients: readonly string[];
  /** The original bytes; `undefined` if there was no file. */
  readonly before: Uint8Array | undefined;
  /** SHA-256 of what the install left; several after one that was cut off. */
  readonly left: readonly string[];
  /** What was put in. */
  readonly contents: Recorded;
}

/** Of a file of our own the text is not kept. */
export type Recorded = Shared | { readonly kind: "own" };

/** Whether the bytes are what an install left. */
export function isLeft({ left }: FileRecord, bytes: Uint8Array): boolean {
  return left.includes(sha256(bytes));
}

/** In the record, the owner of the script: it stays while any client may call it. */
export const scriptOwner = "heartwood";

export interface InstallRecord {
  /** In the order in which they were written. */
  readonly files: readonly FileRecord[];
  /** Folders that were made, parents before children. */
  readonly folders: readonly string[];
}

const emptyRecord: InstallRecord = { files: [], folders: [] };

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
  const document = {
    format,
    version,
    files: files.map(({ path, clients, before, left, contents }) => {
      const original = before === undefined ? null : Buffer.from(before).toString("base64");
      return { path, clients, before: original, left, contents };
    }),
    folders,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Errors: `newer_store` for the record of a newer program, `damaged_store` for what is not a record. */
export function parseInstallRecord(path: string, text: string): InstallRecord {
  const document = parsed(text);
  const { data } = stored.safeParse(document);
  if (data !== undefined)
    return {
      files: data.files.map(({ before, ...file }) => ({
        ...file,
        before: before === null ? undefined : Buffer.from(before, "base64"),
      })),
      folders: data.folders,
    };
  const stated = z.object({ format: z.number() }).safeParse(document).data?.format ?? 0;
  if (stated > format)
    throw new MemoryError(
      "newer_store",
      `${path} was written by a newer heartwood (format ${stated}, this one knows ${format}); run that one.`,
      { path },
    );
  throw new MemoryError(
    "damaged_store",
    `${path} is not what heartwood install wrote, so nothing was changed; put its bytes back, or move it away and take the entries out by hand.`,
    { path },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A record is read whole, so what it keeps must stay well below the 64 MiB of a file that is read at all. */
const largestOriginals = 32 * 1024 * 1024;

/** Errors: `invalid_config` if the originals together are too large for the record. */
export function refuseLargeOriginals({ files }: InstallRecord): void {
  const sizes = files.map(({ path, before }) => ({ path, size: before?.byteLength ?? 0 }));
  if (sizes.reduce((sum, { size }) => sum + size, 0) <= largestOriginals) return;
  const [largest = { path: "", size: 0 }] = sizes.toSorted((a, b) => b.size - a.size);
  throw new MemoryError(
    "invalid_config",
    `${largest.path} has ${Math.ceil(largest.size / 1024 / 1024)} MiB; install keeps the original bytes of the files that it edits, 32 MiB of them at most, and changed nothing. Make the file smaller and run the command again.`,
    { path: largest.path },
  );
}

export function recordPath(places: ClientPlaces): string {
  return pathIn(places, places.state, "installed.json");
}

export interface StoredRecord {
  readonly record: InstallRecord;
  readonly bytes: Uint8Array | undefined;
}

/** Where clients' files are changed. */
export interface Installing {
  readonly files: ClientFiles;
  readonly places: ClientPlaces;
}

export async function readRecord({ files, places }: Installing): Promise<StoredRecord> {
  const path = recordPath(places);
  const bytes = await files.read(path);
  if (bytes === undefined) return { record: emptyRecord, bytes };
  return { record: parseInstallRecord(path, Buffer.from(bytes).toString("utf8")), bytes };
}

export async function writeRecord(
  { files, places }: Installing,
  record: InstallRecord,
  expect: Uint8Array | undefined,
): Promise<Uint8Array> {
  const bytes = Buffer.from(printInstallRecord(record, places.version));
  if (expect !== undefined && bytes.equals(expect)) return expect;
  const path = recordPath(places);
  if ((await files.replace(path, { bytes, expect, mode: "private" })) === "changed") throw changedMeanwhile(path);
  return bytes;
}

export async function removeRecord({ files, places }: Installing, bytes: Uint8Array): Promise<void> {
  if ((await files.remove(recordPath(places), bytes)) === "changed") throw changedMeanwhile(recordPath(places));
}

/** One file as it is and as it will be; `undefined` for no file. */
export interface Edit {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  readonly mode: FileMode;
}

/** Errors: `changed_by_other` if the file is no longer as it was. */
export async function writeEdit(files: ClientFiles, { path, before, after, mode }: Edit): Promise<void> {
  const outcome =
    after !== undefined
      ? await files.replace(path, { bytes: after, expect: before, mode })
      : before === undefined
        ? "removed"
        : await files.remove(path, before);
  if (outcome === "changed") throw changedMeanwhile(path);
}

function changedMeanwhile(path: string): MemoryError {
  return new MemoryError(
    "changed_by_other",
    `${path} was changed by another program meanwhile and was not overwritten; run the command again to go on from here.`,
    { path },
  );
}
