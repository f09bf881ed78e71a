import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { ClientFiles, ClientPlaces, FileMode } from "../../ports/client-files.ts";
import type { Shared } from "./contents.ts";
import { pathIn } from "./script.ts";

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

export function printInstallRecord({ files, folders }: InstallRecord, version: string): string {
  const document = {
    format,
    version,
    files: files.map(({ before, ...file }) => ({
      path: file.path,
      clients: file.clients,
      before: before === undefined ? null : Buffer.from(before).toString("base64"),
      left: file.left,
      contents: file.contents,
    })),
    folders,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Errors: `newer_store` for the record of a newer program, `damaged_store` for what is no record. */
export function parseInstallRecord(path: string, text: string): InstallRecord {
  const document = parsed(text);
  const stated = document?.["format"];
  if (typeof stated === "number" && stated > format)
    throw new MemoryError(
      "newer_store",
      `${path} was written by a newer heartwood (format ${stated}, this one knows ${format}); run that one.`,
      { path },
    );
  if (document === undefined || stated !== format || !isRecord(document))
    throw new MemoryError(
      "damaged_store",
      `${path} is not what heartwood install wrote, so nothing was changed; put its bytes back, or move it away and take the entries out by hand.`,
      { path },
    );
  return {
    files: document.files.map((file) => ({
      ...file,
      before: file.before === null ? undefined : Buffer.from(file.before, "base64"),
    })),
    folders: document.folders,
  };
}

type Stored = {
  readonly files: readonly (Omit<FileRecord, "before"> & { readonly before: string | null })[];
  readonly folders: readonly string[];
};

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(document: Readonly<Record<string, unknown>>): document is Stored & Record<string, unknown> {
  const { files, folders } = document;
  return isTexts(folders) && Array.isArray(files) && files.every(isFile);
}

function isFile(file: unknown): boolean {
  if (!isObject(file)) return false;
  const { path, clients, before, left, contents } = file;
  return (
    typeof path === "string" &&
    isTexts(clients) &&
    isTexts(left) &&
    (before === null || typeof before === "string") &&
    isObject(contents) &&
    isContents(contents)
  );
}

function isContents({ kind, entries, table, text }: Readonly<Record<string, unknown>>): boolean {
  if (kind === "own") return true;
  if (kind === "part") return typeof text === "string";
  if (kind === "toml") return isObject(table) && isTexts(table["name"]) && isTexts(table["lines"]);
  if (kind !== "json" || !Array.isArray(entries)) return false;
  return entries.every(
    (entry: unknown) =>
      isObject(entry) &&
      ["member", "item", "frame"].includes(String(entry["as"])) &&
      isTexts(entry["at"]) &&
      entry["value"] !== undefined,
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
