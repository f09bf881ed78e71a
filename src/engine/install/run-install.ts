import type { ClientFiles } from "../../ports/client-files.ts";
import type { ClientName } from "./client-names.ts";
import { clients } from "./clients/index.ts";
import { foldersFor, foldersOfState } from "./folders.ts";
import { pathIn, type ClientPlaces, type Shipped } from "./places.ts";
import { planInstall, type InstallPlan, type WantedBy } from "./plan.ts";
import { scriptOwner } from "./plan-back.ts";
import type { Installing, Prepared } from "./prepared.ts";
import { printInstallRecord, type InstallRecord } from "./record-format.ts";
import { scriptOf } from "./script.ts";
import { readRecord, writeEdit, writeRecord, type StoredRecord } from "./stored-record.ts";
import type { Scope } from "./wanted.ts";

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
    notes: [...notes, ...(await noMemoryNote(files, places, all))],
    warnings,
    remaining: plan.after.files.map(({ path }) => path),
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
async function noMemoryNote(
  files: ClientFiles,
  places: ClientPlaces,
  all: readonly WantedBy[],
): Promise<readonly string[]> {
  const names = (await files.list(places.project)) ?? [];
  if (["memory", "heartwood.config.json", "hipocampus.config.json"].some((name) => names.includes(name))) return [];
  const inWorkspace = all.every(({ client }) => client === "openclaw" || client === scriptOwner);
  const made = pathIn(places, places.project, "heartwood.config.json");
  if (inWorkspace || all.some(({ wanted }) => wanted.path === made)) return [];
  const toolsAlone = all.every(({ client }) => client === "windsurf" || client === scriptOwner);
  const until = toolsAlone
    ? "Until then the tools answer that there is none."
    : "In folders without one nothing is injected.";
  return [`${places.project} has no memory yet: heartwood init begins one. ${until}`];
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
  for (const edit of edits) await writeEdit(files, edit);
  await writeRecord(installing, { ...after, folders }, begun);
}

function sameRecord(one: InstallRecord, other: InstallRecord): boolean {
  return printInstallRecord({ ...one, folders: [] }, "") === printInstallRecord({ ...other, folders: [] }, "");
}

async function readAll(
  files: ClientFiles,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
  const found = new Map<string, Uint8Array | undefined>();
  for (const path of new Set(paths)) found.set(path, await files.read(path));
  return found;
}

async function pathsThere(files: ClientFiles, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await readAll(files, paths);
  return new Set(paths.filter((path) => found.get(path) !== undefined));
}
