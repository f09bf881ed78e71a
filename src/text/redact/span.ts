/** What a span was found by. The surer finding gives its name when two overlap. */
type Certainty = "block" | "shape" | "context";

/** A stretch of text that has to go. `first` is false for the second and later lines of one secret. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly by: Certainty;
  readonly part: "first" | "continued";
}

/** A secret that was found by what is around it. */
export function secretAt(start: number, end: number, kind: string): Span {
  return { start, end, kind, by: "context", part: "first" };
}

const RANK: Readonly<Record<Certainty, number>> = { block: 0, shape: 1, context: 2 };

/** Spans in order, without overlaps: touching ground is united under the surer name. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end) merged[merged.length - 1] = unite(last, span);
    else merged.push(span);
  }
  return merged;
}

function unite(a: Span, b: Span): Span {
  const surer = RANK[b.by] < RANK[a.by] ? b : a;
  return { start: a.start, end: Math.max(a.end, b.end), kind: surer.kind, by: surer.by, part: surer.part };
}

/** The text with a marker in place of every span. The spans are in order and do not overlap. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const span of spans) {
    pieces.push(text.slice(from, span.start), `[REDACTED:${span.kind}]`);
    from = span.end;
  }
  pieces.push(text.slice(from));
  return pieces.join("");
}

const mark = /\[REDACTED:[a-z0-9-]+\]/gu;

/** A text with something else in place of the marks that stand for secrets. */
export function withoutMarks(text: string, by: (mark: string) => string): string {
  return text.includes("[REDACTED:") ? text.replaceAll(mark, by) : text;
}

/** What a sticky pattern finds at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The end of what a sticky pattern finds at a place; -1 when it finds nothing. */
export function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** What is before a place in its line, of the last `most` characters. */
export function lineBefore(text: string, at: number, most: number): string {
  const near = text.slice(Math.max(0, at - most), at);
  return near.slice(near.lastIndexOf("\n") + 1);
}

const PART = /[0-9]+|[A-Za-z]+|[ \t]+|[^]/y;
const LONGEST_LEAD = 200;

/** What is in front of `at` in its line: the model for the lead of the lines after it. Nothing when that is long. */
export function leadBefore(text: string, at: number): string {
  const lead = lineBefore(text, at, LONGEST_LEAD);
  return lead.length === LONGEST_LEAD ? "" : lead;
}

/**
 * The place behind the lead that the line at `from` shares with an earlier line: line numbers, a file name, a time, the
 * name of a program, a quote sign, the border of a table. Numbers may differ; so may `:` and `-`, as `grep -C` prints them.
 */
export function skipLead(text: string, from: number, model: string): number {
  let reached = from;
  let at = from;
  let inModel = 0;
  while (inModel < model.length) {
    const expected = partAt(model, inModel);
    const part = partAt(text, at);
    if (!isSame(expected, part)) {
      if (isBlank(part)) at += part.length;
      else if (isBlank(expected)) inModel += expected.length;
      else return reached;
      continue;
    }
    inModel += expected.length;
    at += part.length;
    if (inModel === model.length || !/[A-Za-z0-9+/=]$/.test(part)) reached = at;
  }
  return reached;
}

function partAt(text: string, at: number): string {
  return matchAt(PART, text, at)?.[0] ?? "";
}

function isSame(expected: string, part: string): boolean {
  if (isBlank(expected) || /^[0-9]/.test(expected)) return part !== "" && kindOf(expected) === kindOf(part);
  return expected === part || (/^[:-]$/.test(expected) && /^[:-]$/.test(part));
}

function kindOf(part: string): "blank" | "number" | "other" {
  if (isBlank(part)) return "blank";
  return /^[0-9]/.test(part) ? "number" : "other";
}

function isBlank(part: string): boolean {
  return part.startsWith(" ") || part.startsWith("\t");
}
