import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import {
  pathIn,
  type ClientFiles,
  type ClientName,
  type ClientPlaces,
  type Edit,
  type Installing,
  type OwnFile,
  type Scope,
  type Shipped,
  type Wanted,
  hasContents,
  putContents,
  type Shared,
} from "./client-files.ts";
import { refusal } from "./appended-part.ts";
import { clients, pullEntry } from "./clients/index.ts";
import { scriptOf } from "./clients/texts.ts";
import { isLeft, readRecord, recordPath, refuseLargeOriginals, scriptOwner } from "./record.ts";
import { withoutOurs, writeEdit, writeRecord } from "./record.ts";
import type { FileRecord, InstallRecord } from "./record.ts";

export interface InstallRequest {
  readonly clients: readonly ClientName[];
  readonly scope: Scope;
  readonly shipped: Shipped;
  /** `pull`: the user lets the agent write the summaries. Default: as the user's settings say. */
  readonly summaries?: "pull" | undefined;
}

/** Planned changes, to show before applying them. */
export interface Prepared {
  /** In writing order. */
  readonly edits: readonly Edit[];
  /** What the user has to do or know afterwards. */
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
  /** Files that stay installed afterwards. */
  readonly remaining: readonly string[];
  /** Errors: `changed_by_other` if a file changed in the meantime. The record contains what was done, so running the command again continues. */
  apply(): Promise<void>;
}

/** Errors: `invalid_config` and `not_a_file` for a file that cannot be changed as planned; `newer_store`, `damaged_store` for the record. */
export async function prepareInstall(installing: Installing, request: InstallRequest): Promise<Prepared> {
  const { files, places } = installing;
  const { record, bytes: recorded } = await readRecord(installing);
  const { scope, shipped } = request;
  const script = scriptOf(places);
  const summaries = request.summaries ?? (await adapterIn(installing));
  const plans = request.clients.map((client) => ({
    client,
    ...clients[client]({ scope, places, shipped, script: script.path, summaries }),
  }));
  const all: readonly WantedBy[] = [
    { client: scriptOwner, wanted: script },
    ...plans.flatMap(({ client, wanted }) => wanted.map((one) => ({ client, wanted: one }))),
  ];
  const found = new Map<string, Uint8Array | undefined>();
  for (const { wanted } of all) found.set(wanted.path, await files.read(wanted.path));
  const known = new Map(record.files.map((file) => [file.path, file]));
  const edits = new Map<string, Edit>();
  const warnings: Warning[] = [];
  for (const { client, wanted } of all) {
    const { path } = wanted;
    const { edit, warning, file = known.get(path) } = planFile(known.get(path), wanted, found.get(path));
    if (edit !== undefined && !edits.has(path)) edits.set(path, edit);
    if (warning !== undefined) warnings.push(warning);
    if (file !== undefined) known.set(path, { ...file, clients: [...new Set([...file.clients, client])] });
  }
  const during: InstallRecord = { files: [...known.values()], folders: record.folders };
  refuseLargeOriginals(during);
  const apply = async (): Promise<void> => {
    if (edits.size === 0 && JSON.stringify(during.files) === JSON.stringify(record.files)) return;
    const ofRecord = await missingAbove(files, recordPath(places));
    const made = [...new Set((await Promise.all([...edits.keys()].map((path) => missingAbove(files, path)))).flat())];
    made.sort((a, b) => a.length - b.length);
    // The folder of the record is always ours; folders above it are ours only if this run creates them.
    const folders = [...new Set([...record.folders, ...ofRecord, places.state, ...made])];
    const begun = await writeRecord(installing, { ...during, folders }, recorded);
    for (const edit of edits.values()) await writeEdit(files, edit);
    // Once a file is written, only its new digest is valid.
    const after = during.files.map((file) => {
      const bytes = edits.get(file.path)?.after;
      return bytes === undefined ? file : { ...file, left: [sha256(bytes)] };
    });
    await writeRecord(installing, { files: after, folders }, begun);
  };
  return {
    edits: [...edits.values()],
    notes: [
      ...new Set(plans.flatMap(({ notes }) => notes)),
      ...(request.summaries === "pull" ? [pullNote(places)] : []),
      ...(await noMemoryNote(installing, all)),
    ],
    warnings,
    remaining: [...known.keys()],
    apply,
  };
}

/** Whether the user's settings already let the agent write the summaries. Settings that cannot be edited count as `off`, since nothing has to be written there. */
async function adapterIn({ files, places: { settings } }: Installing): Promise<"pull" | "off"> {
  try {
    const bytes = await files.read(settings);
    return hasContents(settings, bytes, { kind: "json", entries: [pullEntry] }) ? "pull" : "off";
  } catch (error) {
    if (error instanceof MemoryError) return "off";
    throw error;
  }
}

function pullNote({ settings }: ClientPlaces): string {
  return `Agents may write the summaries in all your projects (skill heartwood-compaction). To switch that off, set summaries.adapter to "off" in ${settings}.`;
}

interface WantedBy {
  readonly client: string;
  readonly wanted: Wanted;
}

/** Without a memory in the project, the install would seem to do nothing. */
async function noMemoryNote({ files, places }: Installing, all: readonly WantedBy[]): Promise<readonly string[]> {
  const names = (await files.list(places.project)) ?? [];
  if (["memory", "heartwood.config.json", "hipocampus.config.json"].some((name) => names.includes(name))) return [];
  const isOnly = (name: string): boolean => all.every(({ client }) => client === name || client === scriptOwner);
  const made = pathIn(places, places.project, "heartwood.config.json");
  if (isOnly("openclaw") || all.some(({ wanted }) => wanted.path === made)) return [];
  const until = isOnly("windsurf")
    ? "Until then, the tools report that there is no memory."
    : "In folders without one, nothing is injected.";
  return [`${places.project} has no memory yet: heartwood init creates one. ${until}`];
}

/** The planned change of one file; empty if it is up to date. */
interface Step {
  readonly edit?: Edit;
  /** The new record of the file. */
  readonly file?: FileRecord;
  readonly warning?: Warning;
}

/** Errors: `invalid_config` and `not_a_file` for a file that cannot be changed as planned. */
function planFile(known: FileRecord | undefined, wanted: Wanted, bytes: Uint8Array | undefined): Step {
  if (wanted.kind === "own") return planOwn(known, wanted, bytes);
  if (wanted.kind !== "memory") return planShared(known, wanted, bytes);
  if (bytes !== undefined) return {};
  return { edit: { path: wanted.path, before: undefined, after: Buffer.from(wanted.text), mode: "usual" } };
}

function planOwn(
  known: FileRecord | undefined,
  { path, text, mode }: OwnFile & { readonly path: string },
  bytes: Uint8Array | undefined,
): Step {
  const after = Buffer.from(text);
  if (bytes !== undefined && after.equals(bytes)) return {};
  if (bytes !== undefined && known === undefined)
    throw refusal(
      path,
      `exists and is not heartwood's, so it was left unchanged; move it aside and run the command again.`,
      "not_a_file",
    );
  if (bytes !== undefined && known !== undefined && !isLeft(known, bytes)) {
    const message = "it has changed since heartwood wrote it, so it was left unchanged";
    return { warning: { code: "changed_since", path, message } };
  }
  return recorded(known, { path, before: bytes, after, mode }, { before: undefined, contents: { kind: "own" } });
}

function planShared(
  known: FileRecord | undefined,
  { path, ...contents }: Shared & { readonly path: string },
  bytes: Uint8Array | undefined,
): Step {
  const isAsRecorded = known === undefined || JSON.stringify(known.contents) === JSON.stringify(contents);
  if (isAsRecorded && hasContents(path, bytes, contents)) return {};
  const before = known === undefined || bytes === undefined ? bytes : originalOf(known, bytes);
  const after = putContents(path, before, contents);
  if (isAsRecorded && bytes !== undefined && Buffer.from(after).equals(bytes)) return {};
  return recorded(known, { path, before: bytes, after, mode: "usual" }, { before, contents });
}

/** The file without our contents; unchanged if they can no longer be removed. */
function originalOf(known: FileRecord, bytes: Uint8Array): Uint8Array | undefined {
  try {
    return withoutOurs(known, bytes);
  } catch (error) {
    if (error instanceof MemoryError) return bytes;
    throw error;
  }
}

function recorded(
  known: FileRecord | undefined,
  edit: Edit & { readonly after: Uint8Array },
  now: Pick<FileRecord, "before" | "contents">,
): Step {
  const { path, before, after } = edit;
  // Until the new bytes are written, the old ones also count as ours, unless a user changed them.
  const old = known !== undefined && before !== undefined && isLeft(known, before) ? known.left : [];
  return {
    edit,
    file: { path, clients: known?.clients ?? [], left: [...new Set([sha256(after), ...old])], ...now },
  };
}

/** The missing folders above a file, parents before children. */
async function missingAbove(files: ClientFiles, path: string): Promise<readonly string[]> {
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  const folder = path.slice(0, Math.max(0, end));
  if (folder === "" || (await files.list(folder)) !== undefined) return [];
  return [...(await missingAbove(files, folder)), folder];
}
