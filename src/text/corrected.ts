import { parseEntryComment } from "../base/memory-type.ts";
import { once } from "../base/lines.ts";
import { listMark } from "../base/markdown.ts";
import { isPolar, plainKey, sentencesOf } from "./extract/sentences.ts";
import { withoutSpeaker } from "./extract/said.ts";
import { sharedKeys, wordKeys } from "./word-keys.ts";
import { isPlain } from "./words/scripts.ts";

/** A text reduced to its words, to detect repetitions: without case, punctuation and spacing. Begins and ends with a space. */
export function wordsOnly(text: string): string {
  const lower = text.toLowerCase();
  const words = lower.match(isPlain(lower) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [text];
  return ` ${words.join(" ")} `;
}

/** The first line of the body of an entry that corrects an earlier one. */
export function printCorrects(place: string): string {
  return `- corrects: ${place}`;
}

const correctsLine = /^\s*- corrects: (\S+)\s*$/u;

/** The lines that an entry corrects: of a log, or messages of a thread. */
export interface CorrectedPlace {
  /** `memory/2026-03-15.md`, `thread:ID`. */
  readonly source: string;
  readonly lines: readonly [number, number];
}

/** The most lines or messages that one entry can correct, so that a slip does not hide a whole day. */
export const mostCorrected = 50;

/** Parses `memory/2026-03-15.md:12-18` or `thread:ID:5`; `undefined` for anything else and for more than `mostCorrected` lines. */
export function parseCorrected(place: string): CorrectedPlace | undefined {
  const match = /^(memory\/[^\s:/]+\.md|thread:\S+):(\d{1,15})(?:-(\d{1,15}))?$/u.exec(place);
  if (match === null) return undefined;
  const [from, to] = [Number(match[2]), Number(match[3] ?? match[2])];
  return to < from || to - from >= mostCorrected ? undefined : { source: match[1] ?? "", lines: [from, to] };
}

/** The place that the text of an entry corrects in its first line, below the heading. `origin`: who the entry is from; a tool or an import could hide anything. */
export function placeCorrectedBy(entry: string, origin: string): CorrectedPlace | undefined {
  if (origin !== "user" && origin !== "agent") return undefined;
  const place = /^#{1,2} [^\r\n]*\r?\n\s*- corrects: (\S+)[ \t]*\r?(?:\n|$)/u.exec(entry)?.[1];
  return place === undefined ? undefined : parseCorrected(place);
}

/** A place that an entry corrects, and the line of that entry's heading. */
export interface Correcting extends CorrectedPlace {
  readonly line: number;
}

/** The places that the entries of a log correct. */
export function placesCorrected(log: readonly string[]): readonly Correcting[] {
  return log.flatMap((line, at): readonly Correcting[] => {
    if (!line.startsWith("- corrects: ") || at < 2) return [];
    const origin = parseEntryComment(log[at - 1] ?? "")?.origin ?? "";
    const place = placeCorrectedBy(`${log[at - 2]}\n${line}`, origin);
    return place === undefined ? [] : [{ ...place, line: at - 1 }];
  });
}

/** Whether a line only names the place that its entry corrects. */
export function isCorrects(line: string): boolean {
  return correctsLine.test(line);
}

const mark = new RegExp(String.raw`^\s*(?:${listMark}|>\s+)`, "u");

/** A sentence that was said, to recognize it elsewhere. */
export interface Said {
  /** By `wordsOnly`. */
  readonly words: string;
  /** The first letters of its words, to rule it out without its keys; `undefined` in scripts without spaces. */
  readonly starts: () => ReadonlySet<string> | undefined;
  /** By `wordKeys`. */
  readonly keys: () => ReadonlySet<string>;
  /** Whether it says that something is not so. */
  readonly isPolar: () => boolean;
}

/** The sentences of a text, without headings, list marks, speakers and keys. */
export function sentencesSaid(text: string): readonly Said[] {
  const lines = text.split(/\r?\n/u).filter((line) => !/^\s*(?:#{1,6}\s|<!--)/u.test(line) && !correctsLine.test(line));
  return lines
    .flatMap((line) => sentencesOf(withoutSpeaker(line.trim()).replace(mark, "").replace(plainKey, "")))
    .filter((one) => /[\p{L}\p{N}]/u.test(one))
    .map((one) => ({ one, words: wordsOnly(one) }))
    .map(({ one, words }) => ({
      words,
      starts: once(() => startsOf(words)),
      keys: once(() => wordKeys(one)),
      isPolar: once(() => isPolar(one)),
    }));
}

function startsOf(words: string): ReadonlySet<string> | undefined {
  return isPlain(words) ? new Set((words.match(/\S+/g) ?? []).map((word) => word.slice(0, 3))) : undefined;
}

/** A sentence with fewer words than this may be part of another one that says something else. */
const leastWords = 3;

/** Whether a text repeats one of these sentences: in the same words, or with a few more or fewer; it may be cut at its end. */
export function repeats(text: string, said: readonly Said[]): boolean {
  if (said.length === 0) return false;
  const own = sentencesSaid(text);
  const isCut = text.trimEnd().endsWith("…");
  return own.some((one, at) => {
    const isLast = isCut && at === own.length - 1 && one.keys().size >= leastWords;
    return said.some((other) => isSaidBy(one, other) || (isLast && other.words.startsWith(one.words.trimEnd())));
  });
}

/** Whether one of two sentences has all words of the other, and not many more. */
function isSaidBy(one: Said, other: Said): boolean {
  if (one.words === other.words) return true;
  const [starts, others] = [one.starts(), other.starts()];
  if (starts !== undefined && others !== undefined && sharedKeys(starts, others) < leastWords) return false;
  const [a, b] = [one.keys(), other.keys()];
  const [less, more] = a.size < b.size ? [a, b] : [b, a];
  if (less.size < leastWords || less.size * 2 < more.size) return false;
  return sharedKeys(less, more) === less.size && one.isPolar() === other.isPolar();
}

/** A text of parts separated by "; ", without the sentences that repeat these. */
export function withoutSaid(text: string, said: readonly Said[]): string {
  if (!repeats(text, said)) return text;
  const parts = text.split("; ").map((part) =>
    sentencesOf(part)
      .filter((one) => !repeats(one, said))
      .join(" "),
  );
  // `(said 11-26)` belongs to the sentence before it.
  return parts.filter((part) => part !== "" && !/^\([^()]*\)$/u.test(part)).join("; ");
}
