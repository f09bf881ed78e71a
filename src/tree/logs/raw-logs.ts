import { Buffer } from "node:buffer";
import { ifMemoryError, MemoryError } from "../../base/errors.ts";
import { SecretValues } from "../../text/redact/known-secrets.ts";
import { SecretScan } from "../compose/secrets.ts";
import type { PrefixMark, RawLog } from "../model/tree-state.ts";
import type { FileBytes, Files, FileStamp } from "../../platform/files.ts";
import { memoryFolder } from "../model/period.ts";
import { LogWindows, RawScan, type RawScanEnd, type RawWindow, windowBytes } from "../model/raw-scan.ts";
import { createDigest } from "../../base/digest.ts";
import { SectionReader, type LogSection, type WantedHeads } from "../model/log-sections.ts";
import type { LineSpan } from "../model/node-sections.ts";

/**
 * Scans a raw log in bounded memory and passes its windows to `onWindow`. `upTo`: scans only this many bytes.
 * `grouping`: overrides the one derived from the number of sections. Returns `undefined` if there is no such file.
 * Errors: `changed_by_other` if it changed while being read.
 */
export async function scanLog(
  files: Files,
  path: string,
  options: {
    readonly upTo?: number;
    readonly grouping?: number;
    readonly onWindow?: (window: RawWindow) => void;
  } = {},
): Promise<LogScan | undefined> {
  const scan = new RawScan(path);
  const stamp = await readSteady(files, path, options.upTo, (bytes) => {
    for (const window of scan.push(bytes)) options.onWindow?.(window);
  });
  if (stamp === undefined) return undefined;
  for (const window of scan.finish()) options.onWindow?.(window);
  return { ...scan.end(options.grouping), stamp };
}

/**
 * Reads only the lines of a log, window by window, and returns its stamp. `undefined` if it is missing or unreadable,
 * which the run reports when it composes the day.
 */
export async function readLogTexts(
  files: Files,
  path: string,
  take: (lines: readonly string[]) => void,
): Promise<FileStamp | undefined> {
  const windows = new LogWindows();
  const stamp = await readSteady(files, path, undefined, (bytes) => {
    for (const { lines } of windows.push(bytes)) if (lines.length > 0) take(lines.map(({ text }) => text));
  }).catch(ifMemoryError(() => undefined));
  if (stamp !== undefined) for (const { lines } of windows.end()) take(lines.map(({ text }) => text));
  return stamp;
}

/** The secrets of the whole memory: a secret found in one log is removed from every derived file. */
export interface KnownSecrets {
  readonly values: SecretValues;
  readonly without: ReadonlyMap<string, FileStamp>;
}

export async function readSecretsOfLogs(
  files: Files,
  logs: readonly Pick<RawLog, "path" | "secrets">[],
): Promise<KnownSecrets> {
  const found = new Map<string, LogSecrets>();
  for (const { path, secrets } of logs) if (secrets !== "none") found.set(path, await readSecretsOfLog(files, path));
  return joinSecrets(found);
}

/** `without`: its stamp, if it has none. */
export interface LogSecrets {
  readonly kinds: SecretValues["kinds"];
  readonly without: FileStamp | undefined;
}

export async function readSecretsOfLog(files: Files, path: string): Promise<LogSecrets> {
  const own = new SecretValues();
  const scan = new SecretScan(own);
  const stamp = await readLogTexts(files, path, (lines) => void scan.add(lines));
  return { kinds: own.kinds, without: scan.hasFound || own.size > 0 ? undefined : stamp };
}

/** By path, in the order of the logs. */
export function joinSecrets(found: Iterable<readonly [string, LogSecrets]>): KnownSecrets {
  const values = new SecretValues();
  const without = new Map<string, FileStamp>();
  for (const [path, { kinds, without: stamp }] of found) {
    if (stamp !== undefined) without.set(path, stamp);
    values.addAll({ kinds });
  }
  return { values, without };
}

async function readSteady(
  files: Files,
  path: string,
  upTo: number | undefined,
  take: (bytes: Uint8Array) => void,
): Promise<FileStamp | undefined> {
  let stamp: FileStamp | undefined;
  for await (const read of readPieces(files, path, upTo)) {
    if (read === undefined) return undefined;
    stamp ??= read.stamp;
    if (read.stamp !== stamp && upTo === undefined) throw changedMeanwhile(path);
    take(read.bytes);
  }
  return stamp;
}

/** The sections of a log, with the beginnings that are wanted; none if it is missing. */
export async function readSections(files: Files, path: string, wanted: WantedHeads): Promise<readonly LogSection[]> {
  const reader = new SectionReader(wanted);
  const end = await scanLog(files, path, { onWindow: (window) => reader.add(window) });
  return end === undefined ? [] : reader.end(end.source.bytes);
}

/** As `readSections`, for a log in memory. */
export function sectionsOf(path: string, log: Uint8Array, wanted: WantedHeads): readonly LogSection[] {
  const [scan, reader] = [new RawScan(path), new SectionReader(wanted)];
  for (let from = 0; from < log.length; from += windowBytes)
    for (const window of scan.push(log.subarray(from, from + windowBytes))) reader.add(window);
  for (const window of scan.finish()) reader.add(window);
  return reader.end(log.length);
}

/** The digests of a file's prefixes at these lengths; skips lengths beyond its size. */
export async function readMarks(
  files: Files,
  path: string,
  lengths: readonly number[],
): Promise<readonly PrefixMark[]> {
  const wanted = [...new Set(lengths)].toSorted((a, b) => a - b);
  const digest = createDigest();
  const found: PrefixMark[] = [];
  let [bytes, line] = [0, 1];
  for await (const piece of readPieces(files, path, wanted.at(-1) ?? 0)) {
    for (let rest = bufferOf(piece?.bytes); rest.length > 0 && found.length < wanted.length;) {
      const part = rest.subarray(0, (wanted[found.length] ?? 0) - bytes);
      rest = rest.subarray(part.length);
      digest.update(part);
      bytes += part.length;
      for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) line += 1;
      if (bytes === wanted[found.length])
        found.push({ bytes, sha256: digest.peek(), line, ending: part.at(-1) === 10 ? "closed" : "open" });
    }
  }
  return found;
}

export function logPath(log: string): string {
  return `${memoryFolder}/${log}.md`;
}

/** The bytes of a file, or its first `upTo`, in pieces of 1 MiB; `undefined` if missing. */
export async function* readPieces(
  files: Files,
  path: string,
  upTo: number = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<FileBytes | undefined> {
  for (let from = 0; ; from += windowBytes) {
    const to = Math.min(from + windowBytes, upTo);
    const read = await files.read(path, { from, to });
    yield read;
    if (read === undefined || to >= Math.min(read.size, upTo)) return;
  }
}

export interface LogScan extends RawScanEnd {
  readonly stamp: FileStamp;
}

export function changedMeanwhile(path: string): MemoryError {
  const message = `${path} changed while it was being read: the next run will process it.`;
  return new MemoryError("changed_by_other", message, { path });
}

/** Whether a file contains only white space; reads no more than necessary. */
export async function isBlankFile(files: Files, path: string, size: number): Promise<boolean> {
  const head = await files.read(path, { from: 0, to: Math.min(size, 4096) });
  if (head === undefined) return true;
  if (!head.bytes.every((byte) => whiteBytes.has(byte))) return false;
  return size <= 4096 || (await scanLog(files, path))?.content === "blank";
}

/** Includes the bytes of a byte order mark. */
const whiteBytes: ReadonlySet<number> = new Set([32, 9, 10, 11, 12, 13, 0xef, 0xbb, 0xbf]);

/** How many bytes of a text are kept: more than is ever shown, with room for redaction. */
const keptBytes = 64 * 1024;

/**
 * Reads spans of lines in bounded memory. For each span: the SHA-256 of its bytes including line endings, the beginning
 * of its text, and whether all its lines exist. `spans` are ascending and disjoint. `text`: `left` if only the digests
 * are needed.
 */
export async function readLines(files: Files, path: string, spans: readonly LineSpan[], text: "kept" | "left") {
  const most = text === "kept" ? keptBytes : 0;
  // `last`: the last line with at least one byte.
  const reads = spans.map((span) => ({ span, digest: createDigest(), kept: [] as Buffer[], bytes: 0, last: 0 }));
  let line = 1;
  let index = 0;
  for await (const piece of readPieces(files, path)) {
    const bytes = bufferOf(piece?.bytes);
    for (let from = 0; from < bytes.length;) {
      const read = reads[index];
      if (read === undefined) break;
      const end = bytes.indexOf(10, from);
      const own = bytes.subarray(from, end < 0 ? undefined : end + 1);
      if (line >= read.span.from) {
        read.digest.update(own);
        if (read.bytes < most) read.kept.push(Buffer.from(own.subarray(0, most - read.bytes)));
        read.bytes += own.length;
        read.last = line;
      }
      from += own.length;
      if (end < 0) break;
      if (line === read.span.to) index += 1;
      line += 1;
    }
    if (index >= reads.length) break;
  }
  return reads.map(({ span, digest, kept, bytes, last }) => {
    const text = Buffer.concat(kept).toString("utf8");
    return {
      sha256: digest.peek(),
      text: bytes > most ? withoutLastWord(text) : text,
      extent: last >= span.to ? "whole" : "cut",
    };
  });
}

/** A truncated text may end in the middle of a secret, which would not be recognized. */
function withoutLastWord(text: string): string {
  const space = text.search(/\s\S*$/u);
  return space < 0 ? text : text.slice(0, space + 1);
}

function bufferOf(bytes: Uint8Array | undefined): Buffer {
  return bytes === undefined ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
