/**
 * The line scanner for Markdown: it knows headings and fences and nothing else (CommonMark 0.31, sections 4.2 and 4.5), with
 * one deliberate difference: a fence that is never closed ends before the next line that begins with `## `.
 */

export type LineKind = "text" | "heading" | "fence" | "code";

export interface ScannedLine {
  readonly kind: LineKind;
  /** Heading level from 1 to 6; 0 for every other kind. */
  readonly level: number;
}

export interface ScannedLines {
  /** One for each line given. */
  readonly lines: readonly ScannedLine[];
  /** 0-based indices of the marks that open a fence which is never closed. */
  readonly unclosed: readonly number[];
}

/** Tells for every line whether it is a heading, the mark of a fence, code inside a fence, or text. Linear. */
export function scanLines(lines: readonly string[]): ScannedLines {
  const scanned: ScannedLine[] = [];
  const unclosed: number[] = [];
  const fences = lines.some(mayBeFence) ? planFences(lines) : undefined;
  for (let index = 0; index < lines.length;) {
    const fence = fences?.get(index);
    if (fence === undefined) {
      const heading = parseHeading(lines[index] ?? "");
      scanned.push(heading === undefined ? textLine : { kind: "heading", level: heading.level });
      index += 1;
      continue;
    }
    if (fence.closed === "no") unclosed.push(index);
    const last = fence.end - 1;
    for (let at = index; at < fence.end; at++) {
      const isMark = at === index || (at === last && fence.closed === "yes");
      scanned.push(isMark ? fenceLine : codeLine);
    }
    index = fence.end;
  }
  return { lines: scanned, unclosed };
}

const textLine: ScannedLine = { kind: "text", level: 0 };
const fenceLine: ScannedLine = { kind: "fence", level: 0 };
const codeLine: ScannedLine = { kind: "code", level: 0 };
const headingStart = /^(#{1,6})(?:[ \t]+(.*))?$/u;

/** The heading that a line outside a fence is; closing hashes are dropped. */
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

interface Fence {
  /** The index after its last line. */
  readonly end: number;
  readonly closed: "yes" | "no";
}

interface Mark {
  readonly sign: string;
  readonly length: number;
  readonly closes: "yes" | "no";
}

const markPattern = /^ {0,3}(`{3,}|~{3,})(.*)$/u;
const longestMark = 32;

function mayBeFence(line: string): boolean {
  return line.includes("```") || line.includes("~~~");
}

function markOf(line: string): Mark | undefined {
  const match = mayBeFence(line) ? markPattern.exec(line) : null;
  if (match === null) return undefined;
  const run = match[1] ?? "";
  const rest = match[2] ?? "";
  const sign = run.charAt(0);
  if (sign === "`" && rest.includes("`")) return undefined;
  return { sign, length: Math.min(run.length, longestMark), closes: rest.trim() === "" ? "yes" : "no" };
}

/**
 * Where each fence ends. One that holds a `## ` line was forgotten to be closed when ending it before that line leaves no
 * fence open, and closing it where it seems to end would leave a later one open or swallow the beginning of one.
 */
function planFences(lines: readonly string[]): ReadonlyMap<number, Fence> {
  const back = readBackwards(lines);
  const fences = new Map<number, Fence>();
  for (let index = 0; index < lines.length;) {
    const opener = back.closer.get(index);
    if (opener === undefined) {
      index += 1;
      continue;
    }
    const heading = back.nextHeading[index + 1] ?? lines.length;
    const close = opener.at;
    const forgotten = close === undefined || (heading < close && isForgotten(lines, back, { index, heading, close }));
    const fence: Fence = forgotten ? { end: heading, closed: "no" } : { end: close + 1, closed: "yes" };
    fences.set(index, fence);
    index = fence.end;
  }
  return fences;
}

function isForgotten(
  lines: readonly string[],
  back: Backwards,
  fence: { readonly index: number; readonly heading: number; readonly close: number },
): boolean {
  if (back.balanced[fence.heading] === 0) return false;
  if (back.balanced[fence.close + 1] === 0) return true;
  const opening = back.nextOpening[fence.heading] ?? lines.length;
  if (opening >= fence.close) return false;
  return (markOf(lines[opening] ?? "")?.length ?? 0) >= (markOf(lines[fence.index] ?? "")?.length ?? 0);
}

interface Backwards {
  /** For each line that could open a fence: the line that would close it. */
  readonly closer: ReadonlyMap<number, { readonly at: number | undefined }>;
  /** Whether a strict reading that begins at this line leaves no fence open (1) or one (0). */
  readonly balanced: Uint8Array;
  /** The next line at or after this one that begins with `## `. */
  readonly nextHeading: Int32Array;
  /** The next mark at or after this line that can only open a fence, as ```` ```sh ````. */
  readonly nextOpening: Int32Array;
}

function readBackwards(lines: readonly string[]): Backwards {
  const closer = new Map<number, { readonly at: number | undefined }>();
  const balanced = new Uint8Array(lines.length + 2).fill(1);
  const nextHeading = new Int32Array(lines.length + 2).fill(lines.length);
  const nextOpening = new Int32Array(lines.length + 2).fill(lines.length);
  const nearest = new Map<string, number>();
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? "";
    nextHeading[index] = line.startsWith("## ") ? index : (nextHeading[index + 1] ?? lines.length);
    balanced[index] = balanced[index + 1] ?? 1;
    nextOpening[index] = nextOpening[index + 1] ?? lines.length;
    const mark = markOf(line);
    if (mark === undefined) continue;
    const at = nearest.get(mark.sign + mark.length);
    closer.set(index, { at });
    balanced[index] = at === undefined ? 0 : (balanced[at + 1] ?? 1);
    if (mark.closes === "no") nextOpening[index] = index;
    else for (let length = 3; length <= mark.length; length++) nearest.set(mark.sign + length, index);
  }
  return { closer, balanced, nextHeading, nextOpening };
}
