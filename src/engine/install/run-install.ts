import { Buffer } from "node:buffer";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { ClientFiles } from "../../ports/client-files.ts";
import type { ClientName } from "./client-names.ts";
import { clients } from "./clients/index.ts";
import { foldersFor, foldersOfState } from "./folders.ts";
import { pathIn, type ClientPlaces, type Shipped } from "./places.ts";
import { planInstall, type Edit, type InstallPlan, type WantedBy } from "./plan.ts";
import { planUninstall, scriptOwner } from "./plan-back.ts";
import { emptyRecord, parseInstallRecord, printInstallRecord, type InstallRecord } from "./record-format.ts";
import { scriptOf } from "./script.ts";
import type { Scope } from "./wanted.ts";

/** Where it happens. */
export interface Installing {
  readonly files: ClientFiles;
  readonly places: ClientPlaces;
}

/** What is to be done, to be shown before it is done. */
export interface Prepared {
  readonly edits: readonly Edit[];
  /** What the person has to do or to know afterwards. */
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** Does it. Nothing is done when nothing is to be. Errors: `changed_by_other` when a file was changed meanwhile; what is done is in the record, and the command goes on from there. */
  apply(): Promise<void>;
}

export interface InstallRequest {
  readonly clients: readonly ClientName[];
  readonly scope: Scope;
  readonly shipped: Shipped;
}

/** Errors: `invalid_config` and `not_a_file` for a file in which what is wanted cannot stand; `newer_store`, `damaged_store` for the record. */
export async function prepareInstall(installing: Installing, request: InstallRequest): Promise<Prepared> {
  const { files, places } = installing;
  const stored = await readRecord(installing);
  const { all, notes } = await wantedOf(installing, request);
  const found = await readAll(
    files,
    all.map(({ wanted }) => wanted.path),
  );
  const plan = planInstall(stored.record, all, found);
  const { edits, warnings } = plan;
  return {
    edits,
    notes: [...notes, ...(await noMemoryNote(files, places))],
    warnings,
    apply: () => applyInstall(installing, plan, stored),
  };
}

async function wantedOf(
  { files, places }: Installing,
  { clients: names, scope, shipped }: InstallRequest,
): Promise<{ readonly all: readonly WantedBy[]; readonly notes: readonly string[] }> {
  const script = scriptOf(places);
  const there = await pathsThere(
    files,
    names.flatMap((name) => clients[name].choices(places)),
  );
  const firstThere = (paths: readonly [string, ...string[]]): string =>
    paths.find((path) => there.has(path)) ?? (paths.at(-1) as string);
  const request = { scope, places, shipped, script: script.path, firstThere };
  const plans = names.map((client) => ({ client, plan: clients[client].plan(request) }));
  const wanted = plans.flatMap(({ client, plan }) => plan.wanted.map((one): WantedBy => ({ client, wanted: one })));
  const notes = new Set(plans.flatMap(({ plan }) => plan.notes));
  return { all: [{ client: scriptOwner, wanted: script }, ...wanted], notes: [...notes] };
}

/** Where the command was given may be no place with a memory, and then nothing would seem to happen. */
async function noMemoryNote(files: ClientFiles, places: ClientPlaces): Promise<readonly string[]> {
  const names = (await files.list(places.project)) ?? [];
  if (["memory", "heartwood.config.json", "hipocampus.config.json"].some((name) => names.includes(name))) return [];
  return [
    `${places.project} has no memory yet: heartwood init begins one. In folders without one nothing is injected.`,
  ];
}

async function applyInstall(installing: Installing, plan: InstallPlan, stored: StoredRecord): Promise<void> {
  const { files, places } = installing;
  const { edits, during, after } = plan;
  if (edits.length === 0 && sameRecord(during, stored.record)) return;
  const state = await foldersOfState(files, places);
  const made = await foldersFor(files, edits);
  const folders = [...new Set([...stored.record.folders, ...state.ours, ...made])];
  for (const folder of state.missing) await files.makeFolder(folder);
  const begun = await writeRecord(installing, { ...during, folders }, stored.bytes);
  for (const folder of made) await files.makeFolder(folder);
  for (const edit of edits) await write(files, edit);
  await writeRecord(installing, { ...after, folders }, begun);
}

/** Clients that are not installed are told among the notes. */
export async function prepareUninstall(installing: Installing, names: readonly ClientName[]): Promise<Prepared> {
  const { files } = installing;
  const { record, bytes } = await readRecord(installing);
  const found = await readForBack(files, record);
  const { edits, after, warnings } = planUninstall(record, names, found);
  const absent = names.filter((name) => !record.files.some((file) => file.clients.includes(name)));
  const notes = absent.map((name) => `heartwood is not installed in ${name}.`);
  const apply = async (): Promise<void> => {
    for (const [path, bytes] of found) if (bytes !== "refused") await files.sweep(path);
    await files.sweep(recordPath(installing.places));
    for (const edit of edits) await write(files, edit);
    await clearUp(installing, after, bytes);
  };
  return { edits, notes, warnings, apply };
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

async function removeRecord({ files, places }: Installing, bytes: Uint8Array): Promise<void> {
  if ((await files.remove(recordPath(places), bytes)) === "changed") throw changedMeanwhile(recordPath(places));
}

function recordPath(places: ClientPlaces): string {
  return pathIn(places, places.state, "installed.json");
}

interface StoredRecord {
  readonly record: InstallRecord;
  readonly bytes: Uint8Array | undefined;
}

async function readRecord({ files, places }: Installing): Promise<StoredRecord> {
  const path = recordPath(places);
  const bytes = await files.read(path);
  if (bytes === undefined) return { record: emptyRecord, bytes };
  return { record: parseInstallRecord(path, Buffer.from(bytes).toString("utf8")), bytes };
}

function sameRecord(one: InstallRecord, other: InstallRecord): boolean {
  return printInstallRecord({ ...one, folders: [] }, "") === printInstallRecord({ ...other, folders: [] }, "");
}

async function writeRecord(
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

async function write(files: ClientFiles, { path, before, after, mode }: Edit): Promise<void> {
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
    `${path} was changed by another program meanwhile, and nothing of theirs was overwritten; run the command again, and it goes on from here.`,
    { path },
  );
}

async function readAll(
  files: ClientFiles,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
  const found = new Map<string, Uint8Array | undefined>();
  for (const path of new Set(paths)) found.set(path, await files.read(path));
  return found;
}

/** A link that somebody put in the place of one file is no reason to leave all others. */
async function readForBack(
  files: ClientFiles,
  record: InstallRecord,
): Promise<ReadonlyMap<string, Uint8Array | "refused" | undefined>> {
  const found = new Map<string, Uint8Array | "refused" | undefined>();
  for (const { path } of record.files)
    try {
      found.set(path, await files.read(path));
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== "not_a_file") throw error;
      found.set(path, "refused");
    }
  return found;
}

async function pathsThere(files: ClientFiles, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await readAll(files, paths);
  return new Set(paths.filter((path) => found.get(path) !== undefined));
}
