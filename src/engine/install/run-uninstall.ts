import { MemoryError } from "../../base/errors.ts";
import type { ClientFiles } from "../../ports/client-files.ts";
import type { ClientName } from "./client-names.ts";
import { clients } from "./clients/index.ts";
import { pathIn } from "./places.ts";
import type { Edit } from "./plan.ts";
import { planTraces, planUninstall, scriptOwner } from "./plan-back.ts";
import type { Installing, Prepared } from "./prepared.ts";
import type { FileRecord, InstallRecord } from "./record-format.ts";
import { readRecord, recordPath, removeRecord, writeEdit, writeRecord } from "./stored-record.ts";

/** Clients that are not installed are told among the notes. */
export async function prepareUninstall(installing: Installing, names: readonly ClientName[]): Promise<Prepared> {
  const { files, places } = installing;
  const { record, bytes } = await readRecord(installing);
  const all = names.map((name) => ({ name, traces: clients[name].traces?.(places) ?? [] }));
  const traces = all.flatMap((one) => one.traces);
  const found = await readForBack(
    files,
    [...record.files, ...traces].map(({ path }) => path),
  );
  const { after, ...back } = planUninstall(record, names, found);
  const traced = planTraces(traces, found);
  // First what the client calls us by, then what it calls.
  const edits = [...traced.edits, ...back.edits];
  const warnings = [...traced.warnings, ...back.warnings];
  const notes = all.flatMap(({ name, traces: own }) => {
    if (record.files.some((file) => file.clients.includes(name))) return clients[name].farewell ?? [];
    const isTraced = own.some(({ path }) => traced.edits.some((edit) => edit.path === path));
    return isTraced ? [] : `heartwood is not installed in ${name}.`;
  });
  const apply = async (): Promise<void> => {
    for (const [path, old] of found) if (old !== "refused") await files.sweep(path);
    await files.sweep(recordPath(installing.places));
    const { kept, fault } = await takeAll(files, edits, record);
    const stays = new Map([...kept, ...after.files].map((file) => [file.path, file]));
    const left = record.files.flatMap(({ path }) => stays.get(path) ?? []);
    await clearUp(installing, { ...after, files: left }, bytes);
    if (fault !== undefined) throw fault;
  };
  return { edits, notes, warnings, remaining: after.files.map(({ path }) => path), apply };
}

/** One file that cannot be written is no reason to leave the others: it stays in the record, and its fault is told at the end. The script stays with it. */
async function takeAll(
  files: ClientFiles,
  edits: readonly Edit[],
  record: InstallRecord,
): Promise<{ readonly kept: readonly FileRecord[]; readonly fault: MemoryError | undefined }> {
  const kept: FileRecord[] = [];
  let fault: MemoryError | undefined;
  for (const edit of edits) {
    const file = record.files.find(({ path }) => path === edit.path);
    if (fault !== undefined && file?.clients.includes(scriptOwner)) kept.push(file);
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

/** Folders that are empty now, and at last the record. */
async function clearUp(
  { files, places }: Installing,
  after: InstallRecord,
  bytes: Uint8Array | undefined,
): Promise<void> {
  const isOfRecord = (folder: string): boolean => recordPath(places).startsWith(pathIn(places, folder, ""));
  const kept: string[] = [];
  const back = after.folders.toReversed();
  for (const folder of back)
    if (isOfRecord(folder) || (await files.removeFolder(folder)) === "kept") kept.unshift(folder);
  if (after.files.length > 0) {
    const next = { files: after.files, folders: kept };
    if (bytes !== undefined) await writeRecord({ files, places }, next, bytes);
    return;
  }
  if (bytes !== undefined) await removeRecord({ files, places }, bytes);
  for (const folder of [...back.filter(isOfRecord), places.state]) await files.removeFolder(folder);
}

/** A link that somebody put in the place of one file, or a folder that cannot be read any more, is no reason to leave all others. */
async function readForBack(
  files: ClientFiles,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array | "refused" | undefined>> {
  const found = new Map<string, Uint8Array | "refused" | undefined>();
  for (const path of paths)
    try {
      found.set(path, await files.read(path));
    } catch (error) {
      if (!(error instanceof MemoryError) || !["not_a_file", "io"].includes(error.code)) throw error;
      found.set(path, "refused");
    }
  return found;
}
