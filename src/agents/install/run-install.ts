import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { ClientFiles, ClientPlaces, Shipped, ClientName } from "./client-files.ts";
import { pathIn, scriptOf, type Scope, type Wanted } from "./clients/client.ts";
import { clients } from "./clients/index.ts";
import { hasContents, putContents, takeContents, type Shared } from "./contents.ts";
import {
  isLeft,
  printInstallRecord,
  readRecord,
  refuseLargeOriginals,
  scriptOwner,
  writeEdit,
  writeRecord,
  type Edit,
  type FileRecord,
  type Installing,
  type InstallRecord,
  type Recorded,
  type StoredRecord,
} from "./record.ts";

export interface InstallRequest {
  readonly clients: readonly ClientName[];
  readonly scope: Scope;
  readonly shipped: Shipped;
}

/** Errors: `invalid_config` and `not_a_file` for a file that cannot take what is wanted; `newer_store`, `damaged_store` for the record. */
export async function prepareInstall(installing: Installing, request: InstallRequest): Promise<Prepared> {
  const { files, places } = installing;
  const stored = await readRecord(installing);
  const { all, notes } = await wantedOf(installing, request);
  const found = await readAll(
    files,
    all.map(({ wanted }) => wanted.path),
  );
  const plan = planInstall(stored.record, all, found);
  refuseLargeOriginals(plan.during);
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
  const there = await readAll(
    files,
    names.flatMap((name) => clients[name].choices(places)),
  );
  const firstThere = (paths: readonly [string, ...string[]]): string =>
    paths.find((path) => there.get(path) !== undefined) ?? (paths.at(-1) as string);
  const request = { scope, places, shipped, script: script.path, firstThere };
  const plans = names.map((client) => ({ client, plan: clients[client].plan(request) }));
  const wanted = plans.flatMap(({ client, plan }) => plan.wanted.map((one): WantedBy => ({ client, wanted: one })));
  const notes = new Set(plans.flatMap(({ plan }) => plan.notes));
  return { all: [{ client: scriptOwner, wanted: script }, ...wanted], notes: [...notes] };
}

/** Without a memory in the current folder nothing would seem to happen. */
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

/** What will be done, to be shown first. */
export interface Prepared {
  readonly edits: readonly Edit[];
  /** What the user has to do or to know afterwards. */
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** Files that stay installed afterwards. */
  readonly remaining: readonly string[];
  /** Errors: `changed_by_other` if a file changed meanwhile; what was done is in the record, and running the command again goes on from there. */
  apply(): Promise<void>;
}

interface InstallPlan {
  /** In the order to write them. */
  readonly edits: readonly Edit[];
  /** The record to write before the first edit. */
  readonly during: InstallRecord;
  /** The record to write after the last edit. */
  readonly after: InstallRecord;
  readonly warnings: readonly Warning[];
}

interface WantedBy {
  readonly client: string;
  readonly wanted: Wanted;
}

/**
 * The edits after which each file has what is wanted. `found`: the bytes of each file. Errors: `invalid_config` and `not_a_file` for a file that cannot take it; then nothing is written
 * at all.
 */
function planInstall(
  record: InstallRecord,
  all: readonly WantedBy[],
  found: ReadonlyMap<string, Uint8Array | undefined>,
): InstallPlan {
  const files = new Map(record.files.map((file) => [file.path, file]));
  const edits: Edit[] = [];
  const warnings: Warning[] = [];
  for (const { client, wanted } of all) {
    const known = files.get(wanted.path);
    const step = planFile(known, wanted, found.get(wanted.path));
    if (step.kind === "edit" && !edits.some(({ path }) => path === step.edit.path)) edits.push(step.edit);
    if (step.kind === "left") warnings.push(step.warning);
    const file = step.kind === "edit" ? step.file : known;
    if (file !== undefined) files.set(wanted.path, { ...file, clients: [...new Set([...file.clients, client])] });
  }
  const during: InstallRecord = { files: [...files.values()], folders: record.folders };
  return { edits, during, after: settled(during, edits), warnings };
}

/** Once a file is written, its new digest is the only one. */
function settled(record: InstallRecord, edits: readonly Edit[]): InstallRecord {
  const digests = new Map(edits.flatMap(({ path, after }) => (after === undefined ? [] : [[path, sha256(after)]])));
  return {
    ...record,
    files: record.files.map((file) => {
      const digest = digests.get(file.path);
      return digest === undefined ? file : { ...file, left: [digest] };
    }),
  };
}

type Step =
  | { readonly kind: "there" }
  | { readonly kind: "left"; readonly warning: Warning }
  | { readonly kind: "edit"; readonly edit: Edit; readonly file: FileRecord | undefined };

function planFile(known: FileRecord | undefined, wanted: Wanted, bytes: Uint8Array | undefined): Step {
  if (wanted.kind === "own") return planOwn(known, wanted, bytes);
  if (wanted.kind !== "memory") return planShared(known, wanted, bytes);
  if (bytes !== undefined) return { kind: "there" };
  const edit: Edit = { path: wanted.path, before: undefined, after: Buffer.from(wanted.text), mode: "usual" };
  return { kind: "edit", edit, file: undefined };
}

function planOwn(
  known: FileRecord | undefined,
  { path, text, mode }: Extract<Wanted, { kind: "own" }>,
  bytes: Uint8Array | undefined,
): Step {
  const after = Buffer.from(text);
  if (bytes !== undefined && after.equals(bytes)) return { kind: "there" };
  if (bytes !== undefined && known === undefined)
    throw new MemoryError(
      "not_a_file",
      `${path} is there already and is not heartwood's, so it is left as it is; move it away and run the command again.`,
      { path },
    );
  if (bytes !== undefined && known !== undefined && !isLeft(known, bytes)) {
    const message = "it was changed since heartwood wrote it, and is left as it is";
    return { kind: "left", warning: { code: "changed_since", path, message } };
  }
  const edit: Edit = { path, before: bytes, after, mode };
  return { kind: "edit", edit, file: fileOf(known, edit, { before: undefined, contents: { kind: "own" } }) };
}

function planShared(
  known: FileRecord | undefined,
  { path, ...contents }: Extract<Wanted, { readonly kind: Shared["kind"] }>,
  bytes: Uint8Array | undefined,
): Step {
  const isAsRecorded = known === undefined || JSON.stringify(known.contents) === JSON.stringify(contents);
  if (isAsRecorded && hasContents(path, bytes, contents)) return { kind: "there" };
  const base = known === undefined ? bytes : baseOf(known, bytes);
  const after = putContents(path, base, contents);
  if (bytes !== undefined && sha256(after) === sha256(bytes) && isAsRecorded) return { kind: "there" };
  const edit: Edit = { path, before: bytes, after, mode: "usual" };
  return { kind: "edit", edit, file: fileOf(known, edit, { before: base, contents }) };
}

/** The file as it would be without us. Errors: `invalid_config`. */
function baseOf(known: FileRecord, bytes: Uint8Array | undefined): Uint8Array | undefined {
  if (bytes === undefined || isLeft(known, bytes)) return bytes === undefined ? undefined : known.before;
  if (known.contents.kind === "own" || (known.before !== undefined && sha256(known.before) === sha256(bytes)))
    return bytes;
  const taken = takeContents(known.path, { bytes, contents: known.contents, before: known.before, gone: [] });
  return taken === "unreadable" ? bytes : taken.bytes;
}

function fileOf(
  known: FileRecord | undefined,
  { path, before, after }: Edit,
  now: { readonly before: Uint8Array | undefined; readonly contents: Recorded },
): FileRecord {
  // Until the new bytes are written the old ones are ours too, unless a user changed them.
  const old = known !== undefined && before !== undefined && isLeft(known, before) ? known.left : [];
  const left = [...new Set([...(after === undefined ? [] : [sha256(after)]), ...old])];
  return { path, clients: known?.clients ?? [], left, ...now };
}

/** The folders that are missing above the files, parents before children. */
async function foldersFor(files: ClientFiles, edits: readonly Edit[]): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const { path, after } of edits)
    if (after !== undefined) for (const folder of await missingAbove(files, path)) missing.add(folder);
  return [...missing].toSorted((a, b) => a.length - b.length);
}

async function missingAbove(files: ClientFiles, path: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = parentOf(path); folder !== undefined; folder = parentOf(folder)) {
    if ((await files.list(folder)) !== undefined) break;
    missing.unshift(folder);
  }
  return missing;
}

/**
 * The folders to make for the record, before it can list them: its own folder is always ours, those above it only if this run makes them.
 */
async function foldersOfState(
  files: ClientFiles,
  { state }: ClientPlaces,
): Promise<{ readonly missing: readonly string[]; readonly ours: readonly string[] }> {
  const above = await missingAbove(files, state);
  const missing = (await files.list(state)) === undefined ? [...above, state] : [];
  return { missing, ours: [...above, state] };
}

function parentOf(path: string): string | undefined {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at <= 0 ? undefined : path.slice(0, at);
}
