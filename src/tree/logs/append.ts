import { logPath, readPieces } from "./raw-logs.ts";
import type { Day } from "../../base/calendar.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { sha256 } from "../../base/digest.ts";
import type { Files } from "../../platform/files.ts";
import {
  type Entry,
  entryBody,
  EntryScan,
  type EntryScanEnd,
  type FoundEntry,
  printEntry,
} from "../model/entry-format.ts";
import { readForgotten } from "./forgotten.ts";
import { layoutOf, realFilesOf, withWholeLogs, type TreeMemory } from "../memory.ts";
import { encode, readStateFile, writeStateFile } from "../run/tree-files.ts";
import { pushAll } from "../../base/lists.ts";

export interface Appended {
  /** `forgotten`: an entry with that id was forgotten, so it is not added; its lines are 0. */
  readonly action: "added" | "duplicate" | "forgotten";
  readonly day: Day;
  readonly path: string;
  readonly lines: readonly [number, number];
}

const appendWait = 60_000;

/**
 * Appends entries to a day's log in one durable write, each at most once: an id already in the log, or in the log of a
 * day in `alsoSeen`, is a duplicate, and one that was forgotten is not added again. `counted`: the state file counts them for the gate. The texts must be redacted.
 * Warnings name the logs that could not be searched for ids.
 */
export async function appendEntries(
  opened: TreeMemory,
  day: Day,
  entries: readonly Entry[],
  options: {
    readonly holder: string;
    readonly counting: "counted" | "uncounted";
    readonly alsoSeen?: readonly Day[];
  },
): Promise<{ readonly appended: readonly Appended[]; readonly warnings: readonly Warning[] }> {
  const lease = await opened.locks.acquire("append", { holder: options.holder, waitMs: appendWait });
  try {
    // As written: an entry that was removed is not added again.
    const memory = await withWholeLogs(opened);
    const { log, kind, warnings } = await lookIn(memory, day, entries);
    const forgotten = await readForgotten(realFilesOf(memory.files));
    const known = new Map<string, Appended>();
    for (const { id } of entries)
      if (forgotten.ids.has(id)) known.set(id, { action: "forgotten", day, path: logPath(day), lines: [0, 0] });
    const learn = (action: Appended["action"], of: Day, found: EntryScanEnd["found"]): void => {
      for (const [id, { lines, state }] of found)
        if (state === "whole") known.set(id, { action, day: of, path: logPath(of), lines });
    };
    learn("duplicate", day, log.found);
    for (const other of options.alsoSeen ?? []) {
      const missing = entries.filter(({ id }) => !known.has(id));
      if (missing.length > 0) learn("duplicate", other, await lookInNeighbour(memory, other, missing, warnings));
    }
    // The process that wrote a duplicate may have crashed before syncing.
    const there = [...known.values()].filter(({ action }) => action === "duplicate");
    for (const path of new Set(there.map((one) => one.path))) await memory.files.append(path, new Uint8Array(0));
    const firsts = [...Map.groupBy(entries, ({ id }) => id).values()].flatMap((same) => same.slice(0, 1));
    const fresh = firsts.filter(({ id }) => !known.has(id));
    learn("added", day, await append(memory, day, fresh, log));
    // An edited note may share lines with its earlier version, so the new lines can only be located in the whole log.
    if (kind === "shortened") learn("added", day, (await scanForEntries(memory.files, logPath(day), fresh)).found);
    const added = fresh.flatMap(({ id }) => known.get(id) ?? []);
    if (options.counting === "counted" && added.length > 0) pushAll(warnings, await count(memory, day, added));
    const isFirst = new Set(fresh);
    const appended = entries.flatMap((entry): readonly Appended[] => {
      const one = known.get(entry.id);
      if (one === undefined) return [];
      return isFirst.has(entry) || one.action === "forgotten" ? [one] : [{ ...one, action: "duplicate" }];
    });
    return { appended, warnings };
  } finally {
    await lease.release();
  }
}

/** The day's log: entries and lines in the whole log, and the end of the note to append to. A missing part does not prevent logging. */
async function lookIn(memory: TreeMemory, day: Day, entries: readonly Entry[]) {
  const path = logPath(day);
  const warnings: Warning[] = [];
  try {
    const log = await scanForEntries(memory.files, path, entries);
    if ((await layoutOf(memory.files, path)) === undefined) return { log, kind: "whole", warnings } as const;
    const { ending, lastLine } = await scanForEntries(realFilesOf(memory.files), path, []);
    return { log: { ...log, ending, lastLine }, kind: "shortened", warnings } as const;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "archive_damaged") throw error;
    const log = await scanForEntries(realFilesOf(memory.files), path, entries);
    const message = `only the remaining part of ${path} was checked for duplicates of ${idsOf(entries)}: ${error.message}`;
    warnings.push({ code: error.code, path, message });
    return { log, kind: "whole", warnings } as const;
  }
}

/** An unreadable neighboring log does not prevent logging. */
async function lookInNeighbour(
  memory: TreeMemory,
  day: Day,
  entries: readonly Entry[],
  warnings: Warning[],
): Promise<EntryScanEnd["found"]> {
  const path = logPath(day);
  try {
    return (await scanForEntries(memory.files, path, entries)).found;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const message = `${path} was not checked for duplicates of ${idsOf(entries)}: ${error.message}`;
    warnings.push({ code: error.code, path, message });
    return new Map();
  }
}

function idsOf(entries: readonly Entry[]): string {
  return entries.map(({ id }) => id).join(", ");
}

/** Appends all entries in one write. Returns their lines by id. */
async function append(
  memory: TreeMemory,
  day: Day,
  entries: readonly Entry[],
  log: EntryScanEnd,
): Promise<ReadonlyMap<string, FoundEntry>> {
  const found = new Map<string, FoundEntry>();
  if (entries.length === 0) return found;
  const open = log.ending === "open" ? [""] : [];
  const lines = log.content === "blank" ? [`# ${day}`, ""] : [...open, ...(log.lastLine === "blank" ? [] : [""])];
  for (const entry of entries) {
    if (found.size > 0) lines.push("");
    const first = log.lines + lines.length + 1 - open.length;
    const printed = printEntry({ ...entry, bytes: Buffer.byteLength(entryBody(entry)) });
    pushAll(lines, printed);
    found.set(entry.id, { lines: [first, first + printed.length - 1], state: "whole" });
  }
  await memory.files.append(logPath(day), encode([...lines, ""].join(log.lineEnd)));
  return found;
}

/** Scans a log, which may be large or missing, for entries. */
export async function scanForEntries(files: Files, path: string, entries: readonly Entry[]): Promise<EntryScanEnd> {
  const scan = new EntryScan(new Map(entries.map((entry) => [entry.id, entryBody(entry)])));
  for await (const piece of readPieces(files, path)) if (piece !== undefined) scan.push(piece.bytes);
  return scan.end();
}

/** The entries are already on disk, so a failure to count them is only a warning. */
async function count(memory: TreeMemory, day: Day, added: readonly Appended[]): Promise<readonly Warning[]> {
  const lines = added.reduce((sum, one) => sum + one.lines[1] - one.lines[0] + 1, 0);
  try {
    const state = await readStateFile(memory);
    await writeStateFile(memory, { ...state, rawLines: state.rawLines + lines, entries: state.entries + added.length });
    return [];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const message = `the entry is on disk, but it could not be counted in the state file: ${error.message}`;
    return [{ code: "not_counted", path: logPath(day), message }];
  }
}

/** An id derived from the content, so the same content is added only once. */
export function contentId(kind: string, text: string): string {
  return `${kind}-${sha256(text).slice(0, 16)}`;
}
