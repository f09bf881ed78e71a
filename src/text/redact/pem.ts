import { endAt, leadBefore, matchAt, skipLead, type Span } from "./span.ts";

/** A private key block that is open at the end of a window. */
export interface OpenBlock {
  /** `head`: nothing of the key itself seen yet. `tail`: its last line seen, only an end line can follow. */
  readonly phase: "head" | "body" | "tail";
  /** Lines of the block so far. */
  readonly lines: number;
  /** What is in front of the opening line, and so of the others: see `skipLead`. */
  readonly lead: string;
}

/** The blocks of one window and the one that stays open behind it. */
interface Blocks {
  readonly spans: readonly Span[];
  readonly open: OpenBlock | null;
}

const KIND = "private-key";
const MAX_LINES = 200;
const MAX_INLINE = 32_768;
const FULL_LINE = 32;
const MAX_LINE = 16_384;
const BEGIN = /-{4,5}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{4,5}/y;
const END = /-{3,5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{2,5}/;
const INLINE =
  /(?:[A-Za-z0-9+/=]|\\{1,4}[nrt]|[ \t:|→]){32,32768}(?:-{3,5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{2,5})?/y;
/** What can be on each side of a line of a key: quote signs, borders, comments, what joins the parts of a program's text. */
const SIDE = "[\\s>#*|│\"'`-]{0,24}";
const TAIL = "(?:\\\\{1,4}[nr])?[\"'`]?[\\s+,;\\\\|│]{0,8}(?:<br ?/?>)?";
const NOTHING_MORE = new RegExp(`^${TAIL}$`);
const BODY_LINE = new RegExp(`^(${SIDE}(?://[ \\t]{1,4})?)([A-Za-z0-9+/=]{0,16384})${TAIL}$`);
const HEADER_LINE = new RegExp(`^(${SIDE})([A-Za-z][A-Za-z0-9-]{1,40}:[ \\t][^\\n]{0,200}?)${TAIL}$`);

/** Finds the private keys of a window; `open` is what the window before left open. */
export function findBlocks(text: string, open: OpenBlock | null): Blocks {
  const spans: Span[] = [];
  let at = 0;
  let block = open;
  if (block !== null && block.phase === "head" && decide(text, 0, block.lead, 12) === "none") block = null;
  if (block !== null) ({ at, block } = followBlock(text, 0, block, spans));
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
  const behind = endAt(BEGIN, text, begin);
  if (behind < 0) return { at: begin + 11, block: null };
  const another = text.indexOf("-----BEGIN ", behind);
  const rest = text.slice(behind, Math.min(behind + MAX_INLINE, another < 0 ? text.length : another));
  const lead = leadBefore(text, begin);
  const stop = cellStop(text, behind, behind + lineStop(rest, 0), lead);
  if (stop !== another && stop - behind < 64 && NOTHING_MORE.test(text.slice(behind, stop))) {
    const next = nextLine(text, stop);
    if (decide(text, next, lead, 12) === "none") return { at: behind, block: null };
    spans.push(spanOf(begin, behind, "first"));
    return followBlock(text, next, { phase: "head", lines: 1, lead }, spans);
  }
  const end = inlineEnd(rest.slice(0, stop - behind), behind);
  if (end > 0) spans.push(spanOf(begin, end, "first"));
  return { at: Math.max(end, behind), block: null };
}

/** The end of a key written on one line, with escaped line breaks or without any; 0 when it is none. */
function inlineEnd(rest: string, behind: number): number {
  const close = END.exec(rest);
  if (close !== null && /[A-Za-z0-9+/=]{32}/.test(rest.slice(0, close.index))) {
    return behind + close.index + close[0].length;
  }
  const run = matchAt(INLINE, rest, 0)?.[0] ?? "";
  return /[A-Za-z0-9+/=]{32}/.test(run) ? behind + run.length : 0;
}

/** Is there a key behind an opening line? `open` when the text ends before that can be told. */
function decide(text: string, from: number, lead: string, lines: number): "key" | "none" | "open" {
  if (from >= text.length) return "open";
  const { start, stop } = ownPart(text, from, lead);
  const line = text.slice(start, Math.min(stop, from + MAX_LINE));
  const core = BODY_LINE.exec(line)?.[2];
  if (core !== undefined && core.length >= FULL_LINE) return "key";
  const isHead = core === "" || HEADER_LINE.test(line);
  return isHead && lines > 0 ? decide(text, nextLine(text, stop), lead, lines - 1) : "none";
}

/** Goes through the lines of an open block from the start of a line on. */
function followBlock(text: string, from: number, open: OpenBlock, spans: Span[]): Reached {
  let block = open;
  let at = from;
  while (at < text.length) {
    if (block.lines >= MAX_LINES) return { at, block: null };
    const { start, stop } = ownPart(text, at, block.lead);
    const step = takeLine(text.slice(start, Math.min(stop, at + MAX_LINE)), block.phase);
    if (step === null) return { at, block: null };
    if (step.end > step.start) spans.push(spanOf(start + step.start, start + step.end, "continued"));
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

/** What of this line belongs to the block, or null when the block cannot go on here. */
function takeLine(line: string, phase: OpenBlock["phase"]): Taken | null {
  const close = END.exec(line);
  if (close !== null) {
    const lead = /^[\s>#*|│"'`]*/.exec(line)?.[0].length ?? 0;
    const isWhole = /^[A-Za-z0-9+/=]*$/.test(line.slice(lead, close.index));
    return { start: isWhole ? lead : close.index, end: close.index + close[0].length, phase: "closed" };
  }
  const body = BODY_LINE.exec(line);
  const lead = body?.[1]?.length ?? 0;
  const core = body?.[2] ?? "";
  if (body !== null) return takeBody(lead, core, phase);
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

function spanOf(start: number, end: number, part: Span["part"]): Span {
  return { start, end, kind: KIND, by: "block", part };
}

/** What of the line at `at` can belong to the key: behind the lead that it shares with the opening line, within its cell. */
function ownPart(text: string, at: number, lead: string): { readonly start: number; readonly stop: number } {
  const stop = lineStop(text, at);
  if (lead === "") return { start: at, stop };
  const mark = text.slice(at, Math.min(stop, at + MAX_LINE)).search(/-{3,5}END /);
  const start = Math.min(skipLead(text, at, lead), mark < 0 ? stop : at + mark);
  return { start, stop: cellStop(text, start, stop, lead) };
}

/** The end of the cell that begins at `from` in a row of a table; the end of the line elsewhere. */
function cellStop(text: string, from: number, stop: number, lead: string): number {
  if (!/^[ \t>]*[|│]/.test(lead)) return stop;
  const border = text.slice(from, stop).search(/[|│]/);
  return border < 0 ? stop : from + border;
}

/** The end of the line that holds `from`, before its line break. */
function lineStop(text: string, from: number): number {
  const stop = text.indexOf("\n", from);
  if (stop < 0) return text.length;
  return stop > from && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
}

function nextLine(text: string, stop: number): number {
  const end = text.indexOf("\n", stop);
  return end < 0 ? text.length : end + 1;
}
