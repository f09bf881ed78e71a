import { pushAll } from "../../base/lists.ts";
import { announcedValue, findAssignment, findAwaited, type Awaited, type Finding } from "./assignment.ts";
import {
  findLogin,
  findNamed,
  findPgpass,
  findSetOption,
  findShortOption,
  findUserinfo,
  findAwsSecret,
  findEastAsian,
  findSpokenPasswords,
  findSpokenToken,
} from "./passwords.ts";
import { matchAt, type Span } from "./span.ts";
import { tokenShapes, type TokenShape } from "./token-shapes.ts";
import { passes } from "./value.ts";

/** What a pass over a window found, and what its last line announces for the next window. */
interface Scan {
  readonly spans: Span[];
  awaits: Awaited | null;
}

/** Tokens of known form are at least this long. */
const SHORTEST_RUN = 16;

// Every UTF-16 unit has a class; a run is a stretch without breaks. Signs are checked without ending the run.
const PLAIN = 0;
const BREAK = 1;
const EASTERN = 2;
const ESCAPE = 3;
const SIGN = 4;
const HYPHEN = 5;
const UNDERSCORE = 6;
const CALL = 7;
const CLASS = classTable();

/** One pass over the text: runs go to the token rules, signs to the rules that look at their surroundings. */
export function scan(text: string, awaits: Awaited | null): Scan {
  const found: Scan = { spans: [], awaits: null };
  if (awaits !== null) add(found, findAwaited(text, 0, awaits));
  let start = 0;
  let isEastern = false;
  const { length } = text;
  for (let i = 0; i < length; i++) {
    const kind = CLASS[text.charCodeAt(i)];
    if (kind === PLAIN) continue;
    if (kind === SIGN || kind === HYPHEN || kind === UNDERSCORE) {
      lookAround(text, i, found);
      continue;
    }
    if (i - start >= SHORTEST_RUN) lookInto(text, start, i, found);
    start = kind === ESCAPE ? afterEscape(text, i) : i + 1;
    if (kind === CALL && /["'`]/.test(text.charAt(i + 1))) add(found, findAssignment(text, i));
    if (kind === EASTERN) isEastern = true;
  }
  if (length - start >= SHORTEST_RUN) lookInto(text, start, length, found);
  findSpokenPasswords(text, found.spans);
  if (isEastern) pushAll(found.spans, findEastAsian(text));
  return found;
}

/** Words joined by hyphens and slashes contain no token: a token has a digit, an underscore or a capital in its middle. */
function mayHoldToken(run: string): boolean {
  return run.length > 40 || /[0-9_]/.test(run) || /[A-Z]/.test(run.slice(6));
}

function lookInto(text: string, start: number, end: number, found: Scan): void {
  const run = text.slice(start, end);
  if (!mayHoldToken(run)) return;
  findTokens(run, start, found.spans);
  if (run.length >= 40) add(found, findAwsSecret(text, start, end));
  add(found, findSpokenToken(text, start, end));
}

function lookAround(text: string, at: number, found: Scan): void {
  const code = text.charCodeAt(at);
  if (at < (found.spans.at(-1)?.end ?? 0)) return;
  if (code === 0x5f) {
    add(found, findNamed(text, at));
  } else if (code === 0x2d) {
    lookAtOption(text, at, found);
  } else if (code === 0x2c) {
    const before = text.charCodeAt(at - 1);
    if (before === 0x22 || before === 0x27) add(found, findAssignment(text, at));
  } else {
    const next = text.charCodeAt(at + 1);
    if (code === 0x3a && text.startsWith("//", at + 1)) add(found, findUserinfo(text, at));
    else if (code === 0x3a && (next === 0x2a || (next >= 0x30 && next <= 0x39))) add(found, findPgpass(text, at));
    add(found, findAssignment(text, at));
  }
}

const OPTION = /--([a-z][a-z0-9-]{2,40})[ \t]{1,4}/y;

function lookAtOption(text: string, at: number, found: Scan): void {
  const next = text.charCodeAt(at + 1);
  if (next === 0x2d) {
    const match = matchAt(OPTION, text, at);
    if (match !== null) add(found, announcedValue(text, match[1] ?? "", OPTION.lastIndex));
    add(found, findLogin(text, at));
    return;
  }
  if (next === 0x75) add(found, findLogin(text, at));
  if (next === 0x70 || next === 0x61) add(found, findShortOption(text, at));
  add(found, findSetOption(text, at));
}

function add(found: Scan, finding: Finding): void {
  if (finding === null) return;
  if ("awaits" in finding) found.awaits = finding.awaits;
  else found.spans.push(finding);
}

/** Where a run can begin after a backslash: an escape such as `\n` is not part of the next word. */
function afterEscape(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (next === 0x75) return at + 6;
  return next === 0x6e || next === 0x72 || next === 0x74 ? at + 2 : at + 1;
}

function classTable(): Uint8Array {
  const table = new Uint8Array(65_536).fill(BREAK, 128).fill(EASTERN, 0x3040);
  table.fill(BREAK, 0, 33);
  const classes = {
    [BREAK]: "\"'`)[]{}<",
    [CALL]: "(",
    [ESCAPE]: "\\",
    [SIGN]: "=:>|,",
    [HYPHEN]: "-",
    [UNDERSCORE]: "_",
  };
  for (const [kind, characters] of Object.entries(classes))
    for (const character of characters) table[character.charCodeAt(0)] = Number(kind);
  return table;
}

/** The tokens of known form by their literal start, each with the pattern of the rest. */
const MATCHERS = Map.groupBy(
  tokenShapes.flatMap((shape) => shape.starts.map((start) => ({ start, shape, pattern: tailPattern(shape, start) }))),
  ({ start }) => start,
);
const ANCHOR = anchorPattern();

/** Finds the tokens of known form in one unbroken run. `offset`: where the run begins in the text. */
function findTokens(run: string, offset: number, spans: Span[]): void {
  ANCHOR.lastIndex = 0;
  for (let anchor = ANCHOR.exec(run); anchor !== null; anchor = ANCHOR.exec(run)) {
    const end = findToken(run, anchor.index, anchor[0], offset, spans);
    ANCHOR.lastIndex = Math.max(end, anchor.index + 1);
  }
}

function findToken(run: string, at: number, start: string, offset: number, spans: Span[]): number {
  for (const { shape, pattern } of MATCHERS.get(start) ?? []) {
    const match = matchAt(pattern, run, at + start.length);
    if (match === null) continue;
    const from = at - (shape.lead === undefined ? 0 : (match[1] ?? "").length);
    const end = pattern.lastIndex;
    if (!passes(run.slice(from, end), match[0], shape.must)) continue;
    spans.push({ start: offset + from, end: offset + end, kind: shape.kind, by: "shape", part: "first" });
    return end;
  }
  return 0;
}

function tailPattern(shape: TokenShape, start: string): RegExp {
  const lead = shape.lead === undefined ? "" : `(?<=(${shape.lead})${escaped(start)})`;
  return new RegExp(`${lead}${shape.tail}(?![A-Za-z0-9])`, "y");
}

/**
 * Finds the next possible start: at a word boundary or after the first hyphen of a run, unless the form has its own
 * lead.
 */
function anchorPattern(): RegExp {
  const bare = startsOf(tokenShapes.filter((shape) => shape.lead === undefined));
  const led = startsOf(tokenShapes.filter((shape) => shape.lead !== undefined));
  return new RegExp(`(?<![A-Za-z0-9_]|[^]-)(?:${bare})|(?:${led})`, "g");
}

/** The literal starts as alternatives, longest first. */
function startsOf(shapes: readonly TokenShape[]): string {
  const starts = shapes.flatMap((shape) => shape.starts);
  return [...new Set(starts)]
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join("|");
}

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
