import { Buffer } from "node:buffer";
import { logPath, readPieces } from "./raw-logs.ts";
import type { Day } from "../../base/calendar.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { sha256 } from "../../base/digest.ts";
import type { Files } from "../../platform/files.ts";
import {
  entryBytes,
  printEntry,
  type Entry,
  EntryScan,
  type EntryScanEnd,
  type FoundEntry,
} from "../model/entry-format.ts";
import { layoutOf, realFilesOf, withLogicalLogs } from "./logical-logs.ts";
import type { TreeMemory } from "../memory.ts";
import { encode, readStateFile, writeStateFile } from "../run/tree-files.ts";
import { pushAll } from "../../base/lists.ts";

/** Where an entry stands after it was appended. */
export interface Appended {
  readonly action: "added" | "duplicate";
  readonly day: Day;
  readonly path: string;
  readonly lines: readonly [number, number];
  /** That the state file could not count it, although it is on disk; logs in which its id could not be looked for. */
  readonly warnings: readonly Warning[];
}

/** How long an append waits for others. Milliseconds. */
const appendWait = 60_000;

/**
 * Appends entries to a day's log, each once: an id that stands there already, or in the log of a day of `alsoSeen`, is a duplicate. `counted`: the
 * state file counts them for the gate. Returned means on disk. The texts must be redacted.
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
): Promise<readonly Appended[]> {
  const lease = await opened.locks.acquire("append", { holder: options.holder, waitMs: appendWait });
  try {
    const memory = await withLogicalLogs(opened);
    const alsoSeen = options.alsoSeen ?? [];
    const appended: Appended[] = [];
    for (const run of await runsOf(memory, [day, ...alsoSeen], entries))
      pushAll(appended, await appendRun(memory, day, { run, alsoSeen }));
    const added = appended.filter((one) => one.action === "added");
    // Who wrote a duplicate may have died before its sync, and returned means on disk.
    const found = appended.filter((one) => one.action === "duplicate").map((one) => one.path);
    for (const path of new Set(found)) await memory.files.append(path, new Uint8Array(0));
    if (options.counting === "uncounted" || added.length === 0) return appended;
    const uncounted = await count(memory, added);
    return appended.map((one) => ({ ...one, warnings: [...one.warnings, ...uncounted] }));
  } finally {
    await lease.release();
  }
}

/** Entries of which one comes after the other: those whose ids stand nowhere yet are written together, any other one alone. */
async function runsOf(
  memory: TreeMemory,
  days: readonly Day[],
  entries: readonly Entry[],
): Promise<readonly (readonly Entry[])[]> {
  const seen = entries.length === 1 ? "unknown" : await idsIn(memory, days);
  if (seen === "unknown") return entries.map((entry) => [entry]);
  const runs: Entry[][] = [];
  let fresh: Entry[] | undefined;
  for (const entry of entries) {
    if (seen.has(entry.id)) fresh = void runs.push([entry]);
    else if (fresh === undefined) runs.push((fresh = [entry]));
    else fresh.push(entry);
    seen.add(entry.id);
  }
  return runs;
}

/** The ids that stand in comments of the logs, of torn entries too; `unknown` where a log cannot be read. */
async function idsIn(memory: TreeMemory, days: readonly Day[]): Promise<Set<string> | "unknown"> {
  const seen = new Set<string>();
  try {
    for (const day of days) {
      let rest: Uint8Array = new Uint8Array(0);
      for await (const piece of readPieces(memory.files, logPath(day))) {
        const bytes = Buffer.concat([rest, piece?.bytes ?? new Uint8Array(0)]);
        addIds(seen, bytes);
        // A comment that two pieces share is read again as a whole.
        rest = bytes.subarray(Math.max(0, bytes.length - longestComment));
      }
    }
    return seen;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return "unknown";
  }
}

const commentStart = "<!-- hw id=";
/** Bytes up to the end of an id, which has at most 96. */
const longestComment = commentStart.length + 97;

function addIds(seen: Set<string>, bytes: Buffer): void {
  for (let at = bytes.indexOf(commentStart); at >= 0; at = bytes.indexOf(commentStart, at + 1)) {
    const from = at + commentStart.length;
    const end = bytes.indexOf(" ", from);
    if (end >= 0 && end - at <= longestComment) seen.add(bytes.toString("latin1", from, end));
  }
}

async function appendRun(
  memory: TreeMemory,
  day: Day,
  { run, alsoSeen }: { readonly run: readonly Entry[]; readonly alsoSeen: readonly Day[] },
): Promise<readonly Appended[]> {
  const [entry, ...rest] = run;
  if (entry === undefined) return [];
  if (rest.length === 0) return [await appendOnce(memory, day, { entry, alsoSeen })];
  const { log, kind, warnings } = await lookIn(memory, day, entry);
  // In a log that was shortened the lines of each are only known by looking.
  if (kind === "shortened") {
    const one: Appended[] = [];
    for (const each of run) one.push(await appendOnce(memory, day, { entry: each, alsoSeen }));
    return one;
  }
  const appended = await append(memory, day, { entries: run, log });
  return appended.map((each) => ({ ...each, warnings: [...each.warnings, ...warnings] }));
}

async function appendOnce(
  memory: TreeMemory,
  day: Day,
  wanted: { readonly entry: Entry; readonly alsoSeen: readonly Day[] },
): Promise<Appended> {
  const { entry, alsoSeen } = wanted;
  const { log, kind, warnings: unread } = await lookIn(memory, day, entry);
  if (log.found?.state === "whole") return duplicate(day, log.found);
  const warnings: Warning[] = [...unread];
  for (const other of alsoSeen) {
    const found = await lookFor(memory, other, entry);
    if (found !== undefined && "code" in found) warnings.push(found);
    else if (found?.state === "whole") return { ...duplicate(other, found), warnings };
  }
  const [added] = await append(memory, day, { entries: [entry], log });
  if (added === undefined)
    throw new MemoryError("internal", "Nothing was appended, though nothing failed: please report this.");
  const found = kind === "shortened" ? await lookFor(memory, day, entry) : undefined;
  // What an edited note has in common with what it was is not counted twice, so that its lines are only known by looking.
  const lines = found !== undefined && "lines" in found ? found.lines : added.lines;
  return { ...added, lines, warnings };
}

interface LookedIn {
  readonly log: EntryScanEnd;
  readonly kind: "whole" | "shortened";
  readonly warnings: readonly Warning[];
}

/** The day's log: the entry and the lines of the whole one, and the end of the note to which is appended. A lost part keeps nobody from logging. */
async function lookIn(memory: TreeMemory, day: Day, entry: Entry): Promise<LookedIn> {
  const path = logPath(day);
  try {
    const log = await scanForEntry(memory.files, path, entry);
    if ((await layoutOf(memory.files, path)) === undefined) return { log, kind: "whole", warnings: [] };
    const { ending, lastLine } = await scanForEntry(realFilesOf(memory.files), path, entry);
    return { log: { ...log, ending, lastLine }, kind: "shortened", warnings: [] };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "archive_damaged") throw error;
    const log = await scanForEntry(realFilesOf(memory.files), path, entry);
    const message = `the entry is appended, but ${entry.id} was looked for only in what is left of ${path}: ${error.message}`;
    return { log, kind: "whole", warnings: [{ code: error.code, path, message }] };
  }
}

/** A neighbour's log that cannot be read keeps nobody from logging. */
async function lookFor(memory: TreeMemory, day: Day, entry: Entry): Promise<FoundEntry | Warning | undefined> {
  const path = logPath(day);
  try {
    return (await scanForEntry(memory.files, path, entry)).found;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { code: error.code, path, message: `the id ${entry.id} was not looked for in ${path}: ${error.message}` };
  }
}

function duplicate(day: Day, found: FoundEntry): Appended {
  return { action: "duplicate", day, path: logPath(day), lines: found.lines, warnings: [] };
}

/** One write, whatever number of entries it is. */
async function append(
  memory: TreeMemory,
  day: Day,
  what: { readonly entries: readonly Entry[]; readonly log: EntryScanEnd },
): Promise<readonly Appended[]> {
  const { entries, log } = what;
  const path = logPath(day);
  const open = log.ending === "open" ? [""] : [];
  const lead = log.content === "blank" ? [`# ${day}`, ""] : [...open, ...(log.lastLine === "blank" ? [] : [""])];
  const lines = [...lead];
  const appended = entries.map((entry, index): Appended => {
    if (index > 0) lines.push("");
    const first = log.lines + lines.length + 1 - open.length;
    const printed = printEntry({ ...entry, bytes: entryBytes(entry) });
    pushAll(lines, printed);
    return { action: "added", day, path, lines: [first, first + printed.length - 1], warnings: [] };
  });
  await memory.files.append(path, encode([...lines, ""].join(log.lineEnd)));
  return appended;
}

/** Reads a log, which may be large or not there, for an entry. */
export async function scanForEntry(files: Files, path: string, entry: Entry): Promise<EntryScanEnd> {
  const scan = new EntryScan(entry);
  for await (const piece of readPieces(files, path)) if (piece !== undefined) scan.push(piece.bytes);
  return scan.end();
}

/** The entries are on disk already: that they could not be counted must not look as if they were not. */
async function count(memory: TreeMemory, added: readonly Appended[]): Promise<readonly Warning[]> {
  const lines = added.reduce((sum, one) => sum + one.lines[1] - one.lines[0] + 1, 0);
  try {
    const state = await readStateFile(memory);
    await writeStateFile(memory, { ...state, rawLines: state.rawLines + lines, entries: state.entries + added.length });
    return [];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const message = `the entry is on disk, but the state file could not count it: ${error.message}`;
    return [{ code: "not_counted", path: added[0]?.path ?? "", message }];
  }
}

/** An id that says what was taken over: the same content twice is one entry. */
export function contentId(kind: string, text: string): string {
  return `${kind}-${sha256(text).slice(0, 16)}`;
}
