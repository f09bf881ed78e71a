import { endAt, leadBefore, matchAt, secretAt, skipLead, type Span } from "./span.ts";
import { isRestOfToken } from "./value.ts";

/** A private key block that is open at the end of a window. */
export interface OpenBlock {
  /** `head`: nothing of the key itself seen yet. `tail`: its last line seen, so only an end line can follow. */
  readonly phase: "head" | "body" | "tail";
  /** Lines of the block so far. */
  readonly lines: number;
  /** The text before the opening line, which is expected before the other lines too: see `skipLead`. */
  readonly lead: string;
}

/** The findings in one window, and what is still open after it. */
interface Found<Open> {
  readonly spans: readonly Span[];
  readonly open: Open | null;
}

const KIND = "private-key";
const MAX_LINES = 200;
/** The opening line and its headers. */
const MAX_HEAD = 14;
const MAX_INLINE = 32_768;
const FULL_LINE = 32;
const MAX_LINE = 16_384;
const BEGIN = /-{4,5}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{4,5}/y;
const END = /-{3,5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{2,5}/;
const INLINE =
  /(?:[A-Za-z0-9+/=]|\\{1,4}[nrt]|[ \t:|→]){32,32768}(?:-{3,5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{2,5})?/y;
/** What may surround a line of a key: quote signs, borders, comments, joints between string literals. */
const SIDE = "[\\s>#*|│\"'`-]{0,24}";
const TAIL = "(?:\\\\{1,4}[nr])?[\"'`]?[\\s+,;\\\\|│]{0,8}(?:<br ?/?>)?";
const NOTHING_MORE = new RegExp(`^${TAIL}$`);
const BODY_LINE = new RegExp(`^(${SIDE}(?://[ \\t]{1,4})?)([A-Za-z0-9+/=]{0,16384})${TAIL}$`);
const HEADER_LINE = new RegExp(`^(${SIDE})([A-Za-z][A-Za-z0-9-]{1,40}:[ \\t][^\\n]{0,200}?)${TAIL}$`);

/** Finds the private keys of a window; `open` is the block left open by the window before. */
export function findBlocks(text: string, open: OpenBlock | null): Found<OpenBlock> {
  const spans: Span[] = [];
  const opened = open === null ? null : followBlock(text, 0, open, spans);
  let { at, block } = opened ?? { at: 0, block: null };
  for (let begin = text.indexOf("-----BEGIN ", at); begin >= 0; begin = text.indexOf("-----BEGIN ", at)) {
    ({ at, block } = openBlock(text, begin, spans));
  }
  return { spans, open: block };
}

interface Reached {
  readonly at: number;
  readonly block: OpenBlock | null;
}

function openBlock(text: string, begin: number, spans: Span[]): Reached {
  const after = endAt(BEGIN, text, begin);
  if (after < 0) return { at: begin + 11, block: null };
  const another = text.indexOf("-----BEGIN ", after);
  const rest = text.slice(after, Math.min(after + MAX_INLINE, another < 0 ? text.length : another));
  const lead = leadBefore(text, begin);
  const stop = cellStop(text, after, after + lineStop(rest, 0), lead);
  if (stop !== another && stop - after < 64 && NOTHING_MORE.test(text.slice(after, stop))) {
    const reached = followBlock(text, nextLine(text, stop), { phase: "head", lines: 1, lead }, spans);
    if (reached !== null) spans.push(blockSpan(begin, after, "first"));
    return reached ?? { at: after, block: null };
  }
  const end = inlineEnd(rest.slice(0, stop - after), after);
  if (end > 0) spans.push(blockSpan(begin, end, "first"));
  return { at: Math.max(end, after), block: null };
}

/** The end of a key written on one line, with or without escaped line breaks; 0 when there is none. */
function inlineEnd(rest: string, after: number): number {
  const close = END.exec(rest);
  if (close !== null && /[A-Za-z0-9+/=]{32}/.test(rest.slice(0, close.index))) {
    return after + close.index + close[0].length;
  }
  const run = matchAt(INLINE, rest, 0)?.[0] ?? "";
  return /[A-Za-z0-9+/=]{32}/.test(run) ? after + run.length : 0;
}

/** Follows an open block from the start of a line; null where no key follows its head. */
function followBlock(text: string, from: number, open: OpenBlock, spans: Span[]): Reached | null {
  const known = spans.length;
  let block = open;
  let at = from;
  while (at < text.length) {
    const isHead = block.phase === "head";
    const { start, stop } = ownPart(text, at, block.lead);
    const isTooLong = block.lines >= (isHead ? MAX_HEAD : MAX_LINES);
    const step = isTooLong ? null : takeLine(text.slice(start, Math.min(stop, at + MAX_LINE)), block.phase);
    if (isHead && (step === null || step.phase === "closed")) {
      spans.length = known;
      return null;
    }
    if (step === null) return { at, block: null };
    if (step.end > step.start) spans.push(blockSpan(start + step.start, start + step.end, "continued"));
    if (step.phase === "closed") return { at: start + step.end, block: null };
    block = { phase: step.phase, lines: block.lines + 1, lead: block.lead };
    at = nextLine(text, stop);
  }
  return { at, block };
}

interface Taken {
  readonly start: number;
  readonly end: number;
  readonly phase: OpenBlock["phase"] | "closed";
}

/** The part of this line that belongs to the block; null when the block cannot continue here. */
function takeLine(line: string, phase: OpenBlock["phase"]): Taken | null {
  const close = END.exec(line);
  if (close !== null) {
    const lead = /^[\s>#*|│"'`]*/.exec(line)?.[0].length ?? 0;
    const isWhole = /^[A-Za-z0-9+/=]*$/.test(line.slice(lead, close.index));
    return { start: isWhole ? lead : close.index, end: close.index + close[0].length, phase: "closed" };
  }
  const body = BODY_LINE.exec(line);
  if (body !== null) return takeBody(body[1]?.length ?? 0, body[2] ?? "", phase);
  const header = phase === "head" ? HEADER_LINE.exec(line) : null;
  if (header === null) return null;
  const start = header[1]?.length ?? 0;
  return { start, end: start + (header[2]?.length ?? 0), phase: "head" };
}

function takeBody(lead: number, core: string, phase: OpenBlock["phase"]): Taken | null {
  if (core === "") return { start: 0, end: 0, phase };
  const end = lead + core.length;
  if (core.length >= FULL_LINE) return phase === "tail" ? null : { start: lead, end, phase: "body" };
  if (phase === "body") return { start: lead, end, phase: "tail" };
  return phase === "tail" && /^=[A-Za-z0-9+/]{4}$/.test(core) ? { start: lead, end, phase } : null;
}

function blockSpan(start: number, end: number, part: Span["part"]): Span {
  return { start, end, kind: KIND, by: "block", part };
}

/**
 * The part of the line at `at` that can belong to the key: after the lead shared with the opening line, within its
 * cell.
 */
function ownPart(text: string, at: number, lead: string): { start: number; stop: number } {
  const stop = lineStop(text, at);
  if (lead === "") return { start: at, stop };
  const mark = text.slice(at, Math.min(stop, at + MAX_LINE)).search(/-{3,5}END /);
  const start = Math.min(skipLead(text, at, lead), mark < 0 ? stop : at + mark);
  return { start, stop: cellStop(text, start, stop, lead) };
}

/** The end of the table cell that begins at `from`; outside tables the end of the line. */
function cellStop(text: string, from: number, stop: number, lead: string): number {
  if (!/^[ \t>]*[|│]/.test(lead)) return stop;
  const border = text.slice(from, stop).search(/[|│]/);
  return border < 0 ? stop : from + border;
}

/** The end of the line at `from`, before its line break. */
function lineStop(text: string, from: number): number {
  const stop = text.indexOf("\n", from);
  if (stop < 0) return text.length;
  return stop > from && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
}

function nextLine(text: string, stop: number): number {
  const end = text.indexOf("\n", stop);
  return end < 0 ? text.length : end + 1;
}

/** A secret that reaches the end of a window and may continue in the next. */
export interface OpenSecret {
  readonly kind: string;
  /** The text before its first part: see `skipLead`. */
  readonly lead: string;
  /** The cell borders before it in its line. */
  readonly cell: number;
  readonly seam: keyof typeof SEAMS;
  /** How its first part ends. */
  readonly alphabet: "hex" | "mixed" | "other";
}

/** A part of a secret: a whole literal, or a run of characters as in tokens. */
const LITERAL = String.raw`([A-Za-z0-9+/=_.~%-]{1,512})(?=\\{0,3}["'\x60])`;
const RUN = String.raw`([A-Za-z0-9+/_.~%][A-Za-z0-9+/_.~%-]{0,16383}(?<!\.)={0,2})(?=\.?(?:[\s"'\x60,;)|│\\<&]|$))`;
const CONCATENATED = sticky(String.raw`\\{0,3}["'\x60][ \t]{0,8}(?:\+|\.\.?|&)[ \t]{0,8}\\{0,3}["'\x60]${LITERAL}`);
/**
 * How a secret is broken: at an operator that joins two literals, between two literals, at the end of its line, or by its cell. What ends a part, and the
 * next part with what may come before it in its line.
 */
const SEAMS = {
  joined: {
    end: /\\{0,3}["'`](?:[ \t]{0,8}[+&]|[ \t]{1,8}\.\.?)[ \t]{0,8}(?:\r?\n|$)/y,
    next: sticky(String.raw`[ \t]{0,80}\\{0,3}["'\x60]${LITERAL}`),
  },
  literal: {
    end: /\\{0,3}["'][ \t]{0,8}(?:\.\.?)?[ \t]{0,8}\\?(?:\r?\n|$)/y,
    next: sticky(
      String.raw`[ \t]{0,80}(?:(?:\+|\.\.?|&)[ \t]{0,8})?\\{0,3}["']${RUN}(?=\\{0,3}["'](?![ \t]{0,8}[:=\w]))`,
    ),
  },
  line: { end: /\.?\\{0,4}(?:=?\r?\n|\\[nr](?:\\n)?|<br ?\/?>|$)/y, next: sticky(String.raw`[ \t]{0,80}${RUN}`) },
  cell: { end: /[ \t]{0,80}[|│][^\r\n]{0,400}(?:\r?\n|$)/y, next: sticky(String.raw`[ \t]{0,80}${RUN}`) },
};

function sticky(pattern: string): RegExp {
  return new RegExp(pattern, "y");
}

const CAMEL_WORD = /[A-Z][a-z]{2,}/g;
const NUMBERED = /^[A-Z0-9]{1,8}(?:[-_.][A-Z0-9]{1,8}){1,4}$/;
const FILE = /\.[a-z]{1,4}\d?$/;
/** Precedes text that begins something new: a list item, a heading, a table row. */
const NEW = /(?:^[ \t>]*|[\t→│|][ \t]*|(?:^|:)\d+[:-][ \t]*)(?:[-*+•]|\d{1,4}[.)]|#{2,6})[ \t]|^[ \t>]*[|│].*[|│]/;

/**
 * The other parts of the secrets whose first parts are `spans`; `open` is the secret left open by the window before.
 */
export function findRests(text: string, spans: readonly Span[], open: OpenSecret | null): Found<OpenSecret> {
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
  const nextLiteral = (): Stretch | null => partAt(text, end, CONCATENATED);
  for (let next = nextLiteral(); next !== null && next.start < until; next = nextLiteral()) {
    found.push(secretAt(next.start, next.end, first.kind, "continued"));
    end = next.end;
  }
  const seam = end > until ? null : seamAt(text, end);
  const alphabet = alphabetOf(text.slice(first.start, first.end), text.charAt(end));
  if (seam === null || (alphabet === "other" && seam.seam !== "joined")) return null;
  const before = leadBefore(text, first.start);
  const cell = before.split(/[|│]/).length - 1;
  const open = { kind: first.kind, lead: before.replace(/\\{0,3}["'`]$/, ""), alphabet, cell, seam: seam.seam };
  return follow(text, { from: seam.next, until }, open, found);
}

/**
 * Without a joining operator only what ends like a token continues; a full stop after it ends it, unless it has such
 * parts.
 */
function alphabetOf(first: string, next: string): OpenSecret["alphabet"] {
  if (next === "." && !first.includes(".")) return "other";
  const end = first.slice(-16);
  if (/^[0-9a-f]{8,}$/.test(end)) return "hex";
  return /^[A-Za-z0-9+/_.~%-]{16}$/.test(end) ? "mixed" : "other";
}

/** Takes the parts that begin in the line at `from` and the lines after it, up to the next secret. */
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
    found.push(secretAt(part.start, part.end, open.kind, "continued"));
    const seam = part.end > until ? null : seamAt(text, part.end);
    if (seam === null) return null;
    open = { ...open, seam: seam.seam === "cell" && open.seam !== "cell" ? "line" : seam.seam };
    at = seam.next;
  }
  return open;
}

type Stretch = Pick<Span, "start" | "end">;

function seamAt(text: string, end: number) {
  for (const seam of ["joined", "literal", "line", "cell"] as const) {
    const next = endAt(SEAMS[seam].end, text, end);
    if (next >= 0) return { seam, next };
  }
  return null;
}

function findInLine(text: string, from: number, { seam, lead }: OpenSecret): Stretch | null {
  const led = skipLead(text, from, lead);
  const isNew = seam !== "joined" && NEW.test(`${text.slice(from, led)} `);
  return isNew ? null : partAt(text, led, SEAMS[seam].next);
}

/** The same cell of the next row, if that row has other cells and all are empty: a wrapped long cell. */
function findInCell(text: string, from: number, cell: number): Stretch | null {
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
  return partAt(text, from + before, SEAMS.cell.next);
}

function partAt(text: string, at: number, pattern: RegExp): Stretch | null {
  const part = matchAt(pattern, text, at)?.[1];
  return part === undefined ? null : { start: pattern.lastIndex - part.length, end: pattern.lastIndex };
}

function belongs(run: string, open: OpenSecret): boolean {
  if (open.seam === "joined") return true;
  return (isRestOfToken(run) && !isNamed(run)) || (open.alphabet === "hex" && /^[0-9a-f]{8,}$/.test(run));
}

/** `IPv6Address`, `CVE-2031-4711`, `Api3Client.ts`: letters and digits chosen by a person. */
function isNamed(run: string): boolean {
  const words = run.match(CAMEL_WORD)?.filter((word) => /[aeiouy]/i.test(word)) ?? [];
  return words.join("").length * 2 >= run.length || NUMBERED.test(run) || FILE.test(run);
}
