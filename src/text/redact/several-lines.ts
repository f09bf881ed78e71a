import { endAt, leadBefore, matchAt, secretAt, skipLead, type Span } from "./span.ts";
import { isRestOfToken } from "./value.ts";

/** The state of reading a private key. `head`: before the key itself. `tail`: after its last line, so only an end line can follow. */
type Phase = "head" | "body" | "tail";

const KIND = "private-key";
const MAX_LINES = 200;
/** In lines: the opening line and its headers. */
const MAX_HEAD = 14;
const MAX_INLINE = 32_768;
const FULL_LINE = 32;
const MAX_LINE = 16_384;
const BEGIN = /-{4,5}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{4,5}/y;
const END = /-{3,5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{2,5}/;
const INLINE =
  /(?:[A-Za-z0-9+/=]|\\{1,4}[nrt]|[ \t:|→]){32,32768}(?:-{3,5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{2,5})?/y;
/** What may surround a line of a key: quote signs, borders, comment signs, operators between string literals. */
const SIDE = "[\\s>#*|│\"'`-]{0,24}";
const TAIL = "(?:\\\\{1,4}[nr])?[\"'`]?[\\s+,;\\\\|│]{0,8}(?:<br ?/?>)?";
const NOTHING_MORE = new RegExp(`^${TAIL}$`);
const BODY_LINE = new RegExp(`^(${SIDE}(?://[ \\t]{1,4})?)([A-Za-z0-9+/=]{0,16384})${TAIL}$`);
const HEADER_LINE = new RegExp(`^(${SIDE})([A-Za-z][A-Za-z0-9-]{1,40}:[ \\t][^\\n]{0,200}?)${TAIL}$`);

/** Finds the private keys in a text. */
export function findBlocks(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let begin = text.indexOf("-----BEGIN "); begin >= 0;)
    begin = text.indexOf("-----BEGIN ", readBlock(text, begin, spans));
  return spans;
}

/** Reads the block that begins at `begin`; returns where to continue. */
function readBlock(text: string, begin: number, spans: Span[]): number {
  const after = endAt(BEGIN, text, begin);
  if (after < 0) return begin + 11;
  const another = text.indexOf("-----BEGIN ", after);
  const rest = text.slice(after, Math.min(after + MAX_INLINE, another < 0 ? text.length : another));
  const lead = leadBefore(text, begin);
  const stop = cellStop(text, after, after + lineStop(rest, 0), lead);
  if (stop !== another && stop - after < 64 && NOTHING_MORE.test(text.slice(after, stop))) {
    const reached = followBlock(text, nextLine(text, stop), lead, spans);
    if (reached !== null) spans.push(blockSpan(begin, after, "first"));
    return reached ?? after;
  }
  const end = inlineEnd(rest.slice(0, stop - after), after);
  if (end > 0) spans.push(blockSpan(begin, end, "first"));
  return Math.max(end, after);
}

/** The end of a key written on one line, with or without escaped line breaks; 0 if there is none. */
function inlineEnd(rest: string, after: number): number {
  const close = END.exec(rest);
  if (close !== null && /[A-Za-z0-9+/=]{32}/.test(rest.slice(0, close.index))) {
    return after + close.index + close[0].length;
  }
  const run = matchAt(INLINE, rest, 0)?.[0] ?? "";
  return /[A-Za-z0-9+/=]{32}/.test(run) ? after + run.length : 0;
}

/** The end of a block whose lines start at `from`; null if no key follows its head. */
function followBlock(text: string, from: number, lead: string, spans: Span[]): number | null {
  const known = spans.length;
  let phase: Phase = "head";
  let at = from;
  for (let lines = 1; at < text.length; lines++) {
    const { start, stop } = ownPart(text, at, lead);
    const isTooLong: boolean = lines >= (phase === "head" ? MAX_HEAD : MAX_LINES);
    const step: Taken | null = isTooLong ? null : takeLine(text.slice(start, Math.min(stop, at + MAX_LINE)), phase);
    if (phase === "head" && (step === null || step.phase === "closed")) {
      spans.length = known;
      return null;
    }
    if (step === null) return at;
    if (step.end > step.start) spans.push(blockSpan(start + step.start, start + step.end, "continued"));
    if (step.phase === "closed") return start + step.end;
    phase = step.phase;
    at = nextLine(text, stop);
  }
  return at;
}

interface Taken {
  readonly start: number;
  readonly end: number;
  readonly phase: Phase | "closed";
}

/** The part of this line that belongs to the block; null if the block cannot continue here. */
function takeLine(line: string, phase: Phase): Taken | null {
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

function takeBody(lead: number, core: string, phase: Phase): Taken | null {
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

/** The end of the table cell that begins at `from`; outside tables, the end of the line. */
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

/** Patterns for a part of a secret: a whole literal, or a run of token characters. */
const LITERAL = String.raw`([A-Za-z0-9+/=_.~%-]{1,512})(?=\\{0,3}["'\x60])`;
const RUN = String.raw`([A-Za-z0-9+/_.~%][A-Za-z0-9+/_.~%-]{0,16383}(?<!\.)={0,2})(?=\.?(?:[\s"'\x60,;)|│\\<&]|$))`;
const CONCATENATED = sticky(String.raw`\\{0,3}["'\x60][ \t]{0,8}(?:\+|\.\.?|&)[ \t]{0,8}\\{0,3}["'\x60]${LITERAL}`);
/**
 * The ways a secret can be split: at an operator that joins two literals, between two literals, at the end of a line, or at the border of a table
 * cell. `end` matches after a part; `next` matches the next part and what may precede it on its line.
 */
const SEAMS = [
  {
    is: "joined",
    end: /\\{0,3}["'`](?:[ \t]{0,8}[+&]|[ \t]{1,8}\.\.?)[ \t]{0,8}(?:\r?\n|$)/y,
    next: sticky(String.raw`[ \t]{0,80}\\{0,3}["'\x60]${LITERAL}`),
  },
  {
    is: "literal",
    end: /\\{0,3}["'][ \t]{0,8}(?:\.\.?)?[ \t]{0,8}\\?(?:\r?\n|$)/y,
    next: sticky(
      String.raw`[ \t]{0,80}(?:(?:\+|\.\.?|&)[ \t]{0,8})?\\{0,3}["']${RUN}(?=\\{0,3}["'](?![ \t]{0,8}[:=\w]))`,
    ),
  },
  { is: "line", end: /\.?\\{0,4}(?:=?\r?\n|\\[nr](?:\\n)?|<br ?\/?>|$)/y, next: sticky(String.raw`[ \t]{0,80}${RUN}`) },
  { is: "cell", end: /[ \t]{0,80}[|│][^\r\n]{0,400}(?:\r?\n|$)/y, next: sticky(String.raw`[ \t]{0,80}${RUN}`) },
] as const;

function sticky(pattern: string): RegExp {
  return new RegExp(pattern, "y");
}

const CAMEL_WORD = /[A-Z][a-z]{2,}/g;
const NUMBERED = /^[A-Z0-9]{1,8}(?:[-_.][A-Z0-9]{1,8}){1,4}$/;
const FILE = /\.[a-z]{1,4}\d?$/;
/** The start of a new list item, heading or table row. */
const NEW = /(?:^[ \t>]*|[\t→│|][ \t]*|(?:^|:)\d+[:-][ \t]*)(?:[-*+•]|\d{1,4}[.)]|#{2,6})[ \t]|^[ \t>]*[|│].*[|│]/;

/** Finds the remaining parts of the secrets whose first parts are `spans`, up to the next secret. */
export function findRests(text: string, spans: readonly Span[]): readonly Span[] {
  return spans.flatMap((span, i) =>
    span.by === "block" ? [] : restsOf(text, span, spans[i + 1]?.start ?? text.length),
  );
}

function restsOf(text: string, first: Span, until: number): readonly Span[] {
  const found: Span[] = [];
  let { end } = first;
  const take = (part: Stretch): void => {
    found.push(secretAt(part.start, part.end, first.kind, "continued"));
    end = part.end;
  };
  const nextLiteral = (): Stretch | null => partAt(text, end, CONCATENATED);
  for (let next = nextLiteral(); next !== null && next.start < until; next = nextLiteral()) take(next);
  const alphabet = alphabetOf(text.slice(first.start, first.end), text.charAt(end));
  const before = leadBefore(text, first.start);
  const cell = before.split(/[|│]/).length - 1;
  const lead = before.replace(/\\{0,3}["'`]$/, "");
  let isInCell = true;
  for (let isFirst = true; end <= until; isFirst = false) {
    const seam = SEAMS.find((one) => endAt(one.end, text, end) >= 0);
    if (seam === undefined || (isFirst && alphabet === "other" && seam.is !== "joined")) break;
    isInCell &&= seam.is === "cell";
    const next = seam.end.lastIndex;
    const part = isInCell ? findInCell(text, next, cell, seam) : findInLine(text, next, lead, seam);
    if (part === null || part.start >= until) break;
    if (seam.is !== "joined" && !belongs(text.slice(part.start, part.end), alphabet)) break;
    take(part);
  }
  return found;
}

/**
 * The alphabet of a secret's first part. `other`: the secret can continue only if an operator joins the literals, because
 * the part does not end like a token, or a period follows it and it contains none.
 */
function alphabetOf(first: string, next: string): "hex" | "mixed" | "other" {
  if (next === "." && !first.includes(".")) return "other";
  const end = first.slice(-16);
  if (/^[0-9a-f]{8,}$/.test(end)) return "hex";
  return /^[A-Za-z0-9+/_.~%-]{16}$/.test(end) ? "mixed" : "other";
}

type Seam = (typeof SEAMS)[number];
type Stretch = Pick<Span, "start" | "end">;

function findInLine(text: string, from: number, lead: string, { is, next }: Seam): Stretch | null {
  const led = skipLead(text, from, lead);
  return is !== "joined" && NEW.test(`${text.slice(from, led)} `) ? null : partAt(text, led, next);
}

/** The same cell in the next row, if all other cells of that row are empty: a wrapped long cell. */
function findInCell(text: string, from: number, cell: number, { next }: Seam): Stretch | null {
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
  return partAt(text, from + before, next);
}

function partAt(text: string, at: number, pattern: RegExp): Stretch | null {
  const part = matchAt(pattern, text, at)?.[1];
  return part === undefined ? null : { start: pattern.lastIndex - part.length, end: pattern.lastIndex };
}

function belongs(run: string, alphabet: ReturnType<typeof alphabetOf>): boolean {
  return (isRestOfToken(run) && !isNamed(run)) || (alphabet === "hex" && /^[0-9a-f]{8,}$/.test(run));
}

/** Whether letters and digits were chosen by a person: `IPv6Address`, `CVE-2031-4711`, `Api3Client.ts`. */
function isNamed(run: string): boolean {
  const words = run.match(CAMEL_WORD)?.filter((word) => /[aeiouy]/i.test(word)) ?? [];
  return words.join("").length * 2 >= run.length || NUMBERED.test(run) || FILE.test(run);
}
