import { endAt, leadBefore, skipLead, type Span } from "./span.ts";
import { isRestOfToken } from "./value.ts";

/** A secret that went up to the end of a window, and may go on in the next. */
export interface OpenSecret {
  readonly kind: string;
  /** What is in front of its first part: see `skipLead`. */
  readonly lead: string;
  /** The column of its cell, when it is in a table. */
  readonly cell: number;
  readonly seam: Seam;
  /** What its first part ends with. */
  readonly alphabet: "hex" | "mixed" | "other";
}

/** How a secret is broken: by the end of its line, between two literals, with a sign that joins them, or by its cell. */
type Seam = "line" | "literal" | "joined" | "cell";

interface Rest {
  readonly spans: readonly Span[];
  readonly open: OpenSecret | null;
}

const CONCATENATED = /\\{0,3}["'`][ \t]{0,8}(?:\+|\.\.?|&)[ \t]{0,8}\\{0,3}["'`](?=[^\r\n])/y;
const LITERAL = /[A-Za-z0-9+/=_.~%-]{1,512}(?=\\{0,3}["'`])/y;
const JOINED_END = /\\{0,3}["'`](?:[ \t]{0,8}[+&]|[ \t]{1,8}\.\.?)[ \t]{0,8}(?:\r?\n|$)/y;
const LITERAL_END = /\\{0,3}["'][ \t]{0,8}(?:\.\.?)?[ \t]{0,8}\\?(?:\r?\n|$)/y;
const LINE_END = /\.?\\{0,4}(?:=?\r?\n|\\[nr](?:\\n)?|<br ?\/?>|$)/y;
const CELL_END = /[ \t]{0,80}[|│][^\r\n]{0,400}(?:\r?\n|$)/y;
const BLANKS = /[ \t]{0,80}/y;
const QUOTE = /[ \t]{0,80}\\{0,3}["'`]/y;
const SIGN_AND_QUOTE = /[ \t]{0,80}(?:(?:\+|\.\.?|&)[ \t]{0,8})?\\{0,3}["']/y;
const RUN = /[A-Za-z0-9+/_.~%][A-Za-z0-9+/_.~%-]{0,16383}(?<!\.)={0,2}(?=\.?(?:[\s"'`,;)|│\\<&]|$))/y;
const CLOSED = /\\{0,3}["'](?![ \t]{0,8}[:=\w])/y;
const CAMEL_WORD = /[A-Z][a-z]{2,}/g;
const NUMBERED = /^[A-Z0-9]{1,8}(?:[-_.][A-Z0-9]{1,8}){1,4}$/;
const FILE = /\.[a-z]{1,4}\d?$/;
/** What is in front of a line that begins something new: a list item, a heading, a row of a table. */
const NEW = /(?:^[ \t>]*|[\t→│|][ \t]*|(?:^|:)\d+[:-][ \t]*)(?:[-*+•]|\d{1,4}[.)]|#{2,6})[ \t]|^[ \t>]*[|│].*[|│]/;

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
  const seam = end > until ? null : seamAt(text, end);
  const alphabet = alphabetOf(text.slice(first.start, first.end), text.charAt(end));
  if (seam === null || (alphabet === "other" && seam.seam !== "joined")) return null;
  const cell = seam.seam === "cell" ? cellOf(text, first.start) : 0;
  const lead = leadBefore(text, first.start).replace(/\\{0,3}["'`]$/, "");
  const open = { kind: first.kind, lead, alphabet, cell, seam: seam.seam } as const;
  return follow(text, { from: seam.next, until }, open, found);
}

/** Only what ends like a token goes on without a sign that joins; a full stop behind it ends it, unless it has such parts. */
function alphabetOf(first: string, next: string): OpenSecret["alphabet"] {
  if (next === "." && !first.includes(".")) return "other";
  const end = first.slice(-16);
  if (/^[0-9a-f]{8,}$/.test(end)) return "hex";
  return /^[A-Za-z0-9+/_.~%-]{16}$/.test(end) ? "mixed" : "other";
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
  const start = endAt(CONCATENATED, text, end);
  return start < 0 ? null : partAt(text, start, LITERAL);
}

function seamAt(text: string, end: number): { readonly seam: Seam; readonly next: number } | null {
  for (const [seam, pattern] of SEAMS) {
    const next = endAt(pattern, text, end);
    if (next >= 0) return { seam, next };
  }
  return null;
}

const SEAMS = [
  ["joined", JOINED_END],
  ["literal", LITERAL_END],
  ["line", LINE_END],
  ["cell", CELL_END],
] as const;

function findInLine(text: string, from: number, open: OpenSecret): Part | null {
  const led = skipLead(text, from, open.lead);
  const before = open.seam === "line" ? BLANKS : open.seam === "joined" ? QUOTE : SIGN_AND_QUOTE;
  const start = endAt(before, text, led);
  if (start < 0) return null;
  if (open.seam === "joined") return partAt(text, start, LITERAL);
  if (NEW.test(`${text.slice(from, led)} `)) return null;
  const part = partAt(text, start, RUN);
  if (part === null || open.seam === "line") return part;
  return endAt(CLOSED, text, part.end) < 0 ? null : part;
}

/** The same cell of the next row, when that row has others and all are empty: a long cell that was wrapped. */
function findInCell(text: string, from: number, cell: number): Part | null {
  const stop = text.indexOf("\n", from);
  const line = text.slice(from, stop < 0 ? text.length : stop);
  const cells = line.split(/[|│]/);
  if (
    cells.length < (/^\s*[|│]/.test(line) ? 4 : 2) ||
    cells.length <= cell ||
    cells.some((one, i) => i !== cell && one.trim() !== "")
  )
    return null;
  const before = cells.slice(0, cell).join("|").length + (cell > 0 ? 1 : 0);
  return partAt(text, from + before + (/^\s*/.exec(cells[cell] ?? "")?.[0].length ?? 0), RUN);
}

function partAt(text: string, start: number, pattern: RegExp): Part | null {
  const end = endAt(pattern, text, start);
  return end < 0 ? null : { start, end };
}

function belongs(run: string, open: OpenSecret): boolean {
  if (open.seam === "joined") return true;
  return (isRestOfToken(run) && !isNamed(run)) || (open.alphabet === "hex" && /^[0-9a-f]{8,}$/.test(run));
}

/** `IPv6Address`, `CVE-2031-4711`, `Api3Client.ts`: letters and digits that someone chose. */
function isNamed(run: string): boolean {
  const words = run.match(CAMEL_WORD)?.filter((word) => /[aeiouy]/i.test(word)) ?? [];
  return words.join("").length * 2 >= run.length || NUMBERED.test(run) || FILE.test(run);
}

/** The number of borders before `at` in its line. */
function cellOf(text: string, at: number): number {
  return leadBefore(text, at).split(/[|│]/).length - 1;
}

function spanOf(start: number, end: number, kind: string): Span {
  return { start, end, kind, by: "context", part: "continued" };
}
