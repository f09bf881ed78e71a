import { MemoryError } from "../../base/errors.ts";
import type { Contents } from "./wanted.ts";

/** What `install` remembers of a file that it wrote. */
export interface FileRecord {
  readonly path: string;
  /** Who needs it. */
  readonly clients: readonly string[];
  /** The bytes from before; `undefined` when there was no file. */
  readonly before: Uint8Array | undefined;
  /** SHA-256 of what the install left; several when one was begun and not ended. */
  readonly left: readonly string[];
  /** What was put in. */
  readonly contents: Recorded;
}

/** As `Contents`; of a file of our own the text is not kept. */
export type Recorded = Extract<Contents, { readonly kind: "json" | "toml" | "part" }> | { readonly kind: "own" };

export interface InstallRecord {
  /** In the order in which they were written. */
  readonly files: readonly FileRecord[];
  /** Folders that were made, parents before children. */
  readonly folders: readonly string[];
}

export const emptyRecord: InstallRecord = { files: [], folders: [] };

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
