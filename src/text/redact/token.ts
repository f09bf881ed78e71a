import type { TokenShape } from "./shape.ts";
import { cloudShapes } from "./shapes-cloud.ts";
import { codeShapes } from "./shapes-code.ts";
import { floorShapes } from "./shapes-floor.ts";
import { serviceShapes } from "./shapes-service.ts";
import type { Span } from "./span.ts";
import { passes } from "./value.ts";

interface Matcher {
  readonly shape: TokenShape;
  readonly pattern: RegExp;
}

const SHAPES: readonly TokenShape[] = [...cloudShapes, ...codeShapes, ...serviceShapes, ...floorShapes];
const MATCHERS: ReadonlyMap<string, readonly Matcher[]> = matchersByStart();
const ANCHOR = anchorPattern();

/** The tokens of known form inside one run of unbroken text. `offset` is where the run stands in the whole. */
export function findTokens(run: string, offset: number, spans: Span[]): void {
  ANCHOR.lastIndex = 0;
  for (let anchor = ANCHOR.exec(run); anchor !== null; anchor = ANCHOR.exec(run)) {
    const end = findToken(run, anchor.index, anchor[0], offset, spans);
    ANCHOR.lastIndex = Math.max(end, anchor.index + 1);
  }
}

function findToken(run: string, at: number, start: string, offset: number, spans: Span[]): number {
  for (const { shape, pattern } of MATCHERS.get(start) ?? []) {
    pattern.lastIndex = at + start.length;
    const match = pattern.exec(run);
    if (match === null) continue;
    const from = at - (shape.lead === undefined ? 0 : (match[1] ?? "").length);
    const end = pattern.lastIndex;
    if (!passes(run.slice(from, end), match[0], shape.must ?? "unmasked")) continue;
    spans.push({ start: offset + from, end: offset + end, kind: shape.kind, by: "shape", part: "first" });
    return end;
  }
  return 0;
}

function matchersByStart(): ReadonlyMap<string, readonly Matcher[]> {
  const byStart = new Map<string, Matcher[]>();
  for (const shape of SHAPES) {
    for (const start of shape.starts) {
      const list = byStart.get(start) ?? [];
      byStart.set(start, [...list, { shape, pattern: tailPattern(shape, start) }]);
    }
  }
  return byStart;
}

function tailPattern(shape: TokenShape, start: string): RegExp {
  const lead = shape.lead === undefined ? "" : `(?<=(${shape.lead})${escaped(start)})`;
  return new RegExp(`${lead}${shape.tail}(?![A-Za-z0-9])`, "y");
}

/** One pattern that finds the next possible beginning: at a word boundary or after the first hyphen of a run, unless the form has its own lead. */
function anchorPattern(): RegExp {
  const bare = startsOf(SHAPES.filter((shape) => shape.lead === undefined));
  const led = startsOf(SHAPES.filter((shape) => shape.lead !== undefined));
  return new RegExp(`(?<![A-Za-z0-9_]|[^]-)(?:${bare})|(?:${led})`, "g");
}

/** The beginnings as alternatives, the longest first. */
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
