import { Buffer } from "node:buffer";
import { sha256, shortDigest } from "../../base/digest.ts";
import { splitLines } from "../../base/lines.ts";
import { compareTexts } from "../../base/lists.ts";
import { scanLines } from "../../base/markdown.ts";
import { parseEntryComment, topicKey, type MemoryType } from "../../base/memory-type.ts";
import type {
  ByteRange,
  CommitOutcome,
  FileBytes,
  FileChange,
  FileEntry,
  Files,
  FileStamp,
} from "../../platform/files.ts";
import { keepPins, layoutOf, realFilesOf, stampMark, type TreeMemory, type WholeLogs } from "../memory.ts";
import { EntryScan, timeOfId } from "../model/entry-format.ts";
import { memoryFolder, recordsPath } from "../model/period.ts";
import {
  inForce,
  type ChangeRecord,
  type PinnedRecord,
  type RemovedRecord,
  type RenamedRecord,
} from "../model/records-format.ts";
import { SectionCutter } from "../model/section-cutter.ts";
import type { LogLayout } from "./log-layout.ts";
import { readRecords } from "./records.ts";

/** What was decided about one log. */
interface LogChanges {
  readonly removed: readonly RemovedRecord[];
  readonly renamed: readonly RenamedRecord[];
  /** Renames, also undone ones, that gave an earlier name of a topic in the log to another topic. */
  readonly given: readonly RenamedRecord[];
  /** If a name was given again: the edits that added entries to the log. */
  readonly edits: readonly RemovedRecord[];
  /** Identifies them. */
  readonly digest: string;
}

type Changes = ReadonlyMap<string, LogChanges>;

/**
 * Returns the memory with files that show logs as they were changed by `log edit`, `log remove` and `topic rename`, or
 * `memory` itself if none was. Every line keeps its number: a removed line is empty. Errors: `io`.
 */
export async function presentChanges<Seen extends TreeMemory>(memory: Seen): Promise<Seen> {
  const changes = await readChanges(realFilesOf(memory.files));
  if (changes.size === 0) return memory;
  return Object.create(memory, { files: { value: new ChangedFiles(memory.files, changes), enumerable: true } }) as Seen;
}

const knownByFiles = new WeakMap<
  Files,
  { readonly stamp: FileStamp; readonly changes: Changes; readonly pins: readonly PinnedRecord[] }
>();

async function readChanges(files: Files): Promise<Changes> {
  const head = await files.read(recordsPath, { from: 0, to: 0 });
  const known = knownByFiles.get(files);
  if (head === undefined) {
    keepPins(files, []);
    return new Map();
  }
  const read = known?.stamp === head.stamp ? known : { ...seenIn(await readRecords(files)), stamp: head.stamp };
  knownByFiles.set(files, read);
  keepPins(files, read.pins);
  return read.changes;
}

function seenIn(records: readonly ChangeRecord[]) {
  const pins = inForce(records).flatMap((one) => (one.kind === "pinned" ? [one] : []));
  return { changes: changesOf(records), pins };
}

function changesOf(records: readonly ChangeRecord[]): Changes {
  const byLog = new Map<string, { removed: RemovedRecord[]; renamed: RenamedRecord[] }>();
  const of = (log: string) => {
    const own = byLog.get(log) ?? { removed: [], renamed: [] };
    byLog.set(log, own);
    return own;
  };
  const valid = new Set(inForce(records));
  for (const record of records) {
    // The entry that replaced another one goes when that is undone.
    if (record.kind === "removed" && !valid.has(record) && record.by !== undefined)
      of(logOfDay(record.log)).removed.push({ ...record, section: record.by });
    if (!valid.has(record)) continue;
    if (record.kind === "removed") of(record.log).removed.push(record);
    // A part of the log that another clone moved to the archive may still have it.
    if (record.kind === "forgotten" && record.entry !== undefined && !record.place.startsWith("thread:"))
      of(record.place).removed.push({ ...record, kind: "removed", log: record.place, section: record.entry });
    if (record.kind === "renamed") for (const log of record.logs) of(log).renamed.push(record);
  }
  const renamings = records.filter((one) => one.kind === "renamed");
  return new Map(
    Array.from(byLog, ([log, own]) => {
      const names = new Set(own.renamed.map(({ from }) => topicKey(from)));
      const given = renamings.filter(({ to }) => names.has(topicKey(to)));
      const edits = given.length === 0 ? [] : records.filter((one) => isEditIn(log, one));
      const all = { ...own, given, edits } as const;
      return [log, { ...all, digest: shortDigest(sha256(JSON.stringify(all))) }] as const;
    }),
  );
}

function isEditIn(log: string, record: ChangeRecord): record is RemovedRecord {
  return record.kind === "removed" && record.by !== undefined && logOfDay(record.log) === log;
}

/** The log to which entries of that log's day are appended. */
function logOfDay(log: string): string {
  return `${log.slice(0, memoryFolder.length + 11)}.md`;
}

class ChangedFiles implements WholeLogs {
  readonly id: string;
  readonly real: Files;
  /** As written: shortened logs are whole. */
  readonly #whole: Files;
  readonly #changes: Changes;
  readonly #read = new Map<string, { readonly stamp: FileStamp; readonly bytes: Uint8Array }>();

  constructor(whole: Files, changes: Changes) {
    this.id = whole.id;
    this.real = realFilesOf(whole);
    this.#whole = whole;
    this.#changes = changes;
  }

  async list(dir: string): Promise<readonly FileEntry[]> {
    const entries = await this.#whole.list(dir);
    if (dir !== memoryFolder) return entries;
    const seen: FileEntry[] = [];
    for (const entry of entries) {
      const path = `${memoryFolder}/${entry.name}`;
      const own = entry.kind === "file" ? this.#changes.get(path) : undefined;
      if (own === undefined) {
        seen.push(entry);
        continue;
      }
      const stamp = stampWith(entry.stamp, own);
      const size = this.#read.get(path)?.stamp === stamp ? (await this.#seen(path, own))?.bytes.length : undefined;
      seen.push({ ...entry, stamp, size: size ?? Math.max(1, entry.size) });
    }
    return seen;
  }

  names(dir: string): Promise<readonly string[]> {
    return this.#whole.names(dir);
  }

  async read(path: string, range?: ByteRange): Promise<FileBytes | undefined> {
    const own = this.#changes.get(path);
    if (own === undefined) return this.#whole.read(path, range);
    const seen = await this.#seen(path, own);
    if (seen === undefined) return undefined;
    const { bytes, stamp } = seen;
    return { bytes: range === undefined ? bytes : bytes.subarray(range.from, range.to), size: bytes.length, stamp };
  }

  append(path: string, bytes: Uint8Array): Promise<FileStamp> {
    return this.#whole.append(path, bytes);
  }

  commit(changes: readonly FileChange[]): Promise<readonly CommitOutcome[]> {
    return this.#whole.commit(changes);
  }

  async settle(): Promise<void> {
    await this.#whole.settle?.();
  }

  layout(path: string): Promise<LogLayout | undefined> {
    return layoutOf(this.#whole, path);
  }

  async #seen(path: string, own: LogChanges) {
    const head = await this.#whole.read(path, { from: 0, to: 0 });
    if (head === undefined) return undefined;
    const known = this.#read.get(path);
    if (known?.stamp === stampWith(head.stamp, own)) return known;
    const read = await this.#whole.read(path);
    if (read === undefined) return undefined;
    const seen = { stamp: stampWith(read.stamp, own), bytes: applyChanges(path, read.bytes, own) };
    this.#read.set(path, seen);
    return seen;
  }
}

function stampWith(stamp: FileStamp, { digest }: LogChanges): FileStamp {
  return `${stamp}${stampMark}${digest}`;
}

/** An entry or another section of a log, with the lines it takes, 1-based. */
export interface LogEntry {
  readonly lines: readonly [number, number];
  /** The id of the entry, else the first 16 digits of the digest of its lines. */
  readonly key: string;
  /** When it was written, in milliseconds, as far as its id or its time says. */
  readonly written: number | undefined;
  /** Empty if it has none. */
  readonly topic: string;
  readonly type: MemoryType;
}

/** The entries and other sections of a log, without their blank lines at the end. */
export function entriesIn(texts: readonly string[]): readonly LogEntry[] {
  const kinds = scanLines(texts).lines;
  const rows = texts.map((text, index) => ({ number: index + 1, text, kind: kinds[index]?.kind ?? ("text" as const) }));
  const starts = new SectionCutter("").cut(rows).flatMap(({ lines, topic, type }) => {
    const from = lines[0]?.number;
    return from === undefined ? [] : [{ from, topic, type }];
  });
  return starts.flatMap(({ from, topic, type }, index): readonly LogEntry[] => {
    let to = (starts[index + 1]?.from ?? texts.length + 1) - 1;
    while (to >= from && texts[to - 1]?.trim() === "") to -= 1;
    if (to < from) return [];
    const own = texts.slice(from - 1, to);
    const comment = parseEntryComment(own[1] ?? "");
    const key = comment?.id ?? shortDigest(sha256(own.join("\n")));
    const written = comment && (timeOfId(comment.id) ?? Date.parse(comment.at));
    return [{ lines: [from, to], key, written, topic, type }];
  });
}

/** The lines of a log. A line that is not UTF-8 is empty. */
export function logTexts(bytes: Uint8Array): readonly string[] {
  return splitLines(bytes.subarray(markIn(bytes))).map(({ text }) => text);
}

/** The size of a byte order mark. */
function markIn(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** The bytes of a log with its changes. Lines that do not change keep their bytes. */
function applyChanges(path: string, bytes: Uint8Array, { removed, renamed, given, edits }: LogChanges): Uint8Array {
  const mark = markIn(bytes);
  const rest = bytes.subarray(mark);
  const lines = splitLines(rest);
  const texts = lines.map(({ text }) => text);
  // An edit that a crash interrupted has no new entry yet, or only a part of it.
  const isDone = ({ log, by }: RemovedRecord): boolean =>
    by === undefined || logOfDay(log) !== path || isWhole(bytes, by);
  const gone = new Set(removed.filter(isDone).map(({ section }) => section));
  const edited = new Map(edits.map((record) => [record.by ?? "", timeOf(record)]));
  const shown = new Map<number, string>();
  for (const entry of entriesIn(texts)) {
    const { lines: place, key, topic } = entry;
    const [from, to] = place;
    const [heading = ""] = texts.slice(from - 1, from);
    const written = edited.get(key) ?? entry.written;
    if (gone.has(key)) for (let line = from; line <= to; line++) shown.set(line, "");
    else if (topic !== "") shown.set(from, renamedHeading(heading, { ...entry, written }, { renamed, given }));
  }
  const parts = lines.map(({ text, from, to }, index) => {
    const now = shown.get(index + 1);
    if (now === undefined || now === text) return rest.subarray(from, to);
    const ending = rest[to - 1] !== 10 ? "" : rest[to - 2] === 13 && to - 2 >= from ? "\r\n" : "\n";
    return Buffer.from(`${now}${ending}`);
  });
  return Buffer.concat([bytes.subarray(0, mark), ...parts]);
}

function isWhole(log: Uint8Array, id: string): boolean {
  const scan = new EntryScan(new Map([[id, ""]]));
  scan.push(log);
  return scan.end().found.get(id)?.state === "whole";
}

/** The heading with the current name of its topic. Renames from before its name was given to another topic do not apply to entries written since. */
function renamedHeading(
  heading: string,
  { topic, type, written }: Pick<LogEntry, "topic" | "type" | "written">,
  { renamed, given }: Pick<LogChanges, "renamed" | "given">,
): string {
  const since = given.findLast(
    (one) => topicKey(one.to) === topicKey(topic) && written !== undefined && timeOf(one) < written,
  );
  let [now, name] = [heading, topic];
  for (const { id, from, to } of renamed) {
    if (topicKey(name) !== topicKey(from) || (since !== undefined && compareTexts(id, since.id) <= 0)) continue;
    const marks = /^#+(?= )/u.exec(now)?.[0];
    if (now.includes(name)) now = now.replace(name, () => to);
    else if (marks !== undefined) now = `${marks} ${to} [${type}]`;
    name = to;
  }
  return now;
}

/** When a record was made, in milliseconds. */
function timeOf({ id, at }: ChangeRecord): number {
  return timeOfId(id) ?? Date.parse(at);
}
