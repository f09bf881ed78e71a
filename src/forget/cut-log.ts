import { Buffer } from "node:buffer";
import { sha256, shortDigest } from "../base/digest.ts";
import { listMark, scanLines } from "../base/markdown.ts";
import { parseEntryComment, printEntryComment } from "../base/memory-type.ts";
import { wordsOfLine } from "../text/folded.ts";
import { isCorrects, parseCorrected, printCorrects } from "../text/corrected.ts";
import { entriesIn as sectionsIn } from "../tree/logs/changed-logs.ts";

/** A log as lines: their texts, and the bytes that they are printed from. */
export interface LogLines {
  readonly texts: readonly string[];
  /** Each with its line end. */
  readonly bytes: readonly Buffer[];
}

export function linesOfLog(bytes: Uint8Array): LogLines {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Buffer[] = [];
  for (let from = 0; from < buffer.length;) {
    const end = buffer.indexOf(10, from);
    const to = end < 0 ? buffer.length : end + 1;
    lines.push(buffer.subarray(from, to));
    from = to;
  }
  const textOf = (line: Buffer, index: number): string => {
    const text = line.toString("utf8").replace(/\r?\n$/u, "");
    return index === 0 ? text.replace(/^\uFEFF/u, "") : text;
  };
  return { texts: lines.map(textOf), bytes: lines };
}

/** An entry of a log, or another section with a topic. Lines count from 1. */
export interface LogEntry {
  readonly topic: string;
  /** Undefined without a comment of heartwood. */
  readonly id: string | undefined;
  /** The line of the heading. */
  readonly from: number;
  /** The last line with text. */
  readonly to: number;
  /** The first line of the body. */
  readonly body: number;
}

export function entriesIn(texts: readonly string[]): readonly LogEntry[] {
  return sectionsIn(texts).flatMap(({ topic, lines: [from, to] }): readonly LogEntry[] => {
    const comment = parseEntryComment(texts[from] ?? "");
    if (topic === "" && comment === undefined) return [];
    return [{ topic, id: comment?.id, from, to, body: from + (comment === undefined ? 1 : 2) }];
  });
}

/**
 * The digests by which records name the sections that a cut changes, with those that name what is left of them; empty if nothing is. Entries have ids
 * instead.
 */
export function digestsAfter(
  texts: readonly string[],
  gone: readonly number[],
): readonly (readonly [string, string])[] {
  const cut = new Set(gone);
  return sectionsIn(texts).flatMap(({ key, lines: [from, to] }) => {
    const own = numbers(from, to);
    if (parseEntryComment(texts[from] ?? "") !== undefined || !own.some((line) => cut.has(line))) return [];
    const left = own.filter((line) => !cut.has(line)).map((line) => texts[line - 1] ?? "");
    while (left.at(-1)?.trim() === "") left.pop();
    return [[key, left.length === 0 ? "" : shortDigest(sha256(left.join("\n")))] as const];
  });
}

/** What is cut from a log. */
export interface LogCut {
  /** The lines that go, from 1, ascending. */
  readonly lines: readonly number[];
  /** The entries that go as a whole. */
  readonly entries: readonly LogEntry[];
}

/**
 * The lines to cut so that the chosen ones are gone and the rest reads as if they had never been written: an entry whose heading goes or of which
 * nothing is left goes as a whole, with the blank line before it; a fence goes with its content.
 */
export function planCut(texts: readonly string[], chosen: ReadonlySet<number>): LogCut {
  const gone = new Set(withFences(texts, chosen));
  const isLeft = (line: number): boolean =>
    !gone.has(line) && (texts[line - 1] ?? "").trim() !== "" && !isCorrects(texts[line - 1] ?? "");
  const whole = entriesIn(texts).filter((entry) => {
    const lines = numbers(entry.from, entry.to);
    if (!lines.some((line) => gone.has(line))) return false;
    return (
      numbers(entry.from, entry.body - 1).some((line) => gone.has(line)) || !numbers(entry.body, entry.to).some(isLeft)
    );
  });
  const isBlank = (line: number): boolean => texts[line - 1]?.trim() === "" && !gone.has(line);
  for (const { from, to } of whole) {
    for (const line of numbers(from, to)) gone.add(line);
    if (isBlank(from - 1)) gone.add(from - 1);
    else if (isBlank(to + 1)) gone.add(to + 1);
  }
  return { lines: [...gone].toSorted((a, b) => a - b), entries: whole };
}

interface SaidMessage {
  readonly thread_id: string;
  readonly content: string;
}

interface CutTexts extends LogCut {
  readonly texts: readonly string[];
}

/** The entry of a captured turn has the words of the thread's messages. */
function isCaptured({ id }: LogEntry): boolean {
  return id?.startsWith("capture-") === true;
}

/** `Session 5f0c3a52` is the topic of the entries of the thread `claude-code-5f0c3a52-…`. */
function isOfThread({ topic }: Pick<LogEntry, "topic">, threadId: string): boolean {
  const session = /^Session ([\w.-]{1,64})$/u.exec(topic)?.[1];
  return session !== undefined && threadId.includes(session.toLowerCase());
}

/** A log without the lines that captured these messages. */
export function withCaptured<T extends CutTexts>(log: T, messages: readonly SaidMessage[]): T {
  if (messages.length === 0) return log;
  const gone = new Set(log.lines);
  for (const entry of entriesIn(log.texts).filter(isCaptured)) {
    const own = messages.filter(({ thread_id }) => isOfThread(entry, thread_id));
    if (own.length === 0) continue;
    const words = new Set(own.flatMap(({ content }) => content.split("\n").map(wordsOfLine)));
    for (let line = entry.body; line <= entry.to; line += 1) {
      const said = wordsOfLine(log.texts[line - 1] ?? "");
      if (said !== "" && words.has(said)) gone.add(line);
    }
  }
  return gone.size === log.lines.length ? log : { ...log, ...planCut(log.texts, gone) };
}

interface CapturedLine {
  readonly topic: string;
  readonly words: string;
}

export function capturedLines(logs: readonly CutTexts[]): readonly CapturedLine[] {
  return logs.flatMap(({ texts, lines }) => {
    const gone = new Set(lines);
    return entriesIn(texts)
      .filter(isCaptured)
      .flatMap(({ topic, body, to }) =>
        texts.slice(body - 1, to).flatMap((text, index) => {
          const words = gone.has(body + index) ? wordsOfLine(text) : "";
          return words === "" ? [] : [{ topic, words }];
        }),
      );
  });
}

export function wasCapturedIn({ content, thread_id }: SaidMessage, said: readonly CapturedLine[]): boolean {
  const own = said.filter((line) => isOfThread(line, thread_id));
  if (own.length === 0) return false;
  const words = new Set(content.split("\n").map(wordsOfLine));
  return own.some((line) => words.has(line.words));
}

const item = new RegExp(String.raw`^(\s*)${listMark}`, "u");

/** The chosen lines, with those that continue a chosen list item: indented further, up to the next item or blank line. */
export function withContinuations(texts: readonly string[], chosen: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(chosen);
  for (const line of chosen) {
    const indent = item.exec(texts[line - 1] ?? "")?.[1]?.length;
    if (indent === undefined) continue;
    for (let next = line; next < texts.length; next += 1) {
      const text = texts[next] ?? "";
      if (text.trim() === "" || item.test(text) || text.search(/\S/u) <= indent) break;
      all.add(next + 1);
    }
  }
  return all;
}

function withFences(texts: readonly string[], chosen: ReadonlySet<number>): readonly number[] {
  const scanned = scanLines(texts).lines;
  const more: number[] = [];
  for (let index = 0; index < texts.length; index += 1) {
    if (scanned[index]?.kind !== "fence") continue;
    let end = index + 1;
    while (scanned[end]?.kind === "code") end += 1;
    const isClosed = scanned[end]?.kind === "fence" && end < texts.length;
    const code = numbers(index + 2, end);
    const marks = isClosed ? [index + 1, end + 1] : [index + 1];
    const isGone =
      marks.some((line) => chosen.has(line)) || (code.length > 0 && code.every((line) => chosen.has(line)));
    if (isGone) for (const line of [...marks, ...code]) more.push(line);
    index = isClosed ? end : end - 1;
  }
  return [...chosen, ...more];
}

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** Where the lines of each log are after the cuts: by path, the lines that went. */
export type CutLines = ReadonlyMap<string, readonly number[]>;

/**
 * The bytes of a log after the cuts; `undefined` if nothing but its title is left. Places of corrections are shifted, and dropped if nothing is left of
 * them; the recorded length of an entry is that of what is left. Unchanged bytes are returned as they are.
 */
export function cutLog(path: string, bytes: Uint8Array, cuts: CutLines): Uint8Array | undefined {
  const { texts, bytes: lines } = linesOfLog(bytes);
  const gone = new Set(cuts.get(path));
  const printed: (Buffer | undefined)[] = lines.map((line, index) => (gone.has(index + 1) ? undefined : line));
  const endOf = (line: Buffer): string => /\r?\n$/u.exec(line.toString("latin1"))?.[0] ?? "";
  const put = (index: number, text: string | undefined): void => {
    printed[index] = text === undefined ? undefined : Buffer.from(`${text}${endOf(lines[index] as Buffer)}`);
  };
  for (const { from, to, body } of entriesIn(texts)) {
    const comment = parseEntryComment(texts[from] ?? "");
    if (comment === undefined || printed[from] === undefined) continue;
    const first = body - 1;
    if (printed[first] !== undefined && first < to && isCorrects(texts[first] ?? "")) {
      const place = shiftedPlace((texts[first] ?? "").replace(/^\s*- corrects: /u, "").trim(), cuts);
      if (place === undefined) put(first, undefined);
      else if (printCorrects(place) !== texts[first]?.trimEnd()) put(first, printCorrects(place));
    }
    const isSame = lines.slice(first, to).every((line, index) => line === printed[first + index]);
    if (isSame || comment.bytes === undefined) continue;
    const left = printed
      .slice(first, to)
      .flatMap((line) => (line === undefined ? [] : [line.toString("utf8").replace(/\r?\n$/u, "")]));
    put(from, printEntryComment({ ...comment, bytes: Buffer.byteLength(left.join("\n").trimEnd()) }));
  }
  const kept = printed.filter((line) => line !== undefined);
  if (kept.length === lines.length && kept.every((line, index) => line === lines[index])) return bytes;
  const text = Buffer.concat(kept);
  return /^(?:\uFEFF)?\s*(?:# \d{4}-\d\d-\d\d\s*)?$/u.test(text.toString("utf8")) ? undefined : text;
}

/** The place after the cuts; `undefined` if nothing is left of it. */
export function shiftedPlace(place: string, cuts: CutLines): string | undefined {
  const parsed = parseCorrected(place);
  const gone = parsed && cuts.get(parsed.source);
  if (parsed === undefined || gone === undefined) return place;
  const isGone = new Set(gone);
  const left = numbers(parsed.lines[0], parsed.lines[1]).filter((line) => !isGone.has(line));
  const [first, last] = [left[0], left.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const now = (line: number): number => line - gone.filter((one) => one < line).length;
  return first === last ? `${parsed.source}:${now(first)}` : `${parsed.source}:${now(first)}-${now(last)}`;
}
