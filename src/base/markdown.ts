/**
 * A line scanner for Markdown. It recognizes only headings, fences (CommonMark 0.31, sections 4.2 and 4.5) and git conflict markers, with one
 * deliberate difference: a fence that is never closed ends before the next line that begins with `## `.
 */

/** `mark`: a git conflict marker, or a line of the merge base that both sides replace. */
export type LineKind = "text" | "heading" | "fence" | "code" | "mark";

export interface ScannedLine {
  readonly kind: LineKind;
  /** Heading level from 1 to 6; 0 for every other kind. */
  readonly level: number;
}

interface ScannedLines {
  /** One per input line. */
  readonly lines: readonly ScannedLine[];
  /** 0-based indices of the opening marks of fences that are never closed. */
  readonly unclosed: readonly number[];
  /** First and last line of each conflict, 0-based. */
  readonly conflicts: readonly (readonly [from: number, to: number])[];
}

/** Classifies every line as heading, fence mark, code inside a fence, conflict marker or text. Linear. */
export function scanLines(lines: readonly string[]): ScannedLines {
  const scanned: ScannedLine[] = [];
  const unclosed: number[] = [];
  const fences = lines.some(mayBeFence) ? readFences(lines) : undefined;
  for (let index = 0; index < lines.length; index++) {
    const fence = fences?.endOf(index);
    if (fence === undefined) {
      const heading = parseHeading(lines[index] ?? "");
      scanned.push(heading === undefined ? textLine : { kind: "heading", level: heading.level });
      continue;
    }
    if (!fence.isClosed) unclosed.push(index);
    scanned.push(fenceLine);
    while (scanned.length < fence.end) scanned.push(codeLine);
    if (fence.isClosed) scanned[fence.end - 1] = fenceLine;
    index = fence.end - 1;
  }
  return { lines: scanned, unclosed, conflicts: markConflicts(lines, scanned) };
}

/** In an entry that quotes a conflict, a backslash precedes the first marker. */
const conflictMark = /^(?:\\?<{7}(?: |$)|[|>]{7}(?: |$)|={7}$)/u;

/**
 * Marks the lines of conflicts: the opening, dividing and closing markers, and the merge base. Only all three markers in order make a conflict; a
 * conflict entirely inside a fence is a quotation and does not count.
 */
function markConflicts(lines: readonly string[], scanned: ScannedLine[]): ScannedLines["conflicts"] {
  const found: (readonly [number, number])[] = [];
  let open: { readonly from: number; base?: number; divider?: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const begins = /^\\?</u.test(line);
    if ((!begins && open === undefined) || !conflictMark.test(line)) continue;
    if (begins) open = { from: index };
    if (open === undefined || begins) continue;
    if (line.startsWith("=")) open.divider ??= index;
    if (line.startsWith("|") && open.divider === undefined) open.base ??= index;
    if (!line.startsWith(">")) continue;
    const { from, divider, base = divider } = open;
    open = undefined;
    if (divider === undefined || base === undefined) continue;
    if (scanned.slice(from, index + 1).every(({ kind }) => kind === "code")) continue;
    scanned
      .fill(markLine, from, from + 1)
      .fill(markLine, base, divider + 1)
      .fill(markLine, index, index + 1);
    if (lines[from]?.startsWith("<") === true) found.push([from, index]);
  }
  return found;
}

/**
 * The lines of closed fences, marks included, assuming that every fence ends at its first possible closing mark. If `scanLines` reports
 * unclosed fences, the result may have more lines than it finds; otherwise it is the same. For callers that must not touch possible code. Linear.
 */
export function linesOfClosedFences(lines: readonly string[]): ReadonlySet<number> {
  const within = new Set<number>();
  const { openers } = readFences(lines);
  for (let index = 0; index < lines.length; index++) {
    const close = openers.get(index)?.close;
    if (close === undefined) continue;
    for (; index < close; index++) within.add(index);
    within.add(close);
  }
  return within;
}

const textLine: ScannedLine = { kind: "text", level: 0 };
const fenceLine: ScannedLine = { kind: "fence", level: 0 };
const codeLine: ScannedLine = { kind: "code", level: 0 };
const markLine: ScannedLine = { kind: "mark", level: 0 };
const headingStart = /^(#{1,6})(?:[ \t]+(.*))?$/u;

/** Parses a line outside a fence as a heading; closing hashes are dropped. */
export function parseHeading(line: string): { readonly level: number; readonly text: string } | undefined {
  if (line.charCodeAt(0) !== 35) return undefined;
  const match = headingStart.exec(line);
  if (match === null) return undefined;
  const text = (match[2] ?? "")
    .trim()
    .replace(/(?:^|[ \t])#+$/u, "")
    .trim();
  return { level: (match[1] ?? "").length, text };
}

interface Mark {
  readonly sign: string;
  readonly length: number;
  readonly mayClose: boolean;
}

const markPattern = /^ {0,3}(`{3,}|~{3,})(.*)$/u;
/** A fence mark in a list item: after more spaces than allowed outside a list, or after list markers. */
const markInList = /^(?:[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})(.*)$/u;
const longestMark = 32;

function mayBeFence(line: string): boolean {
  return line.includes("```") || line.includes("~~~");
}

function markOf(line: string, pattern: RegExp = markPattern): Mark | undefined {
  const match = mayBeFence(line) ? pattern.exec(line) : null;
  if (match === null) return undefined;
  const run = match[1] ?? "";
  const rest = match[2] ?? "";
  const sign = run.charAt(0);
  if (sign === "`" && rest.includes("`")) return undefined;
  return { sign, length: Math.min(run.length, longestMark), mayClose: rest.trim() === "" };
}

/** A line that could open a fence. */
interface Opener {
  readonly mark: Mark;
  /** The line that would close it. */
  readonly close: number | undefined;
  /** For a fence in a list item: the index after its last line, at most the end of the item. */
  readonly end: number | undefined;
}

/** The lines that could open a fence, and the end of the fence that begins at a line: the index after its last line. */
interface Fences {
  readonly openers: ReadonlyMap<number, Opener>;
  readonly endOf: (index: number) => { readonly end: number; readonly isClosed: boolean } | undefined;
}

function readFences(lines: readonly string[]): Fences {
  const openers = new Map<number, Opener>();
  const items = itemEnds(lines);
  /** 1 if a strict reading from this line on leaves no fence open, 0 if it leaves one open. */
  const balanced = new Uint8Array(lines.length + 2).fill(1);
  const nearest = new Map<string, number>();
  const nearestInList = new Map<string, number>();
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? "";
    balanced[index] = balanced[index + 1] ?? 1;
    const itemEnd = items.get(index);
    const mark = markOf(line, itemEnd === undefined ? markPattern : markInList);
    if (mark !== undefined) {
      const next = (itemEnd === undefined ? nearest : nearestInList).get(mark.sign + mark.length);
      const close = next !== undefined && next < (itemEnd ?? lines.length) ? next : undefined;
      const end = close === undefined ? itemEnd : close + 1;
      openers.set(index, { mark, close, end: itemEnd === undefined ? undefined : end });
      balanced[index] = end === undefined ? 0 : (balanced[end] ?? 1);
      if (itemEnd === undefined) note(nearest, mark, index);
    }
    note(nearestInList, markOf(line, closerInList), index);
  }

  // A fence that contains a `## ` line was never closed if ending it before that line leaves no fence open, while ending it
  // at its apparent closing mark would leave a later fence open or swallow a later opening mark.
  const isForgotten = (heading: number, close: number, mark: Mark): boolean => {
    if (balanced[heading] === 0) return false;
    if (balanced[close + 1] === 0) return true;
    for (let at = heading; at < close; at++) {
      const other = openers.get(at)?.mark;
      if (other?.mayClose === false) return other.length >= mark.length;
    }
    return false;
  };
  const endOf: Fences["endOf"] = (index) => {
    const opener = openers.get(index);
    if (opener === undefined) return undefined;
    const { mark, close, end } = opener;
    if (end !== undefined) return { end, isClosed: close !== undefined };
    let heading = index + 1;
    while (heading < (close ?? lines.length) && lines[heading]?.startsWith("## ") === false) heading += 1;
    if (close === undefined || (heading < close && isForgotten(heading, close, mark)))
      return { end: heading, isClosed: false };
    return { end: close + 1, isClosed: true };
  };
  return { openers, endOf };
}

const closerInList = /^[ \t]*(`{3,}|~{3,})(.*)$/u;

function note(nearest: Map<string, number>, mark: Mark | undefined, index: number): void {
  if (mark?.mayClose !== true) return;
  for (let length = 3; length <= mark.length; length++) nearest.set(mark.sign + length, index);
}

/**
 * For fence marks that are valid only in a list (indented like their item's content plus up to three spaces, CommonMark 5.2, or right after the list
 * marker): the index of the line that ends the item, i.e. the next line with less indentation.
 */
function itemEnds(lines: readonly string[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  if (!lines.some((line) => mayBeFence(line) && !markPattern.test(line) && markInList.test(line))) return ends;
  const open: { readonly content: number; readonly marks: number[] }[] = [];
  for (let index = 0; index <= lines.length; index++) {
    const line = lines[index] ?? "";
    if (index < lines.length && line.trim() === "") continue;
    const indent = index === lines.length ? -1 : indentOf(line);
    for (let item = open.at(-1); item !== undefined && item.content > indent; item = open.at(-1)) {
      for (const mark of item.marks) ends.set(mark, index);
      open.pop();
    }
    const { content, rest } = contentOf(line, indent);
    if (content > indent) open.push({ content, marks: [] });
    const item = open.at(-1);
    const isIn = item !== undefined && content >= item.content && content <= item.content + 3;
    const isMark = isIn && (content > indent || indent > 3) && markOf(rest) !== undefined;
    if (isMark) item.marks.push(index);
  }
  return ends;
}

/** Columns of leading white space; a tab extends to the next multiple of four. */
function indentOf(line: string): number {
  let column = 0;
  for (const sign of /^[ \t]*/u.exec(line)?.[0] ?? "") column += sign === "\t" ? 4 - (column % 4) : 1;
  return column;
}

/** The column where the text of a line begins after its list markers, and the rest of the line. */
function contentOf(line: string, indent: number): { readonly content: number; readonly rest: string } {
  const text = line.trimStart();
  const marks = /^(?:(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)|\t|$))+/u.exec(text)?.[0] ?? "";
  return { content: indent + marks.length + (marks !== "" && marks === text ? 1 : 0), rest: text.slice(marks.length) };
}

/**
 * Pattern source of list markers: Markdown's, and bullets used in other scripts. Japanese and Korean bullets need no space after them; a dash does.
 */
export const listMark = String.raw`(?:[-*+–—ー]\s+|\d{1,9}[.)]\s+|[•·‣・･●○■□◆◇▪※]\s*)`;
