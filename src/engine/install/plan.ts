import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { FileMode } from "../../ports/client-files.ts";
import { hasContents, putContents, takeContents, type Shared } from "./contents.ts";
import type { FileRecord, InstallRecord, Recorded } from "./record-format.ts";
import type { Wanted } from "./wanted.ts";

/** One file as it stands and as it is to be; `undefined` where there is none. */
export interface Edit {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  readonly mode: FileMode;
}

export interface InstallPlan {
  /** In the order in which they are to be written. */
  readonly edits: readonly Edit[];
  /** The record as it is to be before the first edit. */
  readonly during: InstallRecord;
  /** And after the last one. */
  readonly after: InstallRecord;
  readonly warnings: readonly Warning[];
}

/** What a client wants, and who it is. */
export interface WantedBy {
  readonly client: string;
  readonly wanted: Wanted;
}

/**
 * What is to change so that all that is wanted stands there. `found`: the bytes of each file that is wanted or recorded. Errors: `invalid_config` and `not_a_file` for a file in which it
 * cannot stand; then nothing is written at all.
 */
export function planInstall(
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

/** Of each file that is written one digest is left. */
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
  if (wanted.kind === "memory") return planMemory(wanted, bytes);
  return wanted.kind === "own" ? planOwn(known, wanted, bytes) : planShared(known, wanted, bytes);
}

function planMemory({ path, text }: Extract<Wanted, { kind: "memory" }>, bytes: Uint8Array | undefined): Step {
  if (bytes !== undefined) return { kind: "there" };
  return { kind: "edit", edit: { path, before: undefined, after: Buffer.from(text), mode: "usual" }, file: undefined };
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
  if (bytes !== undefined && known !== undefined && !isLeft(known, bytes))
    return { kind: "left", warning: changedSince(path) };
  const edit: Edit = { path, before: bytes, after, mode };
  return { kind: "edit", edit, file: fileOf(known, edit, { before: undefined, contents: { kind: "own" } }) };
}

function changedSince(path: string): Warning {
  return {
    code: "changed_since",
    path,
    message: "it was changed since heartwood wrote it, and is left as it is",
  };
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
  // Until the new bytes are there the old ones are ours, too; what somebody changed is not.
  const old = known !== undefined && before !== undefined && isLeft(known, before) ? known.left : [];
  const left = [...new Set([...(after === undefined ? [] : [sha256(after)]), ...old])];
  return { path, clients: known?.clients ?? [], left, ...now };
}

/** Whether the bytes are what an install left. */
export function isLeft({ left }: FileRecord, bytes: Uint8Array): boolean {
  return left.includes(sha256(bytes));
}
