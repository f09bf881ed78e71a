import { Buffer } from "node:buffer";
import { sha256 } from "../../base/digest.ts";
import { ifInTheWay, MemoryError } from "../../base/errors.ts";
import type {
  ByteRange,
  CommitOutcome,
  FileBytes,
  FileChange,
  FileEntry,
  Files,
  FileStamp,
} from "../../platform/files.ts";
import { movedPath, archiveFolder, memoryFolder } from "../model/period.ts";
import { dayOfPart, largestMoved, parseMovedFile, type MovedLogs } from "../model/moved-format.ts";
import { ArchivedParts, partDamaged, layOutLog, type LogLayout, type PlacedNote } from "./log-layout.ts";
import { changedMeanwhile } from "./raw-logs.ts";
import { stampMark, type WholeLogs, realFilesOf, type TreeMemory } from "../memory.ts";
import { greatest } from "../../base/lists.ts";

/**
 * Returns the memory with files that show whole logs, or `memory` itself if it shows none and no log was shortened.
 * Errors: `io`.
 */
export async function presentLogs<Seen extends TreeMemory>(memory: Seen, files: Files): Promise<Seen> {
  const known = knownOf(files);
  known.record = await readMovedRecord(files, known.record);
  const isPlain = known.record.logs.size === 0 && known.record.problem === undefined;
  if (isPlain && files === memory.files) return memory;
  // Not a copy: some properties of a memory are getters, evaluated only when used.
  return Object.create(memory, { files: { value: new LogicalFiles(files, known), enumerable: true } }) as Seen;
}

interface Known {
  record: MovedRecord;
  readonly parts: ArchivedParts;
  readonly layouts: Map<string, { readonly of: string; readonly layout: LogLayout | undefined }>;
}

const knownByFiles = new WeakMap<Files, Known>();

function knownOf(files: Files): Known {
  const known = knownByFiles.get(files) ?? { record: none, parts: new ArchivedParts(files), layouts: new Map() };
  knownByFiles.set(files, known);
  return known;
}

class LogicalFiles implements WholeLogs {
  readonly id: string;
  readonly real: Files;
  readonly #known: Known;

  constructor(real: Files, known: Known) {
    this.id = real.id;
    this.real = real;
    this.#known = known;
  }

  async list(dir: string): Promise<readonly FileEntry[]> {
    const entries = await this.real.list(dir);
    if (dir !== memoryFolder) return entries;
    const { logs, unknown } = this.#known.record;
    if (logs.size === 0 && unknown.size === 0) return entries;
    const archived = logs.size === 0 ? [] : await this.real.list(archiveFolder);
    const parts = new Map(archived.map((entry) => [`${archiveFolder}/${entry.name}`, entry]));
    const whole: FileEntry[] = [];
    for (const entry of entries) whole.push(await this.#entry(entry, parts));
    return whole;
  }

  names(dir: string): Promise<readonly string[]> {
    return this.real.names(dir);
  }

  async read(path: string, range?: ByteRange): Promise<FileBytes | undefined> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const note = await this.#note(path);
      if (note === undefined) return this.real.read(path, range);
      const layout = await this.#layOut(note);
      if (layout === undefined) return this.real.read(path, range);
      const stamps: FileStamp[] = [];
      for (const step of layout.steps) stamps.push(await this.#known.parts.check(path, step));
      const bytes = await this.#bytes(note, layout, range ?? { from: 0, to: layout.size });
      if (bytes !== undefined) return { bytes, size: layout.size, stamp: stampOf(note.stamp, layout, stamps) };
    }
    throw changedMeanwhile(path);
  }

  append(path: string, bytes: Uint8Array): Promise<FileStamp> {
    return this.real.append(path, bytes);
  }

  commit(changes: readonly FileChange[]): Promise<readonly CommitOutcome[]> {
    return this.real.commit(changes);
  }

  async settle(): Promise<void> {
    await this.real.settle?.();
  }

  async layout(path: string): Promise<LogLayout | undefined> {
    const note = await this.#note(path);
    return note === undefined ? undefined : this.#layOut(note);
  }

  /** A note with recorded steps; `undefined` for any other or missing file. Throws if the record cannot be read. */
  async #note(path: string): Promise<PlacedNote | undefined> {
    const { logs, unknown, problem } = this.#known.record;
    if (problem !== undefined && unknown.has(path)) {
      const message = `${path} was shortened by an audit, and its original cannot be determined: ${problem.message}`;
      throw new MemoryError("archive_damaged", message, { path, record: movedPath });
    }
    if (!logs.has(path)) return undefined;
    const head = await this.real.read(path, { from: 0, to: 0 });
    return head === undefined ? undefined : { path, size: head.size, stamp: head.stamp };
  }

  async #layOut(note: PlacedNote): Promise<LogLayout | undefined> {
    const { logs, stamp } = this.#known.record;
    const of = `${note.stamp} ${stamp}`;
    const known = this.#known.layouts.get(note.path);
    if (known?.of === of) return known.layout;
    const steps = logs.get(note.path) ?? [];
    const layout = await layOutLog(this.real, this.#known.parts, note, steps);
    this.#known.layouts.set(note.path, { of, layout });
    return layout;
  }

  /** The listing entry of a whole log. An unreadable log gets a stamp unknown to any cache; reading it reports why. */
  async #entry(entry: FileEntry, parts: ReadonlyMap<string, FileEntry>): Promise<FileEntry> {
    const path = `${memoryFolder}/${entry.name}`;
    const { logs, unknown } = this.#known.record;
    if (entry.kind !== "file" || !(logs.has(path) || unknown.has(path))) return entry;
    const damaged = { ...entry, size: Math.max(1, entry.size), stamp: `${entry.stamp}${stampMark}damage` };
    if (unknown.has(path)) return damaged;
    try {
      const layout = await this.#layOut({ path, size: entry.size, stamp: entry.stamp });
      if (layout === undefined) return entry;
      const own = layout.steps.map((step) => {
        const part = parts.get(step.part);
        if (part?.kind === "file" && part.size === step.before.bytes) return part;
        throw partDamaged(path, step, "is missing or not as recorded");
      });
      const changedAt = greatest([entry.changedAt, ...own.map((part) => part.changedAt)]);
      const stamps = own.map((part) => part.stamp);
      return { ...entry, size: layout.size, stamp: stampOf(entry.stamp, layout, stamps), changedAt };
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      return damaged;
    }
  }

  /** `undefined` if the note changed since it was laid out. */
  async #bytes(note: PlacedNote, layout: LogLayout, range: ByteRange): Promise<Uint8Array | undefined> {
    const read: Uint8Array[] = [];
    let at = 0;
    for (const { size, from: start, step, lines } of layout.pieces) {
      const [from, to] = [Math.max(0, range.from - at), Math.min(size, range.to - at)];
      at += size;
      if (from >= to) continue;
      const own = { from: start + from, to: start + to };
      if (lines !== undefined) read.push(lines.bytes.subarray(from, to));
      else if (step !== undefined) read.push((await this.#known.parts.read(note.path, step, own)).bytes);
      else {
        const tail = await this.real.read(note.path, own);
        if (tail?.stamp !== note.stamp) return undefined;
        read.push(tail.bytes);
      }
    }
    return Buffer.concat(read);
  }
}

/** A note that keeps changing while it is read is left for the next run. */
const mostAttempts = 3;

function stampOf(note: FileStamp, { steps }: LogLayout, parts: readonly FileStamp[]): FileStamp {
  const made = steps.map(({ part, before, after }, index) => [part, before.sha256, after.sha256, parts[index]]);
  return `${note}${stampMark}${sha256(JSON.stringify(made)).slice(0, 16)}`;
}

export interface MovedRecord {
  readonly logs: MovedLogs;
  /** The stamp of the record file; `undefined` if there is none. */
  readonly stamp: FileStamp | undefined;
  /** Why the record cannot be read; then `logs` is empty. */
  readonly problem: MemoryError | undefined;
  /** With a problem: the logs that have archived parts, so their original content is unknown. */
  readonly unknown: ReadonlySet<string>;
}

const none: MovedRecord = { logs: new Map(), stamp: undefined, problem: undefined, unknown: new Set() };

/**
 * Reads the record with a single read. Any fault goes into `problem`. `known`: the previous result, reused while the
 * file has the same stamp.
 */
export async function readMovedRecord(files: Files, known: MovedRecord = none): Promise<MovedRecord> {
  let stamp: FileStamp | undefined;
  try {
    const read = await files.read(movedPath, { from: 0, to: largestMoved });
    if (read === undefined) return none;
    stamp = read.stamp;
    if (stamp === known.stamp && known.problem === undefined) return known;
    return { ...none, stamp, logs: parseMovedFile(read) };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const unknown = await logsWithParts(files);
    return unknown === undefined ? none : { ...none, stamp: stamp ?? "", problem: error, unknown };
  }
}

/** `undefined` if a file or a link is in place of the archive folder. */
async function logsWithParts(files: Files): Promise<ReadonlySet<string> | undefined> {
  const entries = await files.list(archiveFolder).catch(ifInTheWay(() => undefined));
  if (entries === undefined) return undefined;
  const days = entries.map(({ name }) => dayOfPart(`${archiveFolder}/${name}`));
  return new Set(days.flatMap((day) => (day === undefined ? [] : [`${memoryFolder}/${day}.md`])));
}

export interface ArchiveFault {
  readonly code: string;
  /** The log that the part belongs to, or the record. */
  readonly path: string;
  readonly message: string;
}

/** Finds shortened notes that are missing from the record, whose steps are in `logs`. */
export type FindLostRecords = (
  memory: Pick<TreeMemory, "files">,
  logs: MovedLogs,
) => Promise<readonly { readonly path: string; readonly message: string }[]>;

/** Verifies the record and the digest of every part it names. `logs`: the number of recorded logs. Errors: `io`. */
export async function findArchiveFaults(
  memory: TreeMemory,
  findLostRecords: FindLostRecords,
): Promise<{ readonly logs: number; readonly faults: readonly ArchiveFault[] }> {
  const files = realFilesOf(memory.files);
  const { logs, problem, unknown } = await readMovedRecord(files);
  const faults: ArchiveFault[] = [];
  if (problem !== undefined) {
    const { code, message } = problem;
    const left = unknown.size === 0 ? "" : ` Until then ${unknown.size} logs with parts in the archive are not read.`;
    faults.push({ code, path: movedPath, message: `${message}${left}` });
  }
  const parts = new ArchivedParts(files);
  for (const [path, steps] of logs)
    for (const step of steps)
      try {
        await parts.check(path, step);
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        faults.push({ code: error.code, path, message: error.message });
      }
  const lost = problem === undefined ? await findLostRecords({ files }, logs) : [];
  for (const { path, message } of lost) faults.push({ code: "archive_damaged", path, message });
  return { logs: logs.size, faults };
}
