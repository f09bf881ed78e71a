import { Buffer } from "node:buffer";
import { isDay } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { decodeText, splitLines, type FileLine } from "../../base/lines.ts";
import { shown } from "../../text/shown.ts";
import { movedPath } from "./period.ts";
import { parseEntryComment } from "../../base/memory-type.ts";
import { sha256 } from "../../base/digest.ts";
import { fields, isDigest, isObject, isText, listOf, oneOf, parseObject } from "../../base/json.ts";
import { compareTexts, isCount, least } from "../../base/lists.ts";
import { redact } from "../../text/redact/redact.ts";

export type MovedLogs = ReadonlyMap<string, readonly ShorteningStep[]>;

/** One shortening step. `part` is a full copy of the log before it. */
export interface ShorteningStep {
  readonly part: string;
  readonly before: BytesMark;
  readonly after: BytesMark;
  readonly change: { readonly kind: "cut"; readonly spans: readonly ByteSpan[] } | { readonly kind: "rotated" };
}

export interface BytesMark {
  readonly bytes: number;
  readonly sha256: string;
}

const version = 1;
/** The day of a note, parsed from its path; `undefined` for any other file. */
export function dayOfNote(path: string): string | undefined {
  return dayIn(/^memory\/(\d{4}-\d{2}-\d{2})\.md$/u.exec(path));
}

/** The day of the log that a part belongs to, parsed from its path; `undefined` for any other file. */
export function dayOfPart(path: string): string | undefined {
  return dayIn(/^memory\/archive\/(\d{4}-\d{2}-\d{2})\.full(?:-(?:[2-9]|[1-9]\d{1,5}))?\.md$/u.exec(path));
}

function dayIn(match: RegExpExecArray | null): string | undefined {
  const day = match?.[1] ?? "";
  return isDay(day) ? day : undefined;
}

export function printMoved(logs: MovedLogs): string {
  const entries = [...logs]
    .filter(([, steps]) => steps.length > 0)
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([path, steps]) => `${JSON.stringify(path)}: [\n${steps.map(printStep).join(",\n")}\n]`);
  return `{"version": ${version}, "logs": {\n${entries.join(",\n")}${entries.length > 0 ? "\n" : ""}}}\n`;
}

function printStep({ part, before, after, change }: ShorteningStep): string {
  const cut = change.kind === "cut" ? { cut: change.spans } : {};
  return JSON.stringify({ kind: change.kind, part, before: markOf(before), after: markOf(after), ...cut });
}

function markOf({ bytes, sha256 }: BytesMark): BytesMark {
  return { bytes, sha256 };
}

/** Maximum size of the record in bytes; one step takes about 500. */
export const largestMoved = 256 * 1024 * 1024;

/** Parses a record file; `bytes` may be limited to its first `largestMoved` bytes. Errors: any from `parseMoved`. */
export function parseMovedFile({ bytes, size }: { readonly bytes: Uint8Array; readonly size: number }): MovedLogs {
  if (size > largestMoved) throw damaged(`it has ${size} bytes, but a record may have at most ${largestMoved}`);
  return parseMoved(decodeText(bytes) ?? "");
}

/**
 * Parses a record. Errors: `newer_store` (a version unknown to this program), `archive_damaged` (the record is invalid,
 * or a path in it is not a daily log or not a part of that log).
 */
export function parseMoved(text: string): MovedLogs {
  const { version: found, logs } = parseObject(text) ?? {};
  if (typeof found === "number" && Number.isInteger(found) && found > version) {
    const message = `${movedPath} has version ${found}, but this program supports versions up to ${version}: use the newer heartwood that wrote it.`;
    throw new MemoryError("newer_store", message, { path: movedPath, version: found });
  }
  if (found !== version || !isObject(logs)) throw damaged(`it is not a JSON object of version ${version} with "logs"`);
  return new Map(Object.entries(logs).map(([path, steps]) => [path, parseSteps(path, steps)]));
}

function parseSteps(path: string, steps: unknown): readonly ShorteningStep[] {
  const day = dayOfNote(path);
  if (day === undefined) throw damaged(`"${shown(path, 80)}" is not a daily log`);
  if (!Array.isArray(steps) || steps.length === 0) throw damaged(`the steps of ${path} are not a list`);
  return steps.map((step: unknown, index) => {
    const parsed = parseStep(step);
    if (parsed !== undefined && dayOfPart(parsed.part) === day) return parsed;
    throw damaged(`step ${index + 1} of ${path} is invalid, or does not name a part of that log`);
  });
}

function parseStep(step: unknown): ShorteningStep | undefined {
  if (!isStep(step)) return undefined;
  const { kind, part, before, after, cut } = step as RecordedStep;
  const marks = { before: markOf(before), after: markOf(after) };
  if (kind === "rotated") return cut === undefined ? { part, ...marks, change: { kind } } : undefined;
  const spans = parseSpans(cut, before.bytes);
  if (spans === undefined) return undefined;
  const gone = spans.reduce((sum, [from, to]) => sum + to - from, 0);
  return before.bytes - gone === after.bytes ? { part, ...marks, change: { kind, spans } } : undefined;
}

interface RecordedStep extends Pick<ShorteningStep, "part" | "before" | "after"> {
  readonly kind: ShorteningStep["change"]["kind"];
  readonly cut?: unknown;
}

export const isMark = fields({ bytes: isCount, sha256: isDigest });
const isStep = fields({ kind: oneOf(["cut", "rotated"]), part: isText, before: isMark, after: isMark });

/** Parses ascending, disjoint, nonempty ranges within `bytes`. */
function parseSpans(cut: unknown, bytes: number): readonly ByteSpan[] | undefined {
  if (!listOf(listOf(isCount))(cut)) return undefined;
  const spans = cut as readonly (readonly number[])[];
  let least = 0;
  for (const [from = 0, to = 0, ...more] of spans) {
    if (more.length > 0 || from < least || to <= from || to > bytes) return undefined;
    least = to;
  }
  return spans as readonly ByteSpan[];
}

/** The error for an invalid record. `why`: a clause, redacted. */
function damaged(why: string): MemoryError {
  const message = `${movedPath} is invalid: ${why}. It records where shortened notes were moved to: restore it from git or a backup.`;
  return new MemoryError("archive_damaged", message, { path: movedPath });
}

/** Lines selected from an edited file: their concatenated bytes and their 1-based numbers in that file. */
export interface NewLines {
  readonly bytes: Uint8Array;
  readonly numbers: readonly number[];
}

/**
 * The lines in an edited note that are not in the shortened note `given`, in order. Lines match by text, ignoring line
 * endings, and each line of `given` matches at most once. An entry that `given` lacks (by its comment) is new with all
 * its lines, up to the next entry or heading that `given` has: it stays whole, also if a merge put it before others.
 * Linear time.
 */
export function newLines(given: Uint8Array, edited: Uint8Array): NewLines {
  const unmatched = countsOf(linesOf(given));
  const known = new Set(unmatched.keys());
  const lines = linesOf(edited);
  /** Of the part that begins at a line; `undefined` if none does. */
  const stateAt = (index: number): "known" | "new" | undefined => {
    const [text, below] = [lines[index] ?? "", lines[index + 1] ?? ""].map(textOf) as [string, string];
    if (parseEntryComment(below) !== undefined) return known.has(below) ? "known" : "new";
    return text.startsWith("## ") && (unmatched.get(text) ?? 0) > 0 ? "known" : undefined;
  };
  const first = textOf(lines[0] ?? "");
  let within: "known" | "new" = parseEntryComment(first) === undefined || known.has(first) ? "known" : "new";
  const kept = lines
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line, number }) => {
      within = stateAt(number - 1) ?? within;
      return within === "new" || !take(unmatched, line);
    });
  return {
    bytes: Buffer.from(kept.map(({ line }) => line).join(""), "latin1"),
    numbers: kept.map(({ number }) => number),
  };
}

/**
 * Finds the text that a file was edited from: the one with the fewest bytes in lines unmatched on either side, ignoring
 * line endings. The first wins a tie. Linear time.
 */
export function nearestText(texts: readonly Uint8Array[], edited: Uint8Array): Uint8Array | undefined {
  const lines = linesOf(edited);
  const away = texts.map((text) => {
    const unmatched = countsOf(lines);
    const bytes = lines.reduce((sum, line) => sum + textOf(line).length, 0);
    return linesOf(text).reduce((sum, line) => sum + textOf(line).length * (take(unmatched, line) ? -1 : 1), bytes);
  });
  return texts[away.indexOf(least(away))];
}

function countsOf(lines: readonly string[]): Map<string, number> {
  return new Map(Array.from(Map.groupBy(lines, textOf), ([text, same]) => [text, same.length]));
}

function take(counts: Map<string, number>, line: string): boolean {
  const left = counts.get(textOf(line)) ?? 0;
  counts.set(textOf(line), left - 1);
  return left > 0;
}

/** Lines with their line endings. Decoded as latin1 so that invalid UTF-8 can be compared too. */
function linesOf(bytes: Uint8Array): readonly string[] {
  return (
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString("latin1")
      .match(/[^\n]*\n|[^\n]+$/gu) ?? []
  );
}

function textOf(line: string): string {
  return line.replace(/\r?\n$/u, "");
}

/** A range of bytes, `[from, to)`. */
export type ByteSpan = readonly [from: number, to: number];

export function cutBytes(bytes: Uint8Array, spans: readonly ByteSpan[]): Uint8Array {
  const starts = [0, ...spans.map(([, to]) => to)];
  return Buffer.concat(starts.map((from, index) => bytes.subarray(from, spans[index]?.[0])));
}

/** How the line of a rotated log begins that says where it is now. */
export const rotatedMark = "> This log was moved to ";

/** The text left in a rotated log, derived from its bytes, its path and the path it moved to. */
export function rotationSummary(log: {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly part: string;
}): Uint8Array {
  const mark = log.bytes[0] === 0xef && log.bytes[1] === 0xbb && log.bytes[2] === 0xbf ? "\uFEFF" : "";
  const isEmpty = log.bytes.length === Buffer.byteLength(mark);
  const lines = [
    `# ${(log.path.split("/").at(-1) ?? "").replace(/\.md$/u, "")}`,
    "",
    `${rotatedMark}${log.part} by heartwood audit.`,
    `> size: ${log.bytes.length} bytes`,
    `> sha256: ${sha256(log.bytes)}`,
    ">",
    "> It begins:",
    ">",
    ...beginningOf(isEmpty ? [] : splitLines(log.bytes)).map((line) => `> ${line}`),
  ];
  const firstEnd = log.bytes.indexOf(10);
  const lineEnd = firstEnd > 0 && log.bytes[firstEnd - 1] === 13 ? "\r\n" : "\n";
  return Buffer.from(`${isEmpty ? "" : mark}${lines.join(lineEnd)}${log.bytes.at(-1) === 10 ? lineEnd : ""}`);
}

const previewLines = 10;
const previewCharacters = 200;

/** The first nonblank lines, without secrets. Skips lines that are not UTF-8. */
function beginningOf(lines: readonly FileLine[]): readonly string[] {
  const texts = lines.map(({ text }, index) => (index === 0 ? text.replace(/^\uFEFF/u, "") : text));
  const shown = lines.flatMap(({ encoding }, index) =>
    encoding === "not-utf-8" || texts[index]?.trim() === "" ? [] : [index],
  );
  const last = shown[previewLines - 1] ?? lines.length - 1;
  // Secrets can depend on surrounding lines: a private key is recognized by its last line.
  const redacted = redact(texts.slice(0, last + redactedBehind).join("\n")).text.split("\n");
  return shown.slice(0, previewLines).map((index) =>
    Array.from(redacted[index] ?? "")
      .slice(0, previewCharacters)
      .join(""),
  );
}

const redactedBehind = 200;
