import { MemoryError } from "../base/errors.ts";
import { sha256 } from "../base/digest.ts";
import type { Files } from "../ports/files.ts";
import { printEntry, type Entry } from "../tree/entry-format.ts";
import { EntryScan, type EntryScanEnd } from "../tree/entry-scan.ts";
import { memoryFolder } from "../tree/period.ts";
import type { Memory } from "./memory.ts";
import { encode } from "./node-files.ts";
import { readPieces } from "./raw-logs.ts";
import { readStateFile, writeStateFile } from "./state-file.ts";

/** Where an entry stands after it was appended. */
export interface Appended {
  readonly action: "added" | "duplicate";
  readonly path: string;
  readonly lines: readonly [number, number];
  /** Why the state file could not count it, although it is on disk; empty when it did, or was not asked to. */
  readonly uncounted: string;
}

/** How long an append waits for others. Milliseconds. */
const appendWait = 60_000;

/**
 * Appends entries to a day's log, each once: an id that stands there already is a duplicate. `counted`: the state file counts them for the gate.
 * Returned means on disk. The texts must be redacted.
 */
export async function appendEntries(
  memory: Memory,
  day: string,
  entries: readonly Entry[],
  options: { readonly holder: string; readonly counting: "counted" | "uncounted" },
): Promise<readonly Appended[]> {
  const lease = await memory.locks.acquire("append", { holder: options.holder, waitMs: appendWait });
  try {
    const appended: Appended[] = [];
    for (const entry of entries) appended.push(await appendOne(memory, day, entry));
    const added = appended.filter((one) => one.action === "added");
    if (options.counting === "uncounted" || added.length === 0) return appended;
    const uncounted = await count(memory, added);
    return appended.map((one) => ({ ...one, uncounted }));
  } finally {
    await lease.release();
  }
}

async function appendOne(memory: Memory, day: string, entry: Entry): Promise<Appended> {
  const path = `${memoryFolder}/${day}.md`;
  const log = await scanForEntry(memory.files, path, entry);
  if (log.place !== undefined) {
    // Who wrote it may have died before its sync, and returned means on disk.
    await memory.files.append(path, new Uint8Array(0));
    return { action: "duplicate", path, lines: log.place, uncounted: "" };
  }
  const lines = printEntry(entry);
  const open = log.ending === "open" ? [""] : [];
  const lead = log.content === "blank" ? [`# ${day}`, ""] : [...open, ...(log.lastLine === "blank" ? [] : [""])];
  await memory.files.append(path, encode([...lead, ...lines, ""].join(log.lineEnd)));
  const first = log.lines + lead.length + 1 - open.length;
  return { action: "added", path, lines: [first, first + lines.length - 1], uncounted: "" };
}

/** Reads a log, which may be large or not there, for an entry. */
export async function scanForEntry(files: Files, path: string, entry: Entry): Promise<EntryScanEnd> {
  const scan = new EntryScan(entry);
  for await (const piece of readPieces(files, path)) if (piece !== undefined) scan.push(piece.bytes);
  return scan.end();
}

/** The entries are on disk already: that they could not be counted must not look as if they were not. */
async function count(memory: Memory, added: readonly Appended[]): Promise<string> {
  const lines = added.reduce((sum, one) => sum + one.lines[1] - one.lines[0] + 1, 0);
  try {
    const state = await readStateFile(memory);
    await writeStateFile(memory, { ...state, rawLines: state.rawLines + lines, entries: state.entries + added.length });
    return "";
  } catch (error) {
    if (error instanceof MemoryError) return error.message;
    throw error;
  }
}

/** An id that says what was taken over: the same content twice is one entry. */
export function contentId(kind: string, text: string): string {
  return `${kind}-${sha256(text).slice(0, 16)}`;
}
