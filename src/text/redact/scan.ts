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

/** The signs whose surroundings can announce a secret. */
const SIGN = /[=:>|,_-]|\((?=["'`])/g;
/** Unbroken stretches; an escape such as `\n` before one is not part of it. */
const RUN = /\\(?:u[^\0- "'`()[\]{}<\\\x80-\uffff]{0,4}|[nrt])?|([^\0- "'`()[\]{}<\\\x80-\uffff]+)/g;

/** Finds secrets by what is around a sign, by the form of a run, and by prose. */
export function scan(text: string): readonly Span[] {
  const found: Span[] = [];
  const add = (span: Span | null): void => {
    if (span !== null) found.push(span);
  };
  for (const { 0: sign, index } of text.matchAll(SIGN))
    if (index >= (found.at(-1)?.end ?? 0)) for (const find of findersFor(sign, text, index)) add(find(text, index));
  for (const { 1: run = "", index } of text.matchAll(RUN)) {
    if (!mayHoldToken(run)) continue;
    findTokens(run, index, found);
    if (run.length >= 40) add(findAwsSecret(text, index, index + run.length));
    add(findSpokenToken(text, index, index + run.length));
  }
  findSpokenPasswords(text, found);
  if (/[\u3040-\uffff]/.test(text)) pushAll(found, findEastAsian(text));
  return found;
}

type Finder = (text: string, at: number) => Span | null;

function findersFor(sign: string, text: string, at: number): readonly Finder[] {
  const next = text.charAt(at + 1);
  if (sign === "_") return [findNamed];
  if (sign === "-" && next === "-") return [findLongOption, findLogin];
  if (sign === "-") return next === "u" ? [findLogin, findSetOption] : [findShortOption, findSetOption];
  if (sign === "," && !/["']/.test(text.charAt(at - 1))) return [];
  if (sign === ":" && next === "/") return [findUserinfo, findAssignment];
  return sign === ":" && /[*\d]/.test(next) ? [findPgpass, findAssignment] : [findAssignment];
}

const OPTION = /--([a-z][a-z0-9-]{2,40})[ \t]{1,4}/y;

function findLongOption(text: string, at: number): Span | null {
  const name = matchAt(OPTION, text, at)?.[1];
  return name === undefined ? null : announcedValue(text, name, OPTION.lastIndex);
}

/** A token of known form has a digit, an underscore or a capital in its middle; words joined by hyphens and slashes do not. */
function mayHoldToken(run: string): boolean {
  return run.length >= 16 && (run.length > 40 || /[0-9_]/.test(run) || /[A-Z]/.test(run.slice(6)));
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
