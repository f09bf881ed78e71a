import { ifMemoryError } from "../../base/errors.ts";
import { repeats, sentencesSaid, type Said } from "../../text/corrected.ts";
import { redact } from "../../text/redact/redact.ts";
import type { FileStamp, Files } from "../../platform/files.ts";
import type { LogEntry } from "../../tree/logs/changed-logs.ts";
import { knownPins, realFilesOf, withWholeLogs } from "../../tree/memory.ts";
import type { PinnedRecord } from "../../tree/model/records-format.ts";
import type { IndexPlace } from "../index/search-index.ts";
import type { PreparedIndex, RecallMemory } from "../memory.ts";
import { correctionsIn, type CorrectedBy } from "./corrections.ts";

/** What recall gives first or never, where it is now. */
export interface Pins {
  /** Places that are given first if they match the message at all. */
  readonly first: readonly IndexPlace[];
  /** Whether a row overlaps a place that is never recalled, or is its copy: the same words are in a log and in a thread. */
  isNever(row: IndexPlace & { readonly text: string }): boolean;
}

export const noPins: Pins = { first: [], isNever: () => false };

/** The pins of a memory whose sources were just listed. Without any, it reads nothing. Errors: `io`. */
export async function pinsIn(memory: RecallMemory): Promise<Pins> {
  const records = knownPins(memory);
  if (records.length === 0) return noPins;
  const placed = await placesOf(memory, records);
  const never = placed.filter(({ record }) => record.use === "never");
  const isOver = (row: IndexPlace): boolean => never.some((one) => overlaps(row, one));
  return {
    first: placed.filter((one) => one.record.use === "first" && !isOver(one)),
    isNever: (row) =>
      isOver(row) ||
      never.some(({ source, said }) => isThread(row.source) !== isThread(source) && repeats(row.text, said)),
  };
}

/** What corrections and pins leave out of recall: for each row, the reason, or `undefined`. */
export async function leftOutIn(memory: RecallMemory, prepared: PreparedIndex, pins: Pins): Promise<CorrectedBy> {
  const correctedBy = await correctionsIn(memory, prepared);
  if (pins === noPins) return correctedBy;
  return (row) => (pins.isNever(row) ? "never" : correctedBy(row));
}

export function overlaps(a: IndexPlace, b: IndexPlace): boolean {
  return a.source === b.source && a.lines[0] <= b.lines[1] && b.lines[0] <= a.lines[1];
}

function isThread(source: string): boolean {
  return source.startsWith("thread:");
}

/** Where the lines of a record are now. */
export interface PlacedPin extends IndexPlace {
  readonly record: PinnedRecord;
  readonly said: readonly Said[];
  /** Redacted. */
  readonly text: string;
}

/** Finds where pinned lines are now: in a merged log, their entry may have moved. */
export async function placesOf(memory: RecallMemory, records: readonly PinnedRecord[]): Promise<readonly PlacedPin[]> {
  const found: PlacedPin[] = [];
  for (const record of records) {
    const { source } = record;
    const log = isThread(source) ? undefined : await readLog(memory, source);
    const lines = log === undefined ? record.lines : linesNow(record, log.entries);
    const said =
      log === undefined ? await messagesAt(memory, source, lines) : log.texts.slice(lines[0] - 1, lines[1]).join("\n");
    const text = redact(said).text;
    found.push({ record, source, lines, text, said: record.use === "never" ? sentencesSaid(text) : [] });
  }
  return found;
}

/** The lines within their entry. If a part of the entry was forgotten, all of it. */
export function linesNow(
  { lines, section, entry }: PinnedRecord,
  entries: readonly LogEntry[],
): readonly [number, number] {
  const now = section === undefined ? undefined : entries.find(({ key }) => key === section)?.lines;
  if (now === undefined || entry === undefined) return lines;
  if (now[1] - now[0] !== entry[1] - entry[0]) return now;
  return [lines[0] - entry[0] + now[0], lines[1] - entry[0] + now[0]];
}

interface ReadLog {
  readonly stamp: FileStamp;
  /** Redacted as a whole: a line of a private key is recognized by the lines before it. */
  readonly texts: readonly string[];
  readonly entries: readonly LogEntry[];
}

const logsByFiles = new WeakMap<Files, Map<string, ReadLog>>();
const nothing = { stamp: "", texts: [], entries: [] } as const;

/** A log as it was written, without renamings. Read once in a running process. */
export async function readLog(memory: RecallMemory, path: string): Promise<ReadLog> {
  const { files } = await withWholeLogs(memory);
  const known = logsByFiles.get(realFilesOf(files)) ?? new Map<string, ReadLog>();
  logsByFiles.set(realFilesOf(files), known);
  const head = await files.read(path, { from: 0, to: 0 }).catch(ifMemoryError(() => undefined));
  const before = known.get(path);
  if (head === undefined || before?.stamp === head.stamp) return before ?? nothing;
  const read = await files.read(path).catch(ifMemoryError(() => undefined));
  if (read === undefined) return nothing;
  // Imported lazily: most memories have no pins.
  const { entriesIn, logTexts } = await import("../../tree/logs/changed-logs.ts");
  const texts = logTexts(read.bytes);
  const clean = redact(texts.join("\n")).text.split("\n");
  const log = { stamp: read.stamp, texts: clean, entries: entriesIn(texts) };
  known.set(path, log);
  return log;
}

async function messagesAt(memory: RecallMemory, source: string, seqs: readonly [number, number]): Promise<string> {
  const read = await memory.threadReader.messages(source.slice("thread:".length), seqs).catch(ifMemoryError(() => []));
  return read.map(({ content }) => content).join("\n");
}
