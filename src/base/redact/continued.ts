import { leadBefore, skipLead } from "./line-lead.ts";
import type { Span } from "./span.ts";
import { isRestOfToken } from "./value.ts";

/** A secret that went up to the end of a window, and may go on in the next. */
export interface OpenSecret {
  readonly kind: string;
  /** What is in front of its first part: see `skipLead`. */
  readonly lead: string;
  /** The column of its cell, when it is in a table. */
  readonly cell: number;
  readonly seam: Seam;
  readonly isHex: "hex" | "mixed";
}

/** How a secret is broken: by the end of a line alone, or by signs that join the parts. */
type Seam = "line" | "joined" | "cell";

interface Rest {
  readonly spans: readonly Span[];
  readonly open: OpenSecret | null;
}

const CONCATENATED = /\\{0,3}["'`][ \t]{0,8}(?:\+|\.\.?|&)[ \t]{0,8}\\{0,3}["'`](?=[^\r\n])/y;
const LITERAL = /[A-Za-z0-9+/=_.~%-]{1,512}(?=\\{0,3}["'`])/y;
const JOINED_LINE = /\.?(?:\\{1,2}|\\{0,3}["'`][ \t]{0,8}(?:\+|\.\.?|&)?[ \t]{0,8}\\?)(?:\r?\n|$)/y;
const LINE_END = /\.?\\{0,4}(?:=?\r?\n|\\[nr](?:\\n)?|<br ?\/?>|$)/y;
const CELL_END = /[ \t]{0,80}[|│][^\r\n]{0,400}(?:\r?\n|$)/y;
const JOINER = /[ \t]{0,80}(?:(?:\+|\.\.?|&)[ \t]{0,8})?\\{0,3}["'`]?/y;
const INDENT = /[ \t>#*|│]{0,80}/y;
const RUN = /[A-Za-z0-9+/=_.~%-]{2,16384}(?=[\s"'`,;)|│\\<&]|$)/y;

/** The other parts of the secrets that `spans` found the first part of; `open` is what the window before left open. */
export function findRests(text: string, spans: readonly Span[], open: OpenSecret | null): Rest {
  const found: Span[] = [];
  const startAfter = (i: number): number => spans[i + 1]?.start ?? text.length;
  let left = open === null ? null : follow(text, { from: 0, until: startAfter(-1) }, open, found);
  spans.forEach((span, i) => {
    if (span.by !== "block") left = followFrom(text, span, startAfter(i), found) ?? left;
  });
  return { spans: found, open: left };
}

function followFrom(text: string, first: Span, until: number, found: Span[]): OpenSecret | null {
  let end = first.end;
  for (let next = concatenated(text, end); next !== null && next.start < until; next = concatenated(text, end)) {
    found.push(spanOf(next.start, next.end, first.kind));
    end = next.end;
  }
  const end16 = text.slice(Math.max(first.start, first.end - 16), first.end);
  const isHex = /^[0-9a-f]{8,}$/.test(end16) ? "hex" : "mixed";
  const seam = end > until ? null : seamAt(text, end);
  if (seam === null) return null;
  const cell = seam.seam === "cell" ? cellOf(text, first.start) : 0;
  const open = { kind: first.kind, lead: leadBefore(text, first.start), isHex, cell, seam: seam.seam } as const;
  return follow(text, { from: seam.next, until }, open, found);
}

/** Takes the parts that begin in the line at `from` and in those after it, up to the next secret. */
function follow(
  text: string,
  { from, until }: { readonly from: number; readonly until: number },
  first: OpenSecret,
  found: Span[],
): OpenSecret | null {
  let open = first;
  for (let at = from; at < text.length;) {
    const part = open.seam === "cell" ? findInCell(text, at, open.cell) : findInLine(text, at, open);
    if (part === null || part.start >= until || !belongs(text.slice(part.start, part.end), open)) return null;
    found.push(spanOf(part.start, part.end, open.kind));
    const seam = part.end > until ? null : seamAt(text, part.end);
    if (seam === null) return null;
    open = { ...open, seam: seam.seam === "cell" && open.seam !== "cell" ? "line" : seam.seam };
    at = seam.next;
  }
  return open;
}

interface Part {
  readonly start: number;
  readonly end: number;
}

function concatenated(text: string, end: number): Part | null {
  CONCATENATED.lastIndex = end;
  if (!CONCATENATED.test(text)) return null;
  LITERAL.lastIndex = CONCATENATED.lastIndex;
  const start = LITERAL.lastIndex;
  return LITERAL.test(text) ? { start, end: LITERAL.lastIndex } : null;
}

function seamAt(text: string, end: number): { readonly seam: Seam; readonly next: number } | null {
  for (const [seam, pattern] of SEAMS) {
    pattern.lastIndex = end;
    if (pattern.test(text)) return { seam, next: pattern.lastIndex };
  }
  return null;
}

const SEAMS = [
  ["joined", JOINED_LINE],
  ["line", LINE_END],
  ["cell", CELL_END],
] as const;

function findInLine(text: string, from: number, open: OpenSecret): Part | null {
  const led = skipLead(text, from, open.lead);
  const pattern = open.seam === "joined" ? JOINER : INDENT;
  pattern.lastIndex = led;
  pattern.test(text);
  return runAt(text, Math.max(led, pattern.lastIndex));
}

/** The same cell of the next row, when the others of that row are empty: a long cell that was wrapped. */
function findInCell(text: string, from: number, cell: number): Part | null {
  const stop = text.indexOf("\n", from);
  const line = text.slice(from, stop < 0 ? text.length : stop);
  const cells = line.split(/[|│]/);
  if (cells.length <= cell || cells.some((one, i) => i !== cell && one.trim() !== "")) return null;
  const before = cells.slice(0, cell).join("|").length + (cell > 0 ? 1 : 0);
  return runAt(text, from + before + (/^\s*/.exec(cells[cell] ?? "")?.[0].length ?? 0));
}

function runAt(text: string, start: number): Part | null {
  RUN.lastIndex = start;
  return RUN.test(text) ? { start, end: RUN.lastIndex } : null;
}

function belongs(run: string, open: OpenSecret): boolean {
  if (open.seam === "joined") return !run.startsWith("--");
  return isRestOfToken(run) || (open.isHex === "hex" && /^[0-9a-f]{8,}$/.test(run));
}

/** The number of borders before `at` in its line. */
function cellOf(text: string, at: number): number {
  return leadBefore(text, at).split(/[|│]/).length - 1;
}

function spanOf(start: number, end: number, kind: string): Span {
  return { start, end, kind, by: "context", part: "continued" };
}
