import { Buffer } from "node:buffer";
import type { LinePair } from "./finding.ts";
import type { FileAsRead, NoteAsRead } from "./workspace.ts";
import { parseEntryComment } from "../../base/memory-type.ts";
import { readFrontMatter } from "../../base/front-matter.ts";
import { once, type FileLine, longestLineBytes, splitLines } from "../../base/lines.ts";
import { type LineKind, linesOfClosedFences, parseHeading, scanLines } from "../../base/markdown.ts";

/** A memory file, parsed into lines and sections once for all checks. */
export interface MemoryText {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly lines: readonly MemoryLine[];
  /** In order, without gaps. The first may be `header`. Empty for an empty file. */
  readonly sections: readonly Section[];
}

export interface MemoryLine {
  /** Without line end and byte order mark. */
  readonly text: string;
  /** Offset of its first byte, and of the byte after its line end. A byte order mark does not belong to the first line. */
  readonly from: number;
  readonly to: number;
  readonly kind: LineKind;
  /** Level of a heading, 1 to 6; else 0. */
  readonly level: number;
  /** `core`, `derived`, `front` (front matter), `fence` (including its marks, and lines that may be in a fence), or else `free`. */
  readonly part: "core" | "derived" | "front" | "fence" | "free";
  /** `inexact`: `text` is not the exact line (not UTF-8, over 64 KiB, or with carriage returns inside), so it equals no other line. */
  readonly reading: "exact" | "inexact";
}

/** Lines `[from, to)` by index. The first is the heading, except in `header`. */
export interface Section {
  /** The heading's text; `header` for lines before the first heading. */
  readonly heading: string;
  /** 0 for `header`. */
  readonly level: number;
  readonly from: number;
  readonly to: number;
  /** Whether it belongs to `## Compaction Root`. */
  readonly derived: boolean;
}

/** Parses a memory file. Linear time. */
export function readText({ path, bytes }: Pick<FileAsRead, "path" | "bytes">): MemoryText {
  /** Length of a byte order mark. */
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const split = bytes.length === mark ? [] : splitLines(bytes);
  const texts = split.map(({ text }, index) => (index === 0 && mark > 0 ? text.replace(/^\uFEFF/u, "") : text));
  const seen = split.map((line, index) =>
    line.encoding === "utf-8" ? (texts[index] ?? "") : looseText(bytes, line, index === 0 ? mark : 0),
  );
  const front = readFrontMatter(texts);
  const frontLines = front.state === "read" ? front.front.lines : 0;
  const body = frontLines === 0 ? seen : seen.slice(frontLines);
  const { lines: kinds, unclosed } = scanLines(body);
  // Which fence was left open is a guess, so everything in closed fences also counts as code, which edits never change.
  const closed = unclosed.length === 0 ? none : linesOfClosedFences(body);
  const lines: MemoryLine[] = [];
  const sections: Section[] = [];
  let frozen: Frozen | undefined;
  for (const [index, line] of split.entries()) {
    const { kind, level } = kinds[index - frontLines] ?? plain;
    const title = kind === "heading" ? (parseHeading(seen[index] ?? "")?.text ?? "") : undefined;
    if (title !== undefined && (frozen === undefined || level <= frozen.until)) frozen = frozenFrom(title, level);
    const isCode = kind === "fence" || kind === "code" || closed.has(index - frontLines);
    const part = index < frontLines ? "front" : (frozen?.part ?? (isCode ? "fence" : "free"));
    const from = index === 0 ? mark : line.from;
    lines.push({ text: texts[index] ?? "", from, to: line.to, kind, level, part, reading: readingOf(line) });
    if (title !== undefined && level <= 3) {
      sections.push({ heading: title, level, from: index, to: split.length, derived: part === "derived" });
    } else if (index === 0) sections.push({ heading: "header", level: 0, from: 0, to: split.length, derived: false });
  }
  const ended = sections.map((section, at) => ({ ...section, to: sections[at + 1]?.from ?? section.to }));
  return { path, bytes, lines, sections: ended };
}

const none: ReadonlySet<number> = new Set();
const plain = { kind: "text", level: 0 } as const;

/** Decodes a line that is not UTF-8, because its heading or fence marks, which are ASCII, still count. */
function looseText(bytes: Uint8Array, { from, to }: FileLine, mark: number): string {
  return Buffer.from(bytes.subarray(from + mark, to))
    .toString("utf8")
    .slice(0, longestLineBytes)
    .replace(/[\r\n]+$/u, "");
}

function readingOf({ encoding, returns, reading }: FileLine): MemoryLine["reading"] {
  return encoding === "utf-8" && returns === "none" && reading === "whole" ? "exact" : "inexact";
}

interface Frozen {
  readonly part: "core" | "derived";
  /** A heading of this level or above ends it. */
  readonly until: number;
}

function frozenFrom(title: string, level: number): Frozen | undefined {
  if (level === 2 && title === "Compaction Root") return { part: "derived", until: 2 };
  return level <= 3 && title.startsWith("Core (Static)") ? { part: "core", until: level } : undefined;
}

/** The first and last line of a section, 1-based. */
export function linesOf(section: Pick<Section, "from" | "to">): LinePair {
  return [section.from + 1, section.to];
}

export interface NoteText {
  readonly note: NoteAsRead;
  /** All its bytes, so line numbers are those of the file. */
  readonly text: MemoryText;
}

/** A note whose text is parsed when something asks for it: most notes repeat nothing. */
export function openNote(note: NoteAsRead): NoteText {
  let text: MemoryText | undefined;
  return {
    note,
    get text() {
      return (text ??= readText(note));
    },
  };
}

/**
 * The text of a note in pieces, each of which contains at least one whole section, for a check that needs no lines. If a line with hashes may be no heading (in a fence, front
 * matter or a conflict), the text is one piece. Linear time.
 */
export function piecesOf(text: string): readonly string[] {
  const isDoubtful = /^---|```|~~~|<{7}|[\u2028\u2029]/u.test(text);
  return isDoubtful ? [text] : text.split(headingAhead);
}

const headingAhead = /\n(?=#{1,3}(?:[ \t\r\n]|$))/u;

/** The index of the first line of a note's own text: after its rotation summary if there is one, else 0. */
export function firstOwnLine({ note, text }: NoteText): number {
  if (note.state === "edited" || note.ownFrom === 0) return 0;
  const index = text.lines.findIndex((line) => line.from >= note.ownFrom);
  return index < 0 ? text.lines.length : index;
}

/** The sections in a note's own text, without derived ones. The section in which a rotation summary ends starts after the summary and becomes a `header`. */
export function ownSections(note: NoteText): readonly Section[] {
  const first = firstOwnLine(note);
  return note.text.sections.flatMap((section): readonly Section[] => {
    if (section.derived || section.to <= first) return [];
    return section.from >= first ? [section] : [{ ...section, heading: "header", level: 0, from: first }];
  });
}

/**
 * The text used to compare lines in a note with lines of MEMORY.md: without indentation, trailing blanks, the marks of a heading or list item (`-`, `*`, `+`),
 * and emphasis around it (`**`, `__`). Checkboxes, numbers and quote marks stay. Empty: it equals no other line.
 */
export function keyOf(line: Pick<MemoryLine, "text" | "kind" | "reading">): string {
  if (line.reading !== "exact") return "";
  const heading = line.kind === "heading" ? parseHeading(line.text)?.text : undefined;
  const text = (heading ?? line.text).trim().replace(/^[-*+](?:\s+|$)/u, "");
  return text
    .replace(/^(?:\*\*|__)(?=\S)/u, "")
    .replace(/(?<=\S)(?:\*\*|__)$/u, "")
    .trim();
}

/** The keys of MEMORY.md's lines, without those of its derived section. */
export function keysOf(memory: MemoryText): ReadonlySet<string> {
  const keys = new Set(memory.lines.map((line) => (line.part === "derived" ? "" : keyOf(line))));
  keys.delete("");
  return keys;
}

export function isBlank(line: MemoryLine): boolean {
  return line.reading === "exact" && line.text.trim() === "";
}

/** Whether a line is the entry comment right below a heading. */
export function isOwnComment(text: MemoryText, index: number): boolean {
  const line = text.lines[index];
  if (line === undefined || text.lines[index - 1]?.kind !== "heading") return false;
  return parseEntryComment(line.text) !== undefined;
}

/** The text of a section for comparison: its heading and lines, without entry comments. */
export function comparedText(text: MemoryText, section: Pick<Section, "from" | "to">): string {
  const lines = text.lines.slice(section.from, section.to);
  return lines.flatMap((line, at) => (isOwnComment(text, section.from + at) ? [] : [line.text])).join("\n");
}

/**
 * Estimates the tokens in a text: characters of Han, Hiragana, Katakana and Hangul × 1.3 + words of ASCII letters × 0.75, rounded
 * down at the end. Counted in twentieths, so that rounding errors cannot move a text over a threshold. Linear time.
 */
export function estimateTokens(text: string): number {
  let twentieths = 0;
  for (const [found] of text.matchAll(wordOrCjk())) twentieths += found < "\x80" ? 15 : 26;
  return Math.floor(twentieths / 20);
}

// In Unicode, the long vowel mark belongs to no single script, so it is listed here.
const wordOrCjk = once(
  () => /[A-Za-z]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc\uff70]/gu,
);

/** Number of characters (code points) of a text. */
export function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/**
 * The tokens used to compare texts: words of ASCII letters, digits and `_` of at least two characters, runs of CJK characters as overlapping pairs, and words
 * of other scripts; see docs/formats/audit.md, "Figures". Each token once, in order of appearance. Linear time.
 */
export function tokensOf(text: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const [token, run] of text.toLowerCase().matchAll(runOrWord())) {
    const letters = run === undefined ? [] : Array.from(run);
    if (letters.length < 2) tokens.add(token);
    else for (let at = 1; at < letters.length; at++) tokens.add(`${letters[at - 1]}${letters[at]}`);
  }
  return tokens;
}

const cjk = "[[\\p{L}\\p{M}\\p{N}]&&[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]]";
const other = `[[\\p{L}\\p{M}\\p{N}_]--${cjk}]`;
/** A single ASCII character is not a word. */
const runOrWord = once(() => new RegExp(`(${cjk}+)|${other}{2,}|[${other}--[a-z0-9_]]`, "gv"));

/**
 * Calls `found` with the number of each token of `tokensOf`, also repeatedly, without making strings and sets. Equal tokens have equal numbers; so may a few others. Linear
 * time.
 */
export function numberTokens(text: string, found: (number: number) => void): void {
  // The word so far, and the letter before and how many there were in a run of CJK characters.
  let isLower = false;
  let hash = hashStart;
  let length = 0;
  let last = between;
  let before = 0;
  let run = 0;
  for (let at = 0; at <= text.length; at++) {
    let unit = at < text.length ? text.charCodeAt(at) : 0;
    if (unit >= 65 && unit <= 90) unit += 32;
    const kind = kinds[unit] || kindOf(unit);
    if (kind === surrogate && isWord().test(String.fromCodePoint(text.codePointAt(at) ?? 0)))
      return tokensOf(text).forEach((token) => found(numberOf(token)));
    if (kind === otherLetter && !isLower) {
      // The lower case of such a letter may be another letter, or two.
      const lower = text.toLowerCase();
      if (lower !== text) return numberTokens(lower, found);
      isLower = true;
    }
    if (kind === wordUnit || kind === otherLetter) {
      hash = mixed(hash, unit);
      length += 1;
      last = kind;
    } else if (length > 0) {
      if (length > 1 || last === otherLetter) found(hash >>> 2);
      hash = hashStart;
      length = 0;
    }
    if (kind === cjkLetter) {
      if (run > 0) found(mixed(mixed(hashStart, before), unit) >>> 2);
      before = unit;
      run += 1;
    } else if (run > 0) {
      if (run === 1) found(mixed(hashStart, before) >>> 2);
      run = 0;
    }
  }
}

/** The number of a token. */
export function numberOf(token: string): number {
  let hash = hashStart;
  for (let at = 0; at < token.length; at++) hash = mixed(hash, token.charCodeAt(at));
  return hash >>> 2;
}

const hashStart = -2_128_831_035;

/** FNV-1a. */
function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 16_777_619);
}

const [between, wordUnit, otherLetter, cjkLetter, surrogate] = [1, 2, 3, 4, 5];
/** What each code unit is to `runOrWord`; 0 until it was asked for. */
const kinds = new Uint8Array(65_536);
// The blocks of Han and of Hangul syllables, whose many characters would each be asked for.
kinds.fill(cjkLetter, 0x4e00, 0xa000).fill(cjkLetter, 0xac00, 0xd7a4);
const isCjk = once(() => new RegExp(`^${cjk}$`, "v"));
const isOther = once(() => new RegExp(`^${other}$`, "v"));
const isWord = once(() => new RegExp(`[${cjk}${other}]`, "v"));

function kindOf(unit: number): number {
  const letter = String.fromCharCode(unit);
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  const letterKind = isCjk().test(letter) ? cjkLetter : isOther().test(letter) ? otherLetter : between;
  return (kinds[unit] = isSurrogate ? surrogate : /[a-z0-9_]/.test(letter) ? wordUnit : letterKind);
}
