/** How a span was found, most certain first. If two spans overlap, the more certain one determines the kind. */
const CERTAINTIES = ["block", "shape", "context"] as const;

/** A stretch of text to remove. `continued`: a later part of a secret. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly by: (typeof CERTAINTIES)[number];
  readonly part: "first" | "continued";
}

/** A secret found by its context. */
export function secretAt(start: number, end: number, kind: string, part: Span["part"] = "first"): Span {
  return { start, end, kind, by: "context", part };
}

/** Sorts spans and merges overlapping ones under the more certain kind. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else {
      const { kind, by } = CERTAINTIES.indexOf(span.by) < CERTAINTIES.indexOf(last.by) ? span : last;
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end), kind, by };
    }
  }
  return merged;
}

/** Replaces every span with a marker. The spans must be in order and must not overlap. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
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

/** Replaces redaction markers. */
export function withoutMarks(text: string, by: (mark: string) => string): string {
  return text.includes("[REDACTED:") ? text.replaceAll(mark, by) : text;
}

/** Matches a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The end of a sticky pattern's match at a position; -1 without a match. */
export function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The text before a position in its line: at most the last `most` characters. */
export function lineBefore(text: string, at: number, most: number): string {
  const near = text.slice(Math.max(0, at - most), at);
  return near.slice(near.lastIndexOf("\n") + 1);
}

const PART = /[0-9]+|[A-Za-z]+|[ \t]+|[^]/y;
const LONGEST_LEAD = 200;

/** The text before `at` in its line, as a model for the leads of the next lines; empty if it is too long. */
export function leadBefore(text: string, at: number): string {
  const lead = lineBefore(text, at, LONGEST_LEAD);
  return lead.length === LONGEST_LEAD ? "" : lead;
}

/**
 * The position after the lead that the line at `from` shares with an earlier line: line numbers, a file name, a time, a
 * program's name, a quote sign, a table border. Numbers may differ, and so may `:` and `-`, as printed by `grep -C`.
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
  if (isBlank(expected)) return isBlank(part);
  if (/^[0-9]/.test(expected)) return /^[0-9]/.test(part);
  return expected === part || (/^[:-]$/.test(expected) && /^[:-]$/.test(part));
}

function isBlank(part: string): boolean {
  return part.startsWith(" ") || part.startsWith("\t");
}
