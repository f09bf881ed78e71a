/** What a span was found by. The surer finding gives its name when two overlap. */
export type Certainty = "block" | "shape" | "context";

/** A stretch of text that has to go. `first` is false for the second and later lines of one secret. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly by: Certainty;
  readonly part: "first" | "continued";
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
