import { Buffer } from "node:buffer";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { pathIn, type ClientFiles, type ClientName, type Edit, type Installing } from "./client-files.ts";
import { farewells } from "./clients/index.ts";
import { isLeft, readRecord, recordPath, scriptOwner, withoutOurs, writeEdit, writeRecord } from "./record.ts";
import type { FileRecord, InstallRecord } from "./record.ts";
import type { Prepared } from "./run-install.ts";

/** The notes also list clients that are not installed. Errors: `newer_store`, `damaged_store` for the record. */
export async function prepareUninstall(installing: Installing, names: readonly ClientName[]): Promise<Prepared> {
  const { files, places } = installing;
  const { record, bytes } = await readRecord(installing);
  const found = await readForBack(files, record);
  const { edits, warnings, stay } = planUninstall(record, names, found);
  const notes = names.flatMap((name) => {
    const isInstalled = record.files.some((file) => file.clients.includes(name));
    return isInstalled ? (farewells[name] ?? []) : `heartwood is not installed in ${name}.`;
  });
  const apply = async (): Promise<void> => {
    for (const path of [...found.keys(), recordPath(places)]) await files.sweep(path);
    const { kept, fault } = await writeAll(files, edits, record);
    const left = new Map([...kept, ...stay].map((file) => [file.path, file]));
    await clearUp(installing, { ...record, files: record.files.flatMap(({ path }) => left.get(path) ?? []) }, bytes);
    if (fault !== undefined) throw fault;
  };
  return { edits, notes, warnings, remaining: stay.map(({ path }) => path), apply };
}

/** `refused`: a link in place of a file, or an unreadable file. It does not block the others. */
type Found = ReadonlyMap<string, Uint8Array | "refused" | undefined>;

async function readForBack(files: ClientFiles, record: InstallRecord): Promise<Found> {
  const found = new Map<string, Uint8Array | "refused" | undefined>();
  for (const { path } of record.files)
    try {
      found.set(path, await files.read(path));
    } catch (error) {
      if (!(error instanceof MemoryError) || !["link_outside", "not_a_file", "io"].includes(error.code)) throw error;
      found.set(path, "refused");
    }
  return found;
}

interface Back {
  /** In writing order. */
  readonly edits: readonly Edit[];
  readonly warnings: readonly Warning[];
  /** Files that stay in the record. */
  readonly stay: readonly FileRecord[];
}

/** Plans the removal of everything that belongs only to these clients. */
function planUninstall({ files }: InstallRecord, names: readonly string[], found: Found): Back {
  const ownersOf = (file: FileRecord): readonly string[] => file.clients.filter((client) => !names.includes(client));
  const scripts = files.filter(({ clients: owners }) => owners.includes(scriptOwner));
  const needed = files.filter((file) => !scripts.includes(file) && ownersOf(file).length > 0);
  const others = files.filter((file) => ownersOf(file).length === 0);
  const back = takeOut(others.toReversed(), found);
  const stay = [...needed.map((file) => ({ ...file, clients: ownersOf(file) })), ...back.stay];
  // Files that stay may call the script.
  if (stay.length > 0) return { ...back, stay: [...scripts, ...stay] };
  const script = takeOut(scripts.toReversed(), found);
  return {
    edits: [...back.edits, ...script.edits],
    warnings: [...back.warnings, ...script.warnings],
    stay: script.stay,
  };
}

/** Plans the removal of our contents; later changes to the files are kept. */
function takeOut(files: readonly FileRecord[], found: Found): Back {
  const edits: Edit[] = [];
  const warnings: Warning[] = [];
  const stay: FileRecord[] = [];
  const leave = (file: FileRecord): void => {
    const message =
      "it is no longer in a form heartwood can edit, so it was left unchanged; repair it and run uninstall again";
    warnings.push({ code: "unreadable", path: file.path, message });
    stay.push(file);
  };
  for (const file of files) {
    const { path, contents } = file;
    const bytes = found.get(path);
    // The user removed the file; it stays removed.
    if (bytes === undefined) continue;
    if (bytes === "refused") leave(file);
    else if (contents.kind === "own" && !isLeft(file, bytes)) {
      const message = "it has changed since heartwood wrote it, so it was kept; remove it if you do not want it";
      warnings.push({ code: "changed_since", path, message });
    } else
      try {
        const after = withoutOurs(file, bytes);
        if (after === undefined || !Buffer.from(after).equals(bytes))
          edits.push({ path, before: bytes, after, mode: "usual" });
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        leave(file);
      }
  }
  return { edits, warnings, stay };
}

/** Writes all edits. A file that cannot be written stays in the record, together with the script, and its error is returned as `fault`. */
async function writeAll(files: ClientFiles, edits: readonly Edit[], record: InstallRecord) {
  const kept: FileRecord[] = [];
  let fault: MemoryError | undefined;
  for (const edit of edits) {
    const file = record.files.find(({ path }) => path === edit.path);
    if (fault !== undefined && file?.clients.includes(scriptOwner) === true) kept.push(file);
    else
      try {
        await writeEdit(files, edit);
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        fault ??= error;
        if (file !== undefined) kept.push(file);
      }
  }
  return { kept, fault };
}

/** Removes folders that are now empty and finally the record. */
async function clearUp(
  { files, places }: Installing,
  after: InstallRecord,
  bytes: Uint8Array | undefined,
): Promise<void> {
  const isOfRecord = (folder: string): boolean => recordPath(places).startsWith(pathIn(places, folder, ""));
  const kept: string[] = [];
  for (const folder of after.folders.toReversed())
    if (isOfRecord(folder) || (await files.removeFolder(folder)) === "kept") kept.unshift(folder);
  const isLast = after.files.length === 0;
  if (bytes !== undefined)
    await writeRecord({ files, places }, isLast ? undefined : { ...after, folders: kept }, bytes);
  if (isLast)
    for (const folder of [...after.folders.filter(isOfRecord).toReversed(), places.state])
      await files.removeFolder(folder);
}
