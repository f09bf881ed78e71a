import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { isLocal, stateFolder } from "../../base/known-paths.ts";
import { parseObject } from "../../base/json.ts";
import { decodeText, joinLines, textLines } from "../../base/lines.ts";
import { scanLines } from "../../base/markdown.ts";
import { compareTexts } from "../../base/lists.ts";
import { dayOfPart, parseMoved, printMoved, type MovedLogs, type ShorteningStep } from "../model/moved-format.ts";
import {
  archiveFolder,
  memoryFolder,
  movedPath,
  nodeLevels,
  originalName,
  parseLogFile,
  recordsFolder,
  rootPath,
} from "../model/period.ts";
import { forgottenNothing, type Forgotten } from "../model/records-format.ts";
import { isPerhapsMoved, mergeConflicts, mergeLogs, type FileVersions } from "./logs.ts";
import { choose } from "./sequences.ts";

/**
 * How the versions of a file are merged. `derived`: it is rebuilt, so either side will do. `local`: it belongs to one
 * machine and should not be shared. `whole`: one side's version.
 */
export type MergeKind = "log" | "records" | "journal" | "moved" | "part" | "derived" | "local" | "whole";

const stateFile = `${memoryFolder}/.compaction-state.json`;
const journalFile = `${archiveFolder}/journal.jsonl`;

/** The kind of a file by its path in the project folder; `undefined` if heartwood does not merge it. */
export function mergeKindOf(path: string): MergeKind | undefined {
  const [folder = "", name = "", ...deeper] = path.split("/");
  if (folder === stateFolder) return isLocal(path) ? "local" : name === ".gitignore" ? undefined : "whole";
  if (folder !== memoryFolder) return undefined;
  if (deeper.length === 0 && parseLogFile(name).state === "log") return "log";
  if (path.startsWith(`${recordsFolder}/`) && path.endsWith(".jsonl")) return "records";
  if (path === journalFile) return "journal";
  if (path === movedPath) return "moved";
  if (path === stateFile) return "local";
  if (dayOfPart(path) !== undefined) return "part";
  if (path.startsWith(`${archiveFolder}/nodes/`)) return "whole";
  const isNode = nodeLevels.some((level) => level === name) && deeper.length === 1 && path.endsWith(".md");
  return isNode || path === rootPath ? "derived" : undefined;
}

/**
 * The merged bytes; `undefined`: the file is gone; `conflict`: one side shortened a note that the other changed or
 * shortened too, or may have, which `git resolve` finds out with the other files at hand.
 */
export function mergeFiles(
  kind: MergeKind,
  versions: FileVersions,
  forgotten: Forgotten = forgottenNothing,
): Uint8Array | undefined | "conflict" {
  if (kind === "log") return isPerhapsMoved(versions, forgotten) ? "conflict" : mergeLog(versions, forgotten);
  const { ours, theirs } = versions;
  const merged = choose(versions, isSameFile);
  if (merged !== "conflict") return kind === "derived" ? (ours ?? theirs) : merged;
  if (ours === undefined || theirs === undefined) return ours ?? theirs;
  switch (kind) {
    case "records":
      return encode(mergeRecords([ours, theirs].map(linesIn), linesIn(versions.base)));
    case "journal":
      return encode(mergeJournals(linesIn(versions.base), [linesIn(ours), linesIn(theirs)]));
    case "moved":
      return mergeMoved(versions);
    case "part":
      return "conflict";
    case "derived":
    case "local":
      return ours;
    case "whole":
      return sha256(ours) < sha256(theirs) ? ours : theirs;
  }
}

/** The merge of a log; `undefined`: one side removed it, and nothing is left of the other's. */
export function mergeLog(versions: FileVersions, forgotten: Forgotten): Uint8Array | undefined {
  const merged = mergeLogs(versions, forgotten);
  const isGone = versions.ours === undefined || versions.theirs === undefined;
  return isGone && isBlank(merged) ? undefined : merged;
}

/** A merged log with what was added to it since. `now` may have conflict markers. `sides`: what was merged. */
export function withAdded(
  merged: Uint8Array | undefined,
  { sides, now }: { readonly sides: readonly (Uint8Array | undefined)[]; readonly now: Uint8Array },
  forgotten: Forgotten,
): Uint8Array {
  const nothing = new Uint8Array(0);
  const both = (ours: Uint8Array, theirs: Uint8Array): Uint8Array => mergeLogs({ base: undefined, ours, theirs });
  const known = sides.reduce<Uint8Array>((all, side) => both(all, side ?? nothing), nothing);
  return mergeLogs({ base: known, ours: merged, theirs: both(known, mergeConflicts(now)) }, forgotten);
}

/** The records of all sides, each once, in the order in which they apply, without those that a side removed. Lines without an id come first. */
export function mergeRecords(sides: readonly (readonly string[])[], base: readonly string[] = []): readonly string[] {
  const idOf = (line: string): string => {
    const id = parseObject(line)?.["id"];
    return typeof id === "string" ? id : "";
  };
  // Only forgetting removes one.
  const each = sides.map((side) => new Set(side));
  const removed = new Set(base.filter((line) => each.some((side) => !side.has(line))));
  const lines = [...new Set(sides.flat())].filter(
    (line) => line.trim() !== "" && !isMarker(line) && !removed.has(line),
  );
  const rows = lines.map((line) => ({ line, id: idOf(line) }));
  return rows.toSorted((a, b) => compareTexts(a.id, b.id) || compareTexts(a.line, b.line)).map(({ line }) => line);
}

/** The merged records of these files. */
export function recordsOf(sides: readonly Uint8Array[], base: Uint8Array = new Uint8Array(0)): Uint8Array {
  const linesOf = (bytes: Uint8Array): readonly string[] => Buffer.from(bytes).toString("utf8").split(/\r?\n/u);
  const lines = mergeRecords(sides.map(linesOf), linesOf(base));
  return Buffer.from(lines.map((line) => `${line}\n`).join(""));
}

/** Whether a note has some of these steps. */
export function hasSome(own: readonly ShorteningStep[] = [], steps: readonly ShorteningStep[]): boolean {
  const known = new Set(steps.map((step) => JSON.stringify(step)));
  return own.some((step) => known.has(JSON.stringify(step)));
}

function isMarker(line: string): boolean {
  return /^(?:[<|>]{7}(?: |$)|={7}$)/u.test(line);
}

/** The lines of both journals in the order of their time. An undo names the line that it reverts by its number, which may change. */
function mergeJournals(base: readonly string[], sides: readonly (readonly string[])[]): readonly string[] {
  const rows = sides.flatMap((lines) =>
    lines.map((line, index) => {
      const value = parseObject(line) ?? {};
      const reverted = value["action"] === "undo" ? lines[Number(value["what"]) - 1] : undefined;
      const at = typeof value["at"] === "string" ? Date.parse(value["at"]) || 0 : 0;
      return { line, value, reverted, at, place: index < base.length && base[index] === line ? index : base.length };
    }),
  );
  const each = [...new Map(rows.map((row) => [`${row.line}\n${row.reverted ?? ""}`, row])).values()].toSorted(
    (a, b) => a.place - b.place || a.at - b.at || compareTexts(a.line, b.line),
  );
  return each.map(({ line, value, reverted }) => {
    const what = reverted === undefined ? -1 : each.findIndex((row) => row.line === reverted);
    return what < 0 ? line : JSON.stringify({ ...value, what: String(what + 1) });
  });
}

/** The steps of each log, of the side that changed them. */
function mergeMoved(versions: FileVersions): Uint8Array | "conflict" {
  const merged = movedIn(versions);
  return merged === undefined || merged.differing.length > 0 ? "conflict" : encode([printMoved(merged.logs).trimEnd()]);
}

export interface MergedMoved {
  readonly logs: MovedLogs;
  /** The notes that both sides shortened differently; they have no steps in `logs`. */
  readonly differing: readonly string[];
  /** The steps of each note that is not shortened alike on both sides, of both. */
  readonly unequal: MovedLogs;
}

/** The merged record of shortened notes. `undefined`: a version is invalid. */
export function movedIn(versions: FileVersions): MergedMoved | undefined {
  try {
    const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map((bytes): MovedLogs =>
      bytes === undefined ? new Map() : parseMoved(decodeText(bytes) ?? ""),
    ) as [MovedLogs, MovedLogs, MovedLogs];
    const logs = new Map<string, readonly ShorteningStep[]>();
    const differing: string[] = [];
    const unequal = new Map<string, readonly ShorteningStep[]>();
    for (const log of new Set([...ours.keys(), ...theirs.keys()])) {
      const [left, right] = [ours.get(log), theirs.get(log)];
      if (!isSameValue(left, right)) unequal.set(log, [...(left ?? []), ...(right ?? [])]);
      const found = choose({ base: base.get(log), ours: left, theirs: right }, isSameValue);
      if (found === "conflict") differing.push(log);
      else if (found !== undefined) logs.set(log, found);
    }
    return { logs, differing, unequal };
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

function isSameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether a file has lines that none of the others has, apart from conflict markers. */
export function hasOtherLines(bytes: Uint8Array, sides: readonly Uint8Array[]): boolean {
  const linesOf = (one: Uint8Array): readonly string[] => Buffer.from(one).toString("latin1").split(/\r?\n/u);
  const known = new Set(sides.flatMap(linesOf));
  return linesOf(bytes).some((line) => line.trim() !== "" && !known.has(line) && !isMarker(line));
}

/** Whether a file has conflict markers. */
export function hasMarkers(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString("utf8");
  return text.includes("\n<<<<<<<") && scanLines(text.split(/\r?\n/u)).conflicts.length > 0;
}

function linesIn(bytes: Uint8Array | undefined): readonly string[] {
  return bytes === undefined ? [] : textLines(Buffer.from(bytes).toString("utf8"));
}

function encode(lines: readonly string[]): Uint8Array {
  return Buffer.from(joinLines(lines), "utf8");
}

function isSameFile(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.from(a).equals(b);
}

function isBlank(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).toString("latin1").trim() === "";
}

/** The file of a memory that a conflict copy belongs to; `undefined` if the path is not that of a copy. `taken`: the names in its folder. */
export function originalOf(path: string, taken: ReadonlySet<string> = new Set()): string | undefined {
  const cut = path.lastIndexOf("/") + 1;
  const name = originalName(path.slice(cut), taken);
  const original = name === undefined ? undefined : path.slice(0, cut) + name;
  return original === undefined || mergeKindOf(original) === undefined ? undefined : original;
}
