import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import type { Warning } from "../../base/errors.ts";
import { takeContents } from "./contents.ts";
import type { JsonEntry } from "./json-entries.ts";
import { isLeft, type Edit } from "./plan.ts";
import type { FileRecord, InstallRecord } from "./record-format.ts";
import type { Trace } from "./wanted.ts";

/** Whoever needs the script and nothing else. */
export const scriptOwner = "heartwood";

export interface UninstallPlan {
  /** In the order in which they are to be done. */
  readonly edits: readonly Edit[];
  /** The record afterwards, with the folders that may still go. */
  readonly after: InstallRecord;
  readonly warnings: readonly Warning[];
}

/** What is to change so that nothing of these clients is left; what somebody changed since keeps their changes. */
export function planUninstall(
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
  // Whatever is left may call the script.
  const stay = kept.length > 0 ? scripts : [];
  if (kept.length === 0) for (const file of scripts.toReversed()) takeBack(file);
  return { edits, after: { files: [...stay, ...kept], folders: record.folders }, warnings };
}

/** What is to change so that nothing of these is left; the rest of each file keeps its bytes. */
export function planTraces(
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
  // As if the client had begun with an empty object: what is empty without us was made for us.
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
  // Who removed it meant that.
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
