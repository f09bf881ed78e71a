import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { ClientFiles, ClientName } from "./client-files.ts";
import { pathIn, type Trace } from "./clients/client.ts";
import { clients } from "./clients/index.ts";
import { takeContents } from "./contents.ts";
import type { JsonEntry } from "./json-entries.ts";
import {
  isLeft,
  readRecord,
  recordPath,
  removeRecord,
  scriptOwner,
  writeEdit,
  writeRecord,
  type Edit,
  type FileRecord,
  type Installing,
  type InstallRecord,
} from "./record.ts";
import type { Prepared } from "./run-install.ts";

/** The notes name clients that are not installed. Errors: `newer_store`, `damaged_store` for the record. */
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
  // First what makes a client call us, then what it calls.
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

/** A file that cannot be written stays in the record, with the script, and its error is thrown at the end; the others are taken back. */
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

/** Removes folders that are empty now, and the record last. */
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

/** A link in place of one file, or a folder that can no longer be read, does not keep the others from being taken back. */
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

interface UninstallPlan {
  /** In the order to apply them. */
  readonly edits: readonly Edit[];
  /** The record afterwards, with the folders that may still go. */
  readonly after: InstallRecord;
  readonly warnings: readonly Warning[];
}

/** Takes out everything of these clients; files that changed since keep the changes. */
function planUninstall(
  record: InstallRecord,
  clients: readonly string[],
  found: ReadonlyMap<string, Uint8Array | "refused" | undefined>,
): UninstallPlan {
  const edits: Edit[] = [];
  const warnings: Warning[] = [];
  const kept: FileRecord[] = [];
  const gone: string[] = [];
  const takeBack = (file: FileRecord): void => {
    const step = planBack(file, found.get(file.path), gone);
    if (step === "unreadable") {
      warnings.push(unreadable(file.path));
      kept.unshift(file);
    } else if (step === "theirs") warnings.push(theirs(file.path));
    else if (step !== "done") edits.push(step);
    const isGone = typeof step === "object" ? step.after === undefined : found.get(file.path) === undefined;
    if (isGone) gone.push(file.path);
  };
  const scripts = record.files.filter((file) => file.clients.includes(scriptOwner));
  for (const file of record.files.filter((one) => !scripts.includes(one)).toReversed()) {
    const owners = file.clients.filter((client) => !clients.includes(client));
    if (owners.length > 0) kept.unshift({ ...file, clients: owners });
    else takeBack(file);
  }
  // What is left may call the script.
  const stay = kept.length > 0 ? scripts : [];
  if (kept.length === 0) for (const file of scripts.toReversed()) takeBack(file);
  return { edits, after: { files: [...stay, ...kept], folders: record.folders }, warnings };
}

/** Takes out these entries; the rest of each file keeps its bytes. */
function planTraces(
  traces: readonly Trace[],
  found: ReadonlyMap<string, Uint8Array | "refused" | undefined>,
): Pick<UninstallPlan, "edits" | "warnings"> {
  const edits: Edit[] = [];
  const warnings: Warning[] = [];
  for (const { path, entries } of traces) {
    const bytes = found.get(path);
    if (bytes === undefined) continue;
    const step = bytes === "refused" ? "unreadable" : planTrace(path, bytes, entries);
    if (step === "unreadable") warnings.push(traceLeft(path, entries));
    else if (step !== "done") edits.push(step);
  }
  return { edits, warnings };
}

function planTrace(path: string, bytes: Uint8Array, entries: readonly JsonEntry[]): Edit | "done" | "unreadable" {
  const text = Buffer.from(bytes).toString("utf8");
  if (!text.includes("heartwood")) return "done";
  // As if the file had been an empty object before: what is empty without us was made for us.
  const contents = { kind: "json", entries } as const;
  const taken = takeContents(path, { bytes, contents, before: Buffer.from("{}"), gone: [] });
  if (taken === "unreadable") return taken;
  const isSame = taken.bytes === undefined || sha256(taken.bytes) === sha256(bytes);
  return isSame ? "done" : { path, before: bytes, after: taken.bytes, mode: "usual" };
}

function traceLeft(path: string, entries: readonly JsonEntry[]): Warning {
  const places = entries.map(({ at }) => at.join("."));
  return {
    code: "unreadable",
    path,
    message: `it cannot be read as JSON, and was left unchanged; remove heartwood from ${places.join(", ")}`,
  };
}

function planBack(
  file: FileRecord,
  bytes: Uint8Array | "refused" | undefined,
  gone: readonly string[],
): Edit | "done" | "theirs" | "unreadable" {
  const { path, before, contents } = file;
  if (bytes === "refused") return "unreadable";
  // A file that the user removed stays removed.
  if (bytes === undefined || (before !== undefined && sha256(before) === sha256(bytes))) return "done";
  const edit = { path, before: bytes, mode: "usual" } as const;
  if (isLeft(file, bytes)) return { ...edit, after: before };
  if (contents.kind === "own") return "theirs";
  const taken = takeContents(path, { bytes, contents, before, gone });
  if (taken === "unreadable") return taken;
  if (taken.bytes !== undefined && sha256(taken.bytes) === sha256(bytes)) return "done";
  return { ...edit, after: taken.bytes };
}

function theirs(path: string): Warning {
  return {
    code: "changed_since",
    path,
    message: "it was changed since heartwood wrote it, and stays; remove it if you do not want it",
  };
}

function unreadable(path: string): Warning {
  return {
    code: "unreadable",
    path,
    message:
      "it cannot be read as it was when heartwood wrote to it, and is left as it is; put it right and run uninstall again",
  };
}
