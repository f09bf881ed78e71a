import { once } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import { announcedValue, findAssignment } from "./assignment.ts";
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

/** Signs near which the text may announce a secret. */
const SIGN = /[=:>|_-]|(?<=["']),|\((?=["'`])/g;
/** Tokens of known form are at least this long. */
const shortestRun = 16;
/** Marks the UTF-16 units that end a run. A pattern for runs would be three times as slow. */
const isBreak = new Uint8Array(65_536).fill(1, 0, 33).fill(1, 128);
for (const sign of "\"'`()[]{}<\\") isBreak[sign.charCodeAt(0)] = 1;

/** Finds secrets by the text around a sign, by the form of an unbroken run, and by prose. */
export function scan(text: string): readonly Span[] {
  const found: Span[] = [];
  const add = (span: Span | null): void => {
    if (span !== null) found.push(span);
  };
  // Text has such a sign every few words. A match object for each would cost more than everything else.
  for (SIGN.lastIndex = 0; SIGN.test(text);) {
    const at = SIGN.lastIndex - 1;
    if (at >= (found.at(-1)?.end ?? 0)) for (const find of findersFor(text, at)) add(find(text, at));
  }
  findInRuns(text, found);
  findSpokenPasswords(text, found);
  if (/[\u3040-\uffff]/.test(text)) pushAll(found, findEastAsian(text));
  return found;
}

/**
 * Looks for tokens in runs that are long enough. Most words are shorter, so each step looks backwards from the first
 * place where such a run could end (the idea of Boyer and Moore 1977).
 */
function findInRuns(text: string, found: Span[]): void {
  const isInRun = (at: number): boolean => isBreak[text.charCodeAt(at)] === 0;
  for (let last = -1; text.length - last > shortestRun;) {
    let at = last + shortestRun;
    while (at > last && isInRun(at)) at--;
    if (at === last) {
      at += shortestRun + 1;
      while (at < text.length && isInRun(at)) at++;
      // An escape such as `\n` is not part of the next word.
      const start = last + (matchAt(ESCAPE, text, last)?.[0].length ?? 1);
      if (at - start >= shortestRun) findInRun(text, start, at, found);
    }
    last = at;
  }
}

const ESCAPE = /\\(?:u.{4}|[nrt])?/y;

function findInRun(text: string, start: number, end: number, found: Span[]): void {
  const run = text.slice(start, end);
  if (!mayHoldToken(run)) return;
  findTokens(run, start, found);
  const more = [run.length >= 40 ? findAwsSecret(text, start, end) : null, findSpokenToken(text, start, end)];
  pushAll(
    found,
    more.filter((span) => span !== null),
  );
}

type Finder = (text: string, at: number) => Span | null;

const finders = {
  named: [findNamed],
  long: [findLongOption, findLogin],
  user: [findLogin, findSetOption],
  short: [findShortOption, findSetOption],
  address: [findUserinfo, findAssignment],
  passwords: [findPgpass, findAssignment],
  other: [findAssignment],
} satisfies Record<string, readonly Finder[]>;

function findersFor(text: string, at: number): readonly Finder[] {
  const sign = text.charAt(at);
  const next = text.charAt(at + 1);
  if (sign === "_") return finders.named;
  if (sign === "-" && next === "-") return finders.long;
  if (sign === "-") return next === "u" ? finders.user : finders.short;
  if (sign === ":" && next === "/") return finders.address;
  return sign === ":" && (next === "*" || (next >= "0" && next <= "9")) ? finders.passwords : finders.other;
}

const OPTION = /--([a-z][a-z0-9-]{2,40})[ \t]{1,4}/y;

function findLongOption(text: string, at: number): Span | null {
  const name = matchAt(OPTION, text, at)?.[1];
  return name === undefined ? null : announcedValue(text, name, OPTION.lastIndex);
}

/** A quick test: tokens of known form have a digit, an underscore or a capital in the middle; words joined by hyphens and slashes do not. */
function mayHoldToken(run: string): boolean {
  return run.length > 40 || /[0-9_]/.test(run) || /[A-Z]/.test(run.slice(6));
}

/** The token shapes by literal start, each with the pattern for the rest. */
const matchers = once(() =>
  Map.groupBy(
    tokenShapes.flatMap((shape) => shape.starts.map((start) => ({ start, shape, pattern: tailPattern(shape, start) }))),
    ({ start }) => start,
  ),
);
const anchors = once(anchorPattern);

/** Finds the tokens of known form in one unbroken run. `offset`: where the run begins in the text. */
function findTokens(run: string, offset: number, spans: Span[]): void {
  const pattern = anchors();
  for (let anchor = matchAt(pattern, run, 0); anchor !== null; anchor = pattern.exec(run)) {
    const end = findToken(run, anchor.index, anchor[0], offset, spans);
    pattern.lastIndex = Math.max(end, anchor.index + 1);
  }
}

function findToken(run: string, at: number, start: string, offset: number, spans: Span[]): number {
  for (const { shape, pattern } of matchers().get(start) ?? []) {
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
 * Matches possible starts of tokens: at a word boundary or after a hyphen at the start of a run, unless the shape has its
 * own lead.
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
